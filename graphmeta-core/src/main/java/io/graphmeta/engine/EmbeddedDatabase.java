package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import java.time.InstantSource;
import java.util.List;

/** A database whose shards are hosted by this process. Safe for use by many threads. */
final class EmbeddedDatabase extends RoutedDatabase {
  private final HostedShards shards;
  private final List<HostedShard> hosted;
  private final CountingTransport transport;

  private EmbeddedDatabase(
      GraphMetaConfig config,
      HostedShards shards,
      CountingTransport transport,
      InstantSource clock) {
    super(config, transport, clock);
    this.shards = shards;
    this.hosted = shards.all();
    this.transport = transport;
  }

  /** As {@link GraphDatabases#open(GraphMetaConfig, InstantSource)}. */
  static EmbeddedDatabase open(GraphMetaConfig config, InstantSource clock) {
    HostedShards shards = HostedShards.open(config, clock);
    try {
      return open(config, shards, clock);
    } catch (RuntimeException e) {
      try {
        shards.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static EmbeddedDatabase open(
      GraphMetaConfig config, HostedShards shards, InstantSource clock) {
    List<HostedShard> hosted = shards.all();
    CountingTransport transport =
        new CountingTransport(new LocalTransport(hosted, transportOptions(config)));
    try {
      if (hosted.size() == 1) {
        hosted.get(0).begin();
      } else {
        hosted.forEach(shard -> shard.join(transport));
        if (!config.isReadOnly()) {
          new IntentRecovery(hosted, config.number(Setting.REQUEST_TIMEOUT_MILLIS)).run();
        }
      }
      return new EmbeddedDatabase(config, shards, transport, clock);
    } catch (RuntimeException e) {
      hosted.forEach(HostedShard::leave);
      transport.close();
      throw e;
    }
  }

  private static LocalTransport.Options transportOptions(GraphMetaConfig config) {
    return new LocalTransport.Options(
        (int) config.number(Setting.SHARD_THREADS),
        (int) config.number(Setting.SHARD_QUEUE),
        config.get(Setting.ENCODE_MESSAGES).equals("true"));
  }

  @Override
  public List<PeerStatus> peers() {
    return List.of();
  }

  @Override
  public int splitNow() {
    requireOpen();
    int all = 0;
    int splits = 1;
    while (splits > 0) {
      splits = hosted.stream().mapToInt(HostedShard::splitNow).sum();
      all += splits;
    }
    return all;
  }

  @Override
  public void clear() {
    requireOpen();
    hosted.forEach(HostedShard::pauseSplitting); // a split between two shards would leave rows
    try {
      clearShards();
    } finally {
      hosted.forEach(HostedShard::goOnSplitting);
    }
  }

  @Override
  void closeParts() {
    hosted.forEach(HostedShard::leave);
    transport.close();
    shards.close();
  }
}
