package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReadOnlyLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.shard.Shard;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbReader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens the shards of a database that another process may write, to read it as it is at the
 * greatest stamp at which all stores tell all. Belongs to one thread.
 */
final class ReadOnlyShards {
  /** How often stores are opened that tell nothing yet, since their writer has only just begun. */
  private static final int ATTEMPTS = 10;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final List<Path> directories;
  private final HostSettings settings;
  private final List<StorageEngine> stores = new ArrayList<>();

  private ReadOnlyShards(List<Path> directories, HostSettings settings) {
    this.directories = directories;
    this.settings = settings;
  }

  /**
   * The shards over some stores.
   *
   * @param directories of the stores of all shards, in their order
   * @throws GraphMetaException {@code NOT_A_DATABASE} if there is none
   */
  static List<HostedShard> open(
      List<Path> directories, GraphMetaConfig config, InstantSource clock) {
    ReadOnlyShards opening =
        new ReadOnlyShards(directories, new HostSettings(config, Hosting.whole(config)));
    boolean done = false;
    try {
      List<HostedShard> hosted = opening.hosted(opening.openStores(), clock);
      done = true;
      return hosted;
    } finally {
      if (!done) {
        opening.closeStores();
      }
    }
  }

  /** Opens the stores, and tells their common stamp. */
  private long openStores() {
    boolean alone = directories.size() == 1;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      // A store that never tells anything may be of an earlier build: alone it is whole.
      boolean isEarlier = alone && attempt == ATTEMPTS;
      long stamp = Long.MAX_VALUE;
      for (Path directory : directories) {
        StorageEngine store = RocksDbReader.open(directory, settings.store(false));
        stores.add(store);
        stamp = Math.min(stamp, Shard.settledStamp(store, isEarlier));
      }
      if (stamp > 0) {
        return stamp;
      }
      closeStores();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new GraphMetaException(
        ErrorCode.NOT_A_DATABASE,
        directories.get(0).getParent()
            + " does not tell up to where it can be read; open and close it once to write, with"
            + " this version");
  }

  private void closeStores() {
    stores.forEach(StorageEngine::close);
    stores.clear();
  }

  private List<HostedShard> hosted(long stamp, InstantSource clock) {
    List<HostedShard> hosted = new ArrayList<>();
    for (StorageEngine store : stores) {
      int number = hosted.size();
      ReplicationLog log = new ReadOnlyLog();
      Shard shard = new Shard(number, store, log, clock, settings.shard(false));
      ReadOnlyRequests reads = new ReadOnlyRequests(shard, stamp);
      hosted.add(
          HostedShard.readOnly(
              number,
              store,
              log,
              shard,
              reads,
              IndexFiles.beside(directories.get(number)),
              settings,
              clock));
    }
    return hosted;
  }
}
