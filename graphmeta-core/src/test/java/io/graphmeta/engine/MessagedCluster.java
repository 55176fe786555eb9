package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.CheckpointKeeper;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * The client of a cluster, of which all shards are in this process and reached by messages as
 * bytes. What is asked of files is lost now and then, or meets a checkpoint that is not kept any
 * more.
 */
final class MessagedCluster implements ClusterConnector.Connection {
  private final GraphMetaConfig config;
  private final HostedShards shards;
  private final CheckpointKeeper keeper;
  private final Transport transport;
  private final Random random;

  private MessagedCluster(GraphMetaConfig config, long seed) {
    this.config = config;
    this.random = new Random(seed);
    this.shards = HostedShards.open(config, InstantSource.system());
    this.keeper = shards.keepCheckpoints();
    Transport messages =
        new LocalTransport(
            shards.all().stream()
                .map(shard -> keeper.before(shard.number(), shard, shard))
                .toList(),
            new LocalTransport.Options(1, 1000, true));
    this.transport = new Lossy(messages);
    if (config.integer(Setting.SHARDS) == 1) {
      shards.all().get(0).begin();
    } else {
      shards.all().forEach(shard -> shard.join(messages));
    }
  }

  static GraphDatabase open(GraphMetaConfig config, long seed) {
    MessagedCluster cluster = new MessagedCluster(config, seed);
    return new ClusterDatabase(
        cluster, new CountingTransport(cluster.transport()), InstantSource.system());
  }

  private final class Lossy implements Transport {
    private final Transport messages;

    Lossy(Transport messages) {
      this.messages = messages;
    }

    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      int fate = 0;
      if (call.request() instanceof Request.ReadFile) {
        synchronized (random) {
          fate = random.nextInt(40);
        }
      }
      if (fate == 1 && call.request() instanceof Request.ReadFile read) {
        Request drop = new Request.KeepCheckpoint(read.checkpoint(), 0);
        return messages
            .send(shard, new Call(call.epoch(), call.timeoutMillis(), drop))
            .thenCompose(done -> messages.send(shard, call));
      }
      return fate == 2
          ? CompletableFuture.failedFuture(
              new GraphMetaException(ErrorCode.UNREACHABLE, "The connection broke"))
          : messages.send(shard, call);
    }

    @Override
    public void close() {
      shards.all().forEach(HostedShard::leave); // as long as they can ask each other
      messages.close();
    }
  }

  @Override
  public String identity() {
    return "cluster";
  }

  @Override
  public GraphMetaConfig config() {
    return config;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public List<PeerStatus> peers() {
    return List.of();
  }

  @Override
  public void close() {
    keeper.close();
    shards.close();
  }
}
