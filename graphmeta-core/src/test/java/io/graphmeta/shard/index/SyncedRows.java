package io.graphmeta.shard.index;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import io.graphmeta.storage.memory.MemoryStorage;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that knows whether all that was written would outlast a loss of power, and can
 * fail once.
 */
final class SyncedRows implements StorageEngine {
  private final StorageEngine rows = new MemoryStorage();
  private volatile boolean isSynced = true;
  private @Nullable Error nextFailure;
  private int readsBeforeFailure;

  /** Fails once, after some more reads; null for no failure. */
  void failAfter(int reads, @Nullable Error failure) {
    readsBeforeFailure = reads;
    nextFailure = failure;
  }

  private void mayFail() {
    Error failure = nextFailure;
    if (failure != null && readsBeforeFailure-- <= 0) {
      nextFailure = null;
      throw failure;
    }
  }

  boolean isSynced() {
    return isSynced;
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    isSynced = durability == Durability.SYNC && isSynced;
    rows.write(batch, durability);
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) {
    mayFail();
    return rows.get(family, key);
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    mayFail();
    return rows.multiGet(family, keys);
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
    mayFail();
    return rows.cursor(family, scope);
  }

  @Override
  public void sync() {
    rows.sync();
    isSynced = true;
  }

  @Override
  public void clear() {
    rows.clear();
  }

  @Override
  public StorageStatistics statistics() {
    return rows.statistics();
  }

  @Override
  public void close() {
    rows.close();
  }
}
