package io.graphmeta.node;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.ArchivedRows;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.bytes.BigEndian;
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

  /** The names of the archives that hold what a database misses, oldest first. */
  public static List<String> missed(GraphMetaConfig config) {
    try (OwnedStores owned = OwnedStores.open(config)) {
      return owned.all().stream()
          .flatMap(store -> DroppedHistory.of(store).runs().stream())
          .map(DroppedHistory.Run::archive)
          .distinct()
          .toList();
    }
  }

  private void run(Archive archive, Path directory) {
    for (ArchivedRows file : archive.files()) {
      Family family = Family.valueOf(file.family());
      RowFile.read(
          directory.resolve(file.fileName()),
          (key, value) -> {
            int shard = family == Family.ATTRIBUTES ? file.shard() : place(family, key);
            RowBatch batch = batches.get(shard);
            batch.put(family, key, value);
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
      OwnedShards.forgetIndex(store, batch);
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

  private void write(int shard) {
    RowBatch batch = batches.get(shard);
    if (batch.count() > 0) {
      stores.get(shard).write(batch, Durability.BACKGROUND);
      batch.clear();
    }
  }
}
