package io.graphmeta.shard;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often ports are reached, and throws at one of these points: a store, a clock. What is
 * thrown by a write has left nothing behind, as the port promises.
 */
final class Faults {
  private int left = -1;
  private int reached;
  private @Nullable Supplier<Throwable> kind;
  private @Nullable String fired;

  /** From now on the point of a number, from 1, throws. */
  synchronized void arm(int point, Supplier<Throwable> thrown) {
    left = point;
    kind = thrown;
    reached = 0;
  }

  synchronized void disarm() {
    left = -1;
  }

  /** Where it was thrown, or null. */
  synchronized @Nullable String fired() {
    return fired;
  }

  synchronized int reached() {
    return reached;
  }

  private void reach(String where) {
    Throwable thrown = null;
    synchronized (this) {
      reached++;
      if (left > 0 && --left == 0 && kind != null) {
        fired = where;
        thrown = kind.get();
      }
    }
    if (thrown instanceof Error error) {
      throw error;
    } else if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }

  InstantSource clock(InstantSource clock) {
    return () -> {
      reach("clock");
      return clock.instant();
    };
  }

  StorageEngine storage(StorageEngine storage) {
    return new StorageEngine() {
      @Override
      public void write(RowBatch batch, Durability durability) {
        reach("write");
        storage.write(batch, durability);
      }

      @Override
      public byte @Nullable [] get(Family family, byte[] key) {
        reach("get");
        return storage.get(family, key);
      }

      @Override
      public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
        reach("multiGet");
        return storage.multiGet(family, keys);
      }

      @Override
      public RowCursor cursor(Family family, Scope scope) {
        reach("cursor");
        return storage.cursor(family, scope);
      }

      @Override
      public void sync() {
        reach("sync");
        storage.sync();
      }

      @Override
      public void clear() {
        reach("clear");
        storage.clear();
      }

      @Override
      public StorageStatistics statistics() {
        return storage.statistics();
      }

      @Override
      public void close() {
        storage.close();
      }
    };
  }
}
