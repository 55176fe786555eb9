package io.graphmeta.node;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;
import java.util.List;

/**
 * The stores of an embedded database that nobody has open, so that there is no open read, backup or
 * split that the watermark could pass. Who reads the directory as it was when they opened it goes
 * on with the files of that time. Belongs to one thread.
 */
final class OwnedShards implements RetainedShards {
  private final OwnedStores owned;
  private final List<StorageEngine> stores;

  OwnedShards(OwnedStores owned) {
    this.owned = owned;
    this.stores = owned.all();
  }

  @Override
  public int count() {
    return stores.size();
  }

  @Override
  public SchemaImage names() {
    return Shard.storedNames(stores);
  }

  @Override
  public long settled() {
    boolean whole = stores.size() == 1;
    return stores.stream().mapToLong(store -> Shard.settledStamp(store, whole)).min().orElse(0);
  }

  @Override
  public long bytesOnDisk() {
    return owned.bytesOnDisk();
  }

  @Override
  public BackedUpDatabase databaseAt(long stamp) {
    return owned.directory().backedUpAt(stamp);
  }

  @Override
  public void expired(int shard, Family family, Horizons horizons, ExpiredRows.Visitor visitor) {
    new ExpiredRows(horizons).forEach(stores.get(shard), family, visitor);
  }

  /** The note of the index goes with the same batch, so that the index is built anew. */
  @Override
  public void note(String archive, Horizons horizons) {
    for (StorageEngine store : stores) {
      RowBatch batch = new RowBatch(256);
      DroppedHistory.of(store).with(new DroppedHistory.Run(archive, horizons)).put(batch);
      forgetIndex(store, batch);
      store.write(batch, Durability.SYNC);
    }
  }

  /** The index of a store whose rows change behind its back is of another state, and built anew. */
  static void forgetIndex(StorageEngine store, RowBatch batch) {
    try (RowCursor rows = store.cursor(Family.META, Scope.FAMILY)) {
      for (boolean more = rows.seek(new byte[0], 0); more; more = rows.next()) {
        if (IndexFollower.isNote(rows.key(), rows.keyLength())) {
          batch.delete(Family.META, Arrays.copyOf(rows.key(), rows.keyLength()));
        }
      }
    }
  }

  @Override
  public void drop(String archive, int shard, Family family, List<byte[]> keys) {
    RowBatch batch = new RowBatch(keys.size() * 48 + 16);
    keys.forEach(key -> batch.delete(family, key));
    stores.get(shard).write(batch, Durability.BACKGROUND);
  }

  @Override
  public void end(String archive) {
    stores.forEach(StorageEngine::sync);
    for (StorageEngine store : stores) {
      for (Family family : Family.values()) {
        if (family.byVertex()) {
          store.compact(family);
        }
      }
    }
  }
}
