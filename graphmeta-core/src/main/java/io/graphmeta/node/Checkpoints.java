package io.graphmeta.node;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of the stores of an open database, as directories below its own: links to files that
 * are never changed again, which keep their room on the disk until this is closed. What a process
 * that ended has left is removed when the database is opened. Belongs to one thread.
 */
public final class Checkpoints implements AutoCloseable {
  static final String DIRECTORY = "checkpoints";

  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  private final DatabaseDirectory database;
  private final List<HostedShard> shards;
  private final Path directory;
  private final List<Path> stores = new ArrayList<>();

  Checkpoints(DatabaseDirectory database, List<HostedShard> shards) {
    this.database = database;
    this.shards = shards;
    this.directory = database.path().resolve(DIRECTORY);
    try {
      FileOperations.ON_DISK.deleteTree(directory);
      FileOperations.ON_DISK.createDirectories(directory);
    } catch (IOException e) {
      throw failure(directory, e);
    }
  }

  /** Takes that of the next shard: of all that it had written when this is called. */
  public void takeNext() {
    HostedShard shard = shards.get(stores.size());
    Path store = directory.resolve("shard-" + shard.number());
    shard.checkpoint(store);
    stores.add(store);
  }

  /**
   * Fails if what has been taken does not tell all of a stamp that the shards had resolved before.
   *
   * @throws GraphMetaException {@code SNAPSHOT_TOO_OLD}
   */
  public void requireWhole(long stamp) {
    shards.forEach(shard -> shard.requireKept(stamp));
  }

  /** The directories of what was taken, in the order of the shards. */
  public List<Path> stores() {
    return List.copyOf(stores);
  }

  /** What a backup of the database at a stamp is of. */
  public BackedUpDatabase databaseAt(long stamp) {
    return database.backedUpAt(stamp);
  }

  /** Removes those that an earlier process has left in the directory of a database. */
  static void removeLeft(Path database) {
    try {
      FileOperations.ON_DISK.deleteTree(database.resolve(DIRECTORY));
    } catch (IOException e) {
      LOG.warn("What a backup has left in {} cannot be removed: {}", database, e.toString());
    }
  }

  private static GraphMetaException failure(Path directory, IOException e) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE, directory + " cannot be written: " + e, e);
  }

  /** Removes them. */
  @Override
  public void close() {
    removeLeft(database.path());
  }
}
