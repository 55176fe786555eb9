package io.graphmeta.bench.cluster;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory whose reads and writes take time, as those of a disk do, without taking a
 * processor. What is owed is waited for in pieces that a thread can sleep. Safe for use by many
 * threads.
 */
final class SlowStorage implements StorageEngine {
  private static final long PIECE_NANOS = 250_000;

  private final StorageEngine storage;
  private final int shard;
  private final long seekNanos;
  private final long rowNanos;
  private final long writeNanos;
  private final SlowCluster.Observer observer;

  SlowStorage(StorageEngine storage, int shard, Slowness slowness, SlowCluster.Observer observer) {
    this.storage = storage;
    this.shard = shard;
    this.seekNanos = slowness.seekNanos()[shard];
    this.rowNanos = slowness.rowNanos();
    this.writeNanos = slowness.writeNanos();
    this.observer = observer;
  }

  /** The name with which threads begin that read ahead. */
  static final String READ_AHEAD = "read-ahead";

  private void read(Family family, long owedNanos) {
    long start = System.nanoTime();
    pay(owedNanos);
    boolean ahead = Thread.currentThread().getName().startsWith(READ_AHEAD);
    observer.read(shard, family, ahead, start, System.nanoTime());
  }

  private static void pay(long owedNanos) {
    long start = System.nanoTime();
    long left = owedNanos;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = start + owedNanos - System.nanoTime();
    }
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    pay(writeNanos);
    storage.write(batch, durability);
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) {
    return storage.get(family, key);
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    return storage.multiGet(family, keys);
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
    RowCursor cursor = storage.cursor(family, scope);
    return scope == Scope.VERTEX && seekNanos + rowNanos > 0
        ? new SlowCursor(cursor, family)
        : cursor;
  }

  @Override
  public void sync() {
    storage.sync();
  }

  @Override
  public void clear() {
    storage.clear();
  }

  @Override
  public StorageStatistics statistics() {
    return storage.statistics();
  }

  @Override
  public void close() {
    // The rows stay for the next cluster over them; whoever made the store closes it.
  }

  private final class SlowCursor implements RowCursor {
    private final RowCursor cursor;
    private final Family family;
    private long owedNanos;

    SlowCursor(RowCursor cursor, Family family) {
      this.cursor = cursor;
      this.family = family;
    }

    @Override
    public boolean seek(byte[] target, int length) {
      owe(seekNanos);
      return cursor.seek(target, length);
    }

    private void owe(long nanos) {
      owedNanos += nanos;
      if (owedNanos >= PIECE_NANOS) {
        read(family, owedNanos);
        owedNanos = 0;
      }
    }

    @Override
    public boolean next() {
      owe(rowNanos);
      return cursor.next();
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    @Override
    public int keyLength() {
      return cursor.keyLength();
    }

    @Override
    public byte[] value() {
      return cursor.value();
    }

    @Override
    public int valueLength() {
      return cursor.valueLength();
    }

    @Override
    public void close() {
      if (owedNanos > 0) {
        read(family, owedNanos);
        owedNanos = 0;
      }
      cursor.close();
    }
  }
}
