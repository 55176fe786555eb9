package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.rocksdb.LogCuts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a process hosts, opened and closed together, since a loss of power takes them
 * together. Belongs to one thread; where they are replicas, one may be added or removed by another
 * at a time, and any may look which there are.
 */
public final class HostedShards implements AutoCloseable {
  private final List<HostedShard> hosted = new CopyOnWriteArrayList<>();
  private final AtomicLong newest = new AtomicLong();
  private final InstantSource clock;
  private @Nullable LogCuts cuts;
  private @Nullable DatabaseDirectory directory;
  private @Nullable CompactionThread compacting;

  /** Null unless they are replicas. */
  private @Nullable HostSettings ofReplicas;

  private HostedShards(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Opens the shards that a configuration names: in memory, in its directory, or only to read what
   * is there.
   */
  public static HostedShards open(GraphMetaConfig config, InstantSource clock) {
    HostedShards opened = new HostedShards(clock);
    try {
      if (config.isReadOnly()) {
        List<Path> stores = DatabaseDirectory.openToRead(config).shards();
        opened.hosted.addAll(ReadOnlyShards.open(stores, config, clock));
      } else if (config.isPersistent()) {
        opened.openStores(Hosting.whole(config), config);
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
    HostedShards opened = new HostedShards(clock);
    try {
      opened.openStores(hosting, config);
      return opened;
    } catch (RuntimeException e) {
      opened.closeAll();
      throw e;
    }
  }

  private void openStores(Hosting hosting, GraphMetaConfig config) {
    DatabaseDirectory opened = DatabaseDirectory.open(config, hosting);
    HostSettings settings = new HostSettings(config, hosting);
    LogCuts together = opened.cuts();
    cuts = together;
    directory = opened;
    for (int shard : opened.numbers()) {
      boolean create = opened.isCreating();
      hosted.add(
          hosting.replicated()
              ? HostedShard.replica(shard, opened.place(shard), create, settings, clock)
              : HostedShard.open(shard, opened.shard(shard), create, settings, clock, together));
    }
    ofReplicas = hosting.replicated() ? settings : null;
    shareNewest();
    Checkpoints.removeLeft(opened.path()); // the stores are nobody else's
    opened.ready();
    if (together != null) {
      together.begin();
    }
    compacting = new CompactionThread(hosted);
  }

  private void shareNewest() {
    hosted.forEach(shard -> shard.shareNewest(newest));
  }

  /** The shards, by their numbers. Not to be changed. */
  public List<HostedShard> all() {
    return hosted;
  }

  /**
   * Makes a replica of a shard with an empty store, which has not joined. One that is there stays
   * as it is.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if it cannot be made
   */
  public HostedShard add(int shard) {
    for (HostedShard each : hosted) {
      if (each.number() == shard) {
        return each;
      }
    }
    HostSettings settings = requireReplicas();
    StorePlace place = requireDirectory().place(shard);
    HostedShard.makeStore(place, settings);
    HostedShard added = HostedShard.replica(shard, place, false, settings, clock);
    added.shareNewest(newest);
    int at = 0;
    while (at < hosted.size() && hosted.get(at).number() < shard) {
      at++;
    }
    hosted.add(at, added);
    return added;
  }

  /**
   * Closes a replica of a shard and removes its store; nothing if there is none.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if it cannot be removed
   */
  public void remove(int shard) {
    requireReplicas();
    for (HostedShard each : hosted) {
      if (each.number() == shard) {
        hosted.remove(each);
        each.close();
        each.removeStore();
      }
    }
  }

  /** Closes a replica of a shard, whose store stays where it is; nothing if there is none. */
  public void release(int shard) {
    requireReplicas();
    for (HostedShard each : hosted) {
      if (each.number() == shard) {
        hosted.remove(each);
        each.close();
      }
    }
  }

  /**
   * Moves the store of a replica out of a database that may be open, but has not this store open;
   * nothing if there is none.
   *
   * @param database the directory of the database
   * @param to where it is to lie, which is not there
   * @throws GraphMetaException {@code STORAGE_FAILURE}
   */
  public static void setAside(Path database, int shard, Path to) {
    StorePlace.moveFrom(DatabaseDirectory.shard(database, shard), to);
  }

  /** Whether a database, which may be open, has the store of a shard. */
  public static boolean isThere(Path database, int shard) {
    return Files.isDirectory(DatabaseDirectory.shard(database, shard));
  }

  private HostSettings requireReplicas() {
    HostSettings settings = ofReplicas;
    if (settings == null) {
      throw GraphMetaException.internal("These shards have one copy each, and stay");
    }
    return settings;
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
    List<Runnable> steps = new ArrayList<>();
    CompactionThread compactions = compacting;
    if (compactions != null) {
      steps.add(compactions::leave);
    }
    AtomicLong top = new AtomicLong();
    hosted.forEach(shard -> steps.add(shard::leave)); // none goes further ahead of the others
    hosted.forEach(shard -> steps.add(() -> top.accumulateAndGet(shard.topStamp(), Math::max)));
    hosted.forEach(shard -> steps.add(() -> shard.endWrites(top.get())));
    LogCuts together = cuts;
    if (together != null) {
      steps.add(together::close);
    }
    hosted.forEach(shard -> steps.add(shard::close));
    if (compactions != null) {
      steps.add(compactions::end); // what it was at ends with the store
    }
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
