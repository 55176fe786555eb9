package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.model.Direction;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How many frames the operations of a client send, over nodes of several shards each: the number of
 * nodes bounds them, not that of the shards.
 */
@Timeout(60)
final class FramesOfOperationsTest {
  private static final int SHARDS = 8;
  private static final int NODES = 2;
  private static final int VERTICES = 64;
  private static final int ROUNDS = 20;
  private static final NodeSettings SETTINGS = TestCluster.SETTINGS;

  private final InstantSource clock = InstantSource.system();
  private final NetThreads threads = new NetThreads(SETTINGS);
  private final List<HostedShard> shards = new ArrayList<>();
  private final List<NodeListener> listeners = new ArrayList<>();
  private final List<NetTransport> betweenNodes = new ArrayList<>();
  private final List<NodeAddress> nodeOfShard = new ArrayList<>();
  private final long[] vertices = new long[VERTICES];
  private NetTransport client;
  private Router router;
  private Transactions transactions;

  @BeforeEach
  void open() {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, SHARDS)
            .with(Setting.SPLIT_THRESHOLD, 1 << 24);
    List<ShardQueues> queues = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(HostedShard.inMemory(shard, config, clock));
    }
    for (int node = 0; node < NODES; node++) {
      Map<Integer, RequestHandler> hosted = new HashMap<>();
      for (int shard = node; shard < SHARDS; shard += NODES) {
        hosted.put(shard, shards.get(shard));
      }
      queues.add(new ShardQueues("n" + node, hosted, SETTINGS));
      listeners.add(
          NodeListener.open(
              TestCluster.identity("n" + node), queues.get(node), SETTINGS, threads, clock));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      int node = shard % NODES;
      int port = listeners.get(node).address().getPort();
      nodeOfShard.add(new NodeAddress("n" + node, "localhost", port));
    }
    for (int node = 0; node < NODES; node++) {
      betweenNodes.add(transport("n" + node));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      int node = shard % NODES;
      shards
          .get(shard)
          .join(new NodeTransport("n" + node, queues.get(node), betweenNodes.get(node)));
    }
    client = transport("client");
    router =
        new Router(
            client,
            VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), SHARDS),
            Placements.DIDO,
            new HybridClock(clock, 0, 250_000),
            30_000,
            4711);
    transactions =
        new Transactions(
            router, new TransactionLimits(1 << 24, 1 << 16, 1 << 10, 1 << 16, 1 << 24, 1 << 10));
    fill();
  }

  private NetTransport transport(String name) {
    return new NetTransport(TestCluster.identity(name), nodeOfShard, SETTINGS, threads, clock);
  }

  /** A graph whose names are defined and whose numbers are leased: each vertex has two edges. */
  private void fill() {
    try (GraphTransaction tx = transactions.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        vertices[i] = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    try (GraphTransaction tx = transactions.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        addEdge(tx, i, (7 * i + 1) % VERTICES);
        addEdge(tx, i, (11 * i + 5) % VERTICES);
      }
      tx.commit();
    }
  }

  private void addEdge(GraphTransaction tx, int from, int to) {
    tx.addEdge(null, vertices[from], "to", vertices[to], Map.of(), Stamp.AT_COMMIT);
  }

  @AfterEach
  void close() {
    client.close();
    betweenNodes.forEach(NetTransport::close);
    listeners.forEach(NodeListener::close);
    shards.forEach(HostedShard::close);
    threads.close();
  }

  private interface Operation {
    void once(int round);
  }

  /** Frames that the client sends for each of several operations, on average. */
  private double frames(Operation operation) {
    operation.once(0); // connects
    long before = client.traffic().envelopesSent();
    for (int round = 1; round <= ROUNDS; round++) {
      operation.once(round);
    }
    return (double) (client.traffic().envelopesSent() - before) / ROUNDS;
  }

  @Test
  void aBeginIsAFrameForEachNode() {
    assertThat(frames(round -> transactions.begin().close())).isEqualTo(NODES);
  }

  @Test
  void aReadOfManyVerticesIsAFrameForEachNode() {
    double frames =
        frames(
            round -> {
              try (GraphTransaction tx = transactions.begin()) {
                assertThat(tx.vertices(vertices, tx.snapshot())).doesNotContainNull();
              }
            });
    assertThat(frames).as("begin and read").isEqualTo(2 * NODES);
  }

  /** Begin, ends of edges, parts, outcomes; the last are not waited for, and can come together. */
  @Test
  void aCommitOverAllShardsIsAFrameForEachNodeAndStep() {
    double frames =
        frames(
            round -> {
              try (GraphTransaction tx = transactions.begin()) {
                for (int i = 0; i < VERTICES; i++) {
                  addEdge(tx, i, (i + round) % VERTICES);
                }
                tx.commit();
              }
            });
    assertThat(frames).isBetween(3.0 * NODES, 4.0 * NODES);
  }

  /** A commit on one shard asks nobody else but for the begin. */
  @Test
  void aCommitOnOneShardIsAFrame() {
    long one = vertices[0];
    int home = home(one);
    long other = 0;
    for (long vertex : vertices) {
      other = vertex != one && home(vertex) == home ? vertex : other;
    }
    long to = other;
    double frames =
        frames(
            round -> {
              try (GraphTransaction tx = transactions.begin()) {
                tx.addEdge(null, one, "to", to, Map.of(), Stamp.AT_COMMIT);
                tx.commit();
              }
            });
    assertThat(frames).as("begin, ends, commit").isEqualTo(NODES + 2);
  }

  private int home(long vertex) {
    return VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, 1024, SHARDS)
        .shard(VertexKeys.virtualNode(vertex));
  }

  /**
   * A level is run once more where elements came to a shard that had answered. What shards send
   * each other within a level is sent by their threads, and counted by itself.
   */
  @Test
  void aLevelIsAFrameForEachNodeOrTwo() {
    double two = frames(round -> assertThat(reached(round, 2)).isPositive());
    long between = framesBetweenNodes();
    double six = frames(round -> assertThat(reached(round, 6)).isPositive());
    assertThat(six - two).as("four more levels").isLessThanOrEqualTo(2 * 4.0 * NODES);
    double perLevel = (double) (framesBetweenNodes() - between) / (ROUNDS + 1) / 6;
    assertThat(perLevel)
        .as("frames between nodes in a level")
        .isLessThanOrEqualTo(2.0 * SHARDS * (SHARDS - 1) / NODES);
  }

  private long framesBetweenNodes() {
    return betweenNodes.stream().mapToLong(each -> each.traffic().envelopesSent()).sum();
  }

  private long reached(int start, int steps) {
    List<PlanStep> plan = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      plan.add(new PlanStep.Expand(Direction.OUT, List.of(), false));
      plan.add(new PlanStep.Dedup());
    }
    try (GraphTransaction tx = transactions.begin();
        PlanCursor run =
            tx.run(
                new Plan(
                    new PlanSource.Given(ElementKind.VERTEX),
                    plan,
                    ResultRange.ALL,
                    new PlanResult.Count()),
                Seeds.vertices(vertices[start]),
                tx.snapshot(),
                Engine.SYNC)) {
      return run.next() ? run.bulk() : 0;
    }
  }
}
