package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.storage.rocksdb.LogCuts;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All shards of a database in this process, opened and closed together, since a loss of power takes
 * them together. Belongs to one thread.
 */
public final class HostedShards implements AutoCloseable {
  private final List<HostedShard> nodes = new ArrayList<>();
  private @Nullable LogCuts cuts;

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
        opened.nodes.addAll(ReadOnlyShards.open(stores, config, clock));
      } else if (config.isPersistent()) {
        opened.openStores(DatabaseDirectory.open(config), config, clock);
      } else {
        for (int shard = 0; shard < config.number(Setting.SHARDS); shard++) {
          opened.nodes.add(HostedShard.inMemory(shard, config, clock));
        }
      }
      return opened;
    } catch (RuntimeException e) {
      opened.closeAll();
      throw e;
    }
  }

  private void openStores(
      DatabaseDirectory directory, GraphMetaConfig config, InstantSource clock) {
    LogCuts together = directory.cuts();
    cuts = together;
    for (int shard = 0; shard < config.number(Setting.SHARDS); shard++) {
      nodes.add(
          HostedShard.open(
              shard, directory.shard(shard), directory.isCreating(), config, clock, together));
    }
    directory.ready();
    if (together != null) {
      together.begin();
    }
  }

  /** The shards, by their numbers. Not to be changed. */
  public List<HostedShard> all() {
    return nodes;
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
    long newest = nodes.stream().mapToLong(HostedShard::newestStamp).max().orElse(0);
    List<Runnable> steps = new ArrayList<>();
    nodes.forEach(node -> steps.add(() -> node.endWrites(newest)));
    LogCuts together = cuts;
    if (together != null) {
      steps.add(together::close);
    }
    nodes.forEach(node -> steps.add(node::close));
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
