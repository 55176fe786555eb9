package io.graphmeta.node;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.ArchivedRows;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts the rows of an archive back into a database, which is the one that they were dropped from or
 * comes from it by a backup: its stores name the archive as what is missing. When all rows are back
 * and synced, the note goes, and with it the watermark of the archive; one that was cut off is done
 * again. Entries of edges go to the shards where they belong now. Belongs to one thread.
 */
public final class RestoredArchive {
  private static final int BATCH_BYTES = 1 << 20;

  private final List<StorageEngine> stores;
  private final EntryPlaces places;
  private final List<SplitTable> splits = new ArrayList<>();
  private final List<RowBatch> batches = new ArrayList<>();

  private RestoredArchive(OwnedStores owned) {
    stores = owned.all();
    places = new EntryPlaces(owned.settings().map(), owned.settings().placement());
    for (int shard = 0; shard < stores.size(); shard++) {
      splits.add(new SplitTable(shard, places, stores.get(shard)));
      batches.add(new RowBatch(1 << 16));
    }
  }

  /**
   * Puts the rows of an archive back.
   *
   * @param archives the directory of archives
   * @param name of the archive
   * @return what was put back
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such archive, {@code
   *     MISMATCHED_SETTINGS} if it holds nothing that the database misses, {@code CORRUPTION} that
   *     names the file if one is damaged, {@code ALREADY_OPEN}; nothing is changed then
   */
  public static Archive restore(GraphMetaConfig config, Path archives, String name) {
    ArchiveDirectory directory = new ArchiveDirectory(archives, FileOperations.ON_DISK);
    Archive archive = directory.find(name);
    directory.requireWhole(archive);
    try (OwnedStores owned = OwnedStores.open(config)) {
      boolean isMissed =
          owned.all().stream().anyMatch(store -> DroppedHistory.of(store).names(name));
      if (!isMissed || archive.shards() != owned.all().size()) {
        throw new GraphMetaException(
            ErrorCode.MISMATCHED_SETTINGS,
            "The database in "
                + config.directory()
                + " misses nothing that archive "
                + name
                + " of database "
                + archive.database()
                + " holds; expected the database that it was dropped from, or one restored from a"
                + " later backup of it");
      }
      new RestoredArchive(owned).run(archive, directory.of(name));
    }
    return archive;
  }

  private void run(Archive archive, Path directory) {
    for (ArchivedRows file : archive.files()) {
      Family family = Family.valueOf(file.family());
      RowFile.read(
          directory.resolve(file.fileName()),
          (key, value) -> {
            int shard =
                family == Family.OUT || family == Family.IN ? place(family, key) : file.shard();
            RowBatch batch = batches.get(shard);
            batch.put(family, key, family == Family.IDS ? withKeys(shard, key, value) : value);
            if (batch.sizeBytes() >= BATCH_BYTES) {
              write(shard);
            }
          });
    }
    for (int shard = 0; shard < stores.size(); shard++) {
      write(shard);
      stores.get(shard).sync();
    }
    for (StorageEngine store : stores) {
      RowBatch batch = new RowBatch(256);
      DroppedHistory.of(store).without(archive.name()).put(batch);
      RetentionRun.forgetIndex(store, batch);
      store.write(batch, Durability.SYNC);
    }
  }

  /** Where an entry belongs by the newest split, which its home knows. */
  private int place(Family family, byte[] key) {
    long owner = BigEndian.getLong(key, 0);
    long other = BigEndian.getLong(key, RowKeys.OTHER_AT);
    return splits
        .get(places.home(owner))
        .shardOf(owner, family == Family.OUT, other, Long.MAX_VALUE);
  }

  /** The keys that an id led to, and those that it has been given since. */
  private byte[] withKeys(int shard, byte[] key, byte[] archived) {
    byte[] now = stores.get(shard).get(Family.IDS, key);
    if (now == null) {
      return archived;
    }
    int each = key[0] == 'V' ? Long.BYTES : RowKeys.EDGE_KEY_BYTES;
    ByteWriter all = new ByteWriter(archived.length + now.length);
    all.putBytes(archived, 0, archived.length);
    for (int at = 0; at < now.length; at += each) {
      if (!contains(archived, now, at, each)) {
        all.putBytes(now, at, each);
      }
    }
    return all.toArray();
  }

  private static boolean contains(byte[] keys, byte[] sought, int soughtAt, int each) {
    for (int at = 0; at < keys.length; at += each) {
      if (Arrays.equals(keys, at, at + each, sought, soughtAt, soughtAt + each)) {
        return true;
      }
    }
    return false;
  }

  private void write(int shard) {
    RowBatch batch = batches.get(shard);
    if (batch.count() > 0) {
      stores.get(shard).write(batch, Durability.BACKGROUND);
      batch.clear();
    }
  }
}
