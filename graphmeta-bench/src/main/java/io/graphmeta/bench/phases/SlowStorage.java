package io.graphmeta.bench.phases;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory whose seeks take time, as those of a disk do, without taking a processor. What
 * is owed is waited for in pieces that a thread can sleep. Safe for use by many threads.
 */
final class SlowStorage implements StorageEngine {
  private static final long PIECE_NANOS = 250_000;

  private final StorageEngine storage;
  private final int server;
  private final long seekNanos;
  private final Phases phases;

  SlowStorage(StorageEngine storage, int server, long seekNanos, Phases phases) {
    this.storage = storage;
    this.server = server;
    this.seekNanos = seekNanos;
    this.phases = phases;
  }

  /** The name with which threads begin that read ahead. */
  static final String READ_AHEAD = "read-ahead";

  private Phases.Kind kind(Family family) {
    if (Thread.currentThread().getName().startsWith(READ_AHEAD)) {
      return Phases.Kind.PREFETCH;
    }
    return family == Family.OUT || family == Family.IN
        ? Phases.Kind.READ_EDGES
        : Phases.Kind.READ_VERTICES;
  }

  private void pay(Family family, long owedNanos) {
    long start = System.nanoTime();
    long left = owedNanos;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = start + owedNanos - System.nanoTime();
    }
    phases.add(server, kind(family), start, System.nanoTime());
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
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
    return scope == Scope.VERTEX && seekNanos > 0 ? new SlowCursor(cursor, family) : cursor;
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
      owedNanos += seekNanos;
      if (owedNanos >= PIECE_NANOS) {
        pay(family, owedNanos);
        owedNanos = 0;
      }
      return cursor.seek(target, length);
    }

    @Override
    public boolean next() {
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
        pay(family, owedNanos);
        owedNanos = 0;
      }
      cursor.close();
    }
  }
}
