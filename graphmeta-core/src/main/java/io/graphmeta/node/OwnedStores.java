package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The stores of all shards of an embedded database, opened without shards over them: nobody reads,
 * commits, splits or backs up the database meanwhile. Belongs to one thread.
 */
final class OwnedStores implements AutoCloseable {
  private final DatabaseDirectory directory;
  private final HostSettings settings;
  private final List<StorageEngine> stores = new ArrayList<>();

  private OwnedStores(DatabaseDirectory directory, HostSettings settings) {
    this.directory = directory;
    this.settings = settings;
  }

  /**
   * Opens the stores of a database that is there.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if it is open, and what {@link
   *     DatabaseDirectory#open} throws
   */
  static OwnedStores open(GraphMetaConfig config) {
    if (!config.isPersistent() || config.isReadOnly()) {
      throw GraphMetaException.invalid(
          "The database is in memory, or opened to be read; expected the directory of one to write");
    }
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    OwnedStores opened =
        new OwnedStores(DatabaseDirectory.open(config.with(Setting.CREATE, "false")), settings);
    boolean done = false;
    try {
      if (opened.directory.isCreating()) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            opened.directory.path() + " is being created; open it once to write");
      }
      for (Path store : opened.directory.shards()) {
        opened.stores.add(RocksDbStorage.open(store, settings.store(false)));
      }
      done = true;
      return opened;
    } finally {
      if (!done) {
        opened.close();
      }
    }
  }

  DatabaseDirectory directory() {
    return directory;
  }

  HostSettings settings() {
    return settings;
  }

  /** The stores, by the numbers of their shards. */
  List<StorageEngine> all() {
    return stores;
  }

  /** Bytes of all files of all stores. */
  long bytesOnDisk() {
    return stores.stream().mapToLong(store -> store.statistics().bytesOnDisk()).sum();
  }

  @Override
  public void close() {
    stores.forEach(StorageEngine::close);
  }
}
