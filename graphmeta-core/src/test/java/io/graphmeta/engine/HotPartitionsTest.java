package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.Transport;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A partition that is too large is split at last, at whatever moment its shard is asked what has
 * grown: here between any two messages of anyone.
 */
final class HotPartitionsTest {
  private static final int SHARDS = 8;
  private static final int THRESHOLD = 4;
  private static final int EDGES = 300;

  /** Asks each shard what has grown before each request. */
  private record AskingBetween(Transport transport) implements Transport {
    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      Call hot = new Call(call.epoch(), call.timeoutMillis(), new Request.ReadHot(64));
      return transport.send(shard, hot).thenCompose(answer -> transport.send(shard, call));
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dido", "giga"})
  void partitionsThatAreTooLargeAreSplit(String placement) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, SHARDS)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SPLIT_THRESHOLD, THRESHOLD);
    HostedShards shards = HostedShards.open(config, InstantSource.system());
    List<HostedShard> hosted = shards.all();
    Transport transport =
        new AskingBetween(new LocalTransport(hosted, new LocalTransport.Options(1, 10_000, false)));
    hosted.forEach(shard -> shard.join(transport));
    try (RoutedDatabase database = database(config, shards, transport)) {
      List<Long> leaves = new ArrayList<>();
      long hub;
      try (GraphTransaction tx = database.begin()) {
        hub = tx.addVertex("hub", "directory", Map.of(), Stamp.AT_COMMIT);
        for (int i = 0; i < EDGES; i++) {
          leaves.add(tx.addVertex("leaf" + i, "file", Map.of(), Stamp.AT_COMMIT));
        }
        tx.commit();
      }
      hosted.forEach(HostedShard::pauseSplitting); // more edges would have it looked at again
      for (long leaf : leaves) {
        try (GraphTransaction tx = database.begin()) {
          tx.addEdge(null, hub, "contains", leaf, Map.of(), Stamp.AT_COMMIT);
          tx.commit();
        }
      }
      hosted.forEach(HostedShard::goOnSplitting);
      int splits = 1;
      while (splits > 0) {
        splits = database.splitNow();
      }
      assertThat(database.placement(hub).out()).hasSize(SHARDS);
    }
  }

  private static RoutedDatabase database(
      GraphMetaConfig config, HostedShards shards, Transport transport) {
    return new RoutedDatabase(config, new CountingTransport(transport), InstantSource.system()) {
      @Override
      public List<PeerStatus> peers() {
        return List.of();
      }

      @Override
      public int splitNow() {
        return shards.all().stream().mapToInt(HostedShard::splitNow).sum();
      }

      @Override
      public BackupSummary backup(Path target, long bytesPerSecond, LongConsumer progress) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void clear() {
        throw new UnsupportedOperationException();
      }

      @Override
      BackedUpDatabase databaseAt(long stamp) {
        throw new UnsupportedOperationException();
      }

      @Override
      void closeParts() {
        shards.all().forEach(HostedShard::leave);
        transport.close();
        shards.close();
      }
    };
  }
}
