package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Clients that know nothing of each other write with names that are new to some of them. Whoever is
 * told to run a transaction again, and does so while nobody else writes, comes through.
 */
final class SeveralClientsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.rounds", 30);
  private static final int CLIENTS = 3;
  private static final int SHARDS = 2;
  private static final int STEPS = 60;
  private static final int NAMES = 25;

  @Test
  void aTransactionThatIsRunAgainAloneComesThrough() {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      refused += write(first + round);
    }
    assertThat(refused).as("refused, from -Dgraphmeta.seed=%d on", first).isPositive();
  }

  /** What a transaction is to add. */
  private record Wanted(int client, String label, Map<String, Object> properties) {}

  private static int write(long seed) {
    Random random = new Random(seed);
    List<HostedShard> shards = new ArrayList<>();
    GraphMetaConfig config = GraphMetaConfig.inMemory().with(Setting.SHARDS, SHARDS);
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(HostedShard.inMemory(shard, config, InstantSource.system()));
    }
    int refused = 0;
    try (Transport transport = new LocalTransport(shards, LocalTransport.Options.DEFAULT)) {
      shards.forEach(shard -> shard.join(transport));
      List<Transactions> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        clients.add(client(config, transport, seed + client));
      }
      List<Wanted> committed = new ArrayList<>();
      Map<GraphTransaction, Wanted> begun = new HashMap<>();
      for (int step = 0; step < STEPS; step++) {
        Wanted wanted = wanted(random);
        GraphTransaction tx = clients.get(wanted.client).begin();
        add(tx, wanted);
        begun.put(tx, wanted);
        if (random.nextInt(3) == 0) {
          for (Map.Entry<GraphTransaction, Wanted> each : begun.entrySet()) {
            refused += commit(each.getKey(), each.getValue(), clients, seed);
            committed.add(each.getValue());
          }
          begun.clear();
        }
      }
      begun.keySet().forEach(GraphTransaction::close);
      for (Transactions client : clients) {
        assertThat(all(client))
            .as("-Dgraphmeta.seed=%d", seed)
            .containsExactlyInAnyOrderElementsOf(
                committed.stream()
                    .map(each -> each.label + new TreeMap<>(each.properties))
                    .toList());
      }
    } finally {
      shards.forEach(HostedShard::leave);
      shards.forEach(HostedShard::close);
    }
    return refused;
  }

  private static Transactions client(GraphMetaConfig config, Transport transport, long number) {
    Router router =
        new Router(
            transport,
            VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), SHARDS),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(InstantSource.system(), 0, 500_000),
            10_000,
            number);
    return new Transactions(
        router, new TransactionLimits(1 << 28, 1 << 20, 1024, 1 << 20, 128, 1024));
  }

  private static Wanted wanted(Random random) {
    Map<String, Object> properties = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      properties.put("key" + random.nextInt(NAMES), random.nextInt());
    }
    return new Wanted(
        random.nextInt(CLIENTS), "label" + random.nextInt(NAMES), Map.copyOf(properties));
  }

  private static void add(GraphTransaction tx, Wanted wanted) {
    long vertex = tx.addVertex(null, wanted.label, Map.of(), Stamp.AT_COMMIT);
    wanted.properties.forEach(
        (key, value) ->
            tx.setVertexProperty(
                vertex, key, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT));
  }

  /** Commits, or does so again; how often it was refused. */
  private static int commit(
      GraphTransaction first, Wanted wanted, List<Transactions> clients, long seed) {
    try (first) {
      first.commit();
      return 0;
    } catch (GraphMetaException e) {
      assertThat(e.code()).as("-Dgraphmeta.seed=%d", seed).isEqualTo(ErrorCode.CONFLICT);
    }
    try (GraphTransaction again = clients.get(wanted.client).begin()) {
      add(again, wanted);
      again.commit();
      return 1;
    } catch (GraphMetaException e) {
      throw new AssertionError("Run again alone, -Dgraphmeta.seed=" + seed, e);
    }
  }

  private static List<String> all(Transactions client) {
    List<String> found = new ArrayList<>();
    try (GraphTransaction tx = client.begin();
        ElementCursor<VertexRecord> vertices = tx.scanVertices(Set.of(), tx.snapshot())) {
      for (VertexRecord next = vertices.next(); next != null; next = vertices.next()) {
        Map<String, Object> properties = new HashMap<>();
        next.properties().forEach(property -> properties.put(property.key(), property.value()));
        found.add(next.label() + new TreeMap<>(properties));
      }
    }
    return found;
  }
}
