package io.graphmeta.shard.index;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import io.graphmeta.storage.memory.MemoryStorage;
import org.jspecify.annotations.Nullable;

/** A store in memory that knows whether all that was written would outlast a loss of power. */
final class SyncedRows implements StorageEngine {
  private final StorageEngine rows = new MemoryStorage();
  private volatile boolean isSynced = true;

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
    return rows.get(family, key);
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    return rows.multiGet(family, keys);
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
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
