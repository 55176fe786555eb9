package io.graphmeta.node;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.codec.FormatVersion;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.shard.StoreCut;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a database of a backup. It is built in a directory beside the one that is asked for, cut to
 * the stamp of the backup, and gets its name last: what is under that name is whole. The database
 * has an identity of its own, since it and the one it came from will differ. Belongs to one thread.
 */
public final class RestoredDatabase {
  private static final String BESIDE = ".restoring";
  private static final String LOCK = "lock";

  /** No node can have this name. */
  private static final String WHOLE = ".whole";

  private final Path directory;
  private final Path beside;
  private final Path building;
  private final BackupReader reader;
  private final FileOperations operations;
  private final LongConsumer progress;

  /** Null for an embedded database. */
  private final @Nullable RestoredNodes nodes;

  private RestoredDatabase(
      BackupReader reader,
      Path directory,
      @Nullable RestoredNodes nodes,
      FileOperations operations,
      LongConsumer progress) {
    this.reader = reader;
    this.nodes = nodes;
    this.directory = directory.toAbsolutePath().normalize();
    this.beside = this.directory.resolveSibling(this.directory.getFileName() + BESIDE);
    this.building = beside.resolve("database");
    this.operations = operations;
    this.progress = progress;
  }

  /**
   * Restores a backup.
   *
   * @param name of the backup; null for the newest
   * @param directory of the new database, or of the directories of nodes: absent or empty
   * @param nodes that the database is for; null for an embedded one
   * @param progress is told the number of bytes copied so far
   * @return what was restored
   * @throws GraphMetaException {@code NOT_A_DATABASE} if the directory is not empty, {@code
   *     CORRUPTION} that names the file if one of the backup is damaged, {@code NOT_FOUND}, {@code
   *     NEWER_FORMAT}, {@code ALREADY_OPEN} if another process restores into the directory, {@code
   *     STORAGE_FAILURE}; nothing is under the name of the directory then
   */
  public static BackupSummary restore(
      BackupReader reader,
      @Nullable String name,
      Path directory,
      @Nullable RestoredNodes nodes,
      FileOperations operations,
      LongConsumer progress) {
    RestoredDatabase restored =
        new RestoredDatabase(reader, directory, nodes, operations, progress);
    try {
      return restored.run(name);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The database cannot be restored into " + restored.directory + ": " + e,
          e);
    }
  }

  private BackupSummary run(@Nullable String name) throws IOException {
    requireEmpty();
    BackupSummary backup = reader.find(name);
    FormatVersion.ofNumber(backup.database().format(), "The backup " + backup.name());
    operations.createDirectories(beside);
    try (FileChannel lock =
        FileChannel.open(
            beside.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      requireAlone(lock);
      operations.deleteTree(building); // what an attempt before has left
      boolean done = false;
      try {
        build(backup);
        operations.move(building, directory);
        Path parent = directory.getParent();
        if (parent != null) {
          operations.syncDirectory(parent);
        }
        done = true;
      } finally {
        if (!done) {
          operations.deleteTree(building);
        }
        operations.delete(beside.resolve(LOCK));
        operations.delete(beside);
      }
    }
    return backup;
  }

  private void requireEmpty() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    boolean isEmpty = false;
    if (Files.isDirectory(directory)) {
      try (Stream<Path> entries = Files.list(directory)) {
        isEmpty = entries.findAny().isEmpty();
      }
    }
    if (!isEmpty) {
      throw new GraphMetaException(
          ErrorCode.NOT_A_DATABASE,
          directory
              + " is not empty; a backup is restored into a directory that is not there, or holds nothing");
    }
  }

  private void requireAlone(FileChannel lock) throws IOException {
    boolean alone = false;
    try {
      alone = lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
    }
    if (!alone) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN, "Another process restores a backup into " + directory);
    }
  }

  private void build(BackupSummary backup) throws IOException {
    BackedUpDatabase database = backup.database();
    RestoredNodes divided = nodes;
    Path whole = divided == null ? building : building.resolve(WHOLE);
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(whole)
            .with(Setting.SHARDS, database.shards())
            .with(Setting.VIRTUAL_NODES, database.virtualNodes())
            .with(Setting.PLACEMENT, database.placement());
    if (divided != null) {
      divided.requireFits(config);
    }
    DatabaseDirectory created = DatabaseDirectory.open(config);
    reader.copyTo(backup.name(), created::shard, progress);
    cut(created, config, database.stamp());
    if (divided == null) {
      created.restored(database.format());
    } else {
      divide(created, config, divided, database.format());
      operations.deleteTree(whole);
    }
    operations.syncDirectory(building);
  }

  /** Gives each node the stores of its shards. */
  private void divide(
      DatabaseDirectory whole, GraphMetaConfig config, RestoredNodes divided, int format)
      throws IOException {
    for (Map.Entry<String, List<Integer>> node : divided.shards().entrySet()) {
      Path own = building.resolve(node.getKey());
      DatabaseDirectory created =
          DatabaseDirectory.open(
              config.with(Setting.DIRECTORY, own.resolve(divided.database())),
              divided.hosting(node.getKey()));
      for (int shard : node.getValue()) {
        operations.move(whole.shard(shard), created.shard(shard));
      }
      created.restored(format);
      divided.made().accept(node.getKey(), own);
      operations.syncDirectory(own);
    }
  }

  private static void cut(DatabaseDirectory created, GraphMetaConfig config, long stamp) {
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    List<StorageEngine> stores = new ArrayList<>();
    try {
      for (Path store : created.shards()) {
        stores.add(RocksDbStorage.open(store, settings.store(false)));
      }
      StoreCut.run(stores, settings.map(), stamp);
    } finally {
      stores.forEach(StorageEngine::close);
    }
  }
}
