package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.rocksdb.LogCuts;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a process hosts, opened and closed together, since a loss of power takes them
 * together. Belongs to one thread.
 */
public final class HostedShards implements AutoCloseable {
  private final List<HostedShard> hosted = new ArrayList<>();
  private @Nullable LogCuts cuts;
  private @Nullable DatabaseDirectory directory;

  private HostedShards() {}

  /**
   * Opens the shards that a configuration names: in memory, in its directory, or only to read what
   * is there.
   */
  public static HostedShards open(GraphMetaConfig config, InstantSource clock) {
    HostedShards opened = new HostedShards();
    try {
      if (config.isReadOnly()) {
        List<Path> stores = DatabaseDirectory.openToRead(config).shards();
        opened.hosted.addAll(ReadOnlyShards.open(stores, config, clock));
      } else if (config.isPersistent()) {
        opened.openStores(Hosting.whole(config), config, clock);
      } else {
        for (int shard = 0; shard < config.number(Setting.SHARDS); shard++) {
          opened.hosted.add(HostedShard.inMemory(shard, config, clock));
        }
        opened.shareNewest();
      }
      return opened;
    } catch (RuntimeException e) {
      opened.closeAll();
      throw e;
    }
  }

  /** Opens those that a node hosts, in the directory of a configuration. */
  public static HostedShards open(GraphMetaConfig config, Hosting hosting, InstantSource clock) {
    HostedShards opened = new HostedShards();
    try {
      opened.openStores(hosting, config, clock);
      return opened;
    } catch (RuntimeException e) {
      opened.closeAll();
      throw e;
    }
  }

  private void openStores(Hosting hosting, GraphMetaConfig config, InstantSource clock) {
    DatabaseDirectory opened = DatabaseDirectory.open(config, hosting);
    HostSettings settings = new HostSettings(config, hosting);
    LogCuts together = opened.cuts();
    cuts = together;
    directory = opened;
    for (int shard : hosting.shards()) {
      Path store = opened.shard(shard);
      boolean create = opened.isCreating();
      hosted.add(
          hosting.replicated()
              ? HostedShard.replica(shard, store, create, settings, clock)
              : HostedShard.open(shard, store, create, settings, clock, together));
    }
    shareNewest();
    Checkpoints.removeLeft(opened.path()); // the stores are nobody else's
    opened.ready();
    if (together != null) {
      together.begin();
    }
  }

  private void shareNewest() {
    AtomicLong newest = new AtomicLong();
    hosted.forEach(shard -> shard.shareNewest(newest));
  }

  /** The shards, by their numbers. Not to be changed. */
  public List<HostedShard> all() {
    return hosted;
  }

  /**
   * The directory of the database.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the stores have no files of their own
   */
  public DatabaseDirectory requireDirectory() {
    DatabaseDirectory kept = directory;
    if (kept == null) {
      throw GraphMetaException.invalid(
          "The database is in memory, or was opened to be read; a backup is taken by who has the"
              + " directory of a database open to write");
    }
    return kept;
  }

  /** Begins to take checkpoints of the stores, which keep files. */
  public Checkpoints checkpoints() {
    return new Checkpoints(requireDirectory(), hosted);
  }

  /** Begins to give the files of the stores to other processes; to be closed before this. */
  public CheckpointKeeper keepCheckpoints() {
    return new CheckpointKeeper(
        requireDirectory().path().resolve(Checkpoints.DIRECTORY), System::nanoTime);
  }

  /** Closes all, whatever fails, and throws the last failure. */
  @Override
  public void close() {
    RuntimeException failure = closeAll();
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable RuntimeException closeAll() {
    long newest = hosted.stream().mapToLong(HostedShard::newestStamp).max().orElse(0);
    List<Runnable> steps = new ArrayList<>();
    hosted.forEach(shard -> steps.add(() -> shard.endWrites(newest)));
    LogCuts together = cuts;
    if (together != null) {
      steps.add(together::close);
    }
    hosted.forEach(shard -> steps.add(shard::close));
    RuntimeException failure = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    return failure;
  }
}
