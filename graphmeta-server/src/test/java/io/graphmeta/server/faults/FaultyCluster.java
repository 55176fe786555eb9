package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.LeaderMoves;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.RunningCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A cluster of real processes, each behind a proxy by which all others reach it: ZooKeeper and
 * nodes. What stops giving signs of life is given up after a second and a half, and ZooKeeper ends
 * sessions after two, so that faults of some seconds show what longer ones do.
 */
final class FaultyCluster implements AutoCloseable {
  static final int NODES = 3;
  static final int SHARDS = 8;
  static final long BEGIN_MILLIS = 5_000;
  static final long REQUEST_MILLIS = 10_000;
  private static final long EVEN_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long EVEN_LOOK_MILLIS = 200;
  private static final int ENDS = 4;
  private static final List<String> SETTINGS =
      List.of(
          "node.heartbeat-millis=300",
          "node.silence-timeout-millis=1500",
          "node.handshake-timeout-millis=1500",
          "node.max-reconnect-millis=500",
          "node.begin-timeout-millis=" + BEGIN_MILLIS,
          "graphmeta.zookeeper.session-timeout-millis=2000");

  /** Vertices with some edges are split all the time. */
  private static final String SPLIT_OFTEN = "graphmeta.split-threshold=16";

  /** Of ZooKeeper, and then of nodes by their numbers, each followed by that of its replicas. */
  private final List<FaultyProxy> proxies = new ArrayList<>();

  private final AtomicInteger starting = new AtomicInteger();
  private final Path directory;
  private final RunningCluster cluster;
  private final Path settings;
  private final LocalCluster.Shape shape;

  /**
   * Starts one.
   *
   * @param seed of what the proxies draw
   * @param ofNodes more settings of nodes, as {@code NAME=VALUE}
   */
  FaultyCluster(Path directory, long seed, String... ofNodes) {
    this(directory, seed, new LocalCluster.Shape(NODES, SHARDS, 1), ofNodes);
  }

  /** As above, of another shape. */
  FaultyCluster(Path directory, long seed, LocalCluster.Shape shape, String... ofNodes) {
    this.directory = directory;
    this.shape = shape;
    List<String> all = new ArrayList<>(SETTINGS);
    all.add(SPLIT_OFTEN);
    all.addAll(List.of(ofNodes));
    try {
      settings = Files.write(directory.resolve("client.properties"), SETTINGS);
      cluster =
          new RunningCluster(
              directory,
              shape,
              all,
              address -> {
                int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
                FaultyProxy proxy = new FaultyProxy(port, seed + proxies.size());
                proxies.add(proxy);
                return "127.0.0.1:" + proxy.port();
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      proxies.forEach(FaultyProxy::close);
      throw e;
    }
  }

  GraphMetaConfig config() {
    return cluster
        .config()
        .with(Setting.CLUSTER_SETTINGS, settings)
        .with(Setting.REQUEST_TIMEOUT_MILLIS, REQUEST_MILLIS);
  }

  /** Gremlin Servers, which go by the same ways as all others. */
  GremlinServers servers(int count) {
    return new GremlinServers(directory, config(), count);
  }

  void kill(int node) {
    cluster.kill(node);
  }

  /** Stops a node with SIGTERM, and waits until it has ended. */
  void stop(int node) {
    cluster.processes().node(node).close();
  }

  void restart(int node, String... settings) {
    starting.incrementAndGet();
    try {
      cluster.processes().restart(node, settings);
    } finally {
      starting.decrementAndGet();
    }
  }

  /** Whether a node is about to start. */
  boolean isStarting() {
    return starting.get() > 0;
  }

  /** Stops or continues a node as a machine does that swaps, or is suspended. */
  void signal(int node, String signal) {
    cluster.signal(node, signal);
  }

  void stopZookeeper() {
    cluster.processes().zookeeperProcess().stop();
  }

  void startZookeeper() {
    cluster.processes().zookeeperProcess().start();
  }

  /** The way to ZooKeeper. */
  FaultyProxy zookeeperLink() {
    return proxies.get(0);
  }

  /** The way to a node, by its number from 1. */
  FaultyProxy link(int node) {
    return proxies.get(shape.replicas() == 1 ? node : 2 * node - 1);
  }

  /** The way to the replicas of a node, by its number from 1. */
  FaultyProxy replicaLink(int node) {
    return proxies.get(2 * node);
  }

  /**
   * What is wrong with the ways between two nodes, of shards and of replicas, while all others
   * reach both and both reach all others.
   */
  void between(int one, int other, LinkFault fault) {
    setFor(one, Map.of(process(other), fault));
    setFor(other, Map.of(process(one), fault));
  }

  /** Nothing is wrong any more between these two. */
  void endBetween(int one, int other) {
    setFor(one, Map.of());
    setFor(other, Map.of());
  }

  private void setFor(int node, Map<Long, LinkFault> callers) {
    link(node).setFor(callers);
    replicaLink(node).setFor(callers);
  }

  private long process(int node) {
    return cluster.processes().node(node).handle().pid();
  }

  /** Whether each shard is on several nodes. */
  boolean isReplicated() {
    return shape.replicas() > 1;
  }

  int shards() {
    return shape.shards();
  }

  int nodes() {
    return shape.nodes();
  }

  /** Says where replicas are to be. */
  ReplicaMoves moves() {
    return new ReplicaMoves(cluster.settings(), LocalCluster.NAME);
  }

  /** Has a node lead a shard, when it has caught up. */
  void lead(int shard, String node) throws InterruptedException {
    LeaderMoves moves = new LeaderMoves(cluster.settings(), LocalCluster.NAME);
    long end = System.nanoTime() + EVEN_NANOS;
    while (true) {
      String problem = new Errors().persist(() -> moves.move(shard, node)).problem();
      if (problem.isEmpty()) {
        return;
      }
      assertThat(System.nanoTime())
          .as("%s leads shard %d: %s", node, shard, problem)
          .isLessThan(end);
      Thread.sleep(EVEN_LOOK_MILLIS);
    }
  }

  /** How the cluster is doing. */
  ClusterStatus status() {
    return cluster.status();
  }

  /**
   * Ends all nodes, and fails unless the replicas of each shard have the same rows. No client may
   * be at work; but a shard has work of its own, and nodes do not end at one moment: where no two
   * replicas of a shard have come to the same entry, the nodes begin again, and end again.
   */
  void assertReplicasAgree() throws InterruptedException {
    splitAll();
    for (int attempt = 0; !doReplicasAgree(); attempt++) {
      assertThat(attempt).as("attempts to end nodes at one entry").isLessThan(ENDS);
      for (int node = 1; node <= nodes(); node++) {
        restart(node);
      }
    }
  }

  /** False if there were not two replicas of each shard to be compared. */
  private boolean doReplicasAgree() throws InterruptedException {
    awaitEven();
    List<List<String>> replicas = cluster.view().placement().replicas();
    CompletableFuture.allOf(
            IntStream.rangeClosed(1, nodes())
                .mapToObj(node -> CompletableFuture.runAsync(() -> stop(node)))
                .toArray(CompletableFuture<?>[]::new))
        .join();
    long rows = 0;
    List<Integer> compared = new ArrayList<>();
    for (int shard = 0; shard < replicas.size(); shard++) {
      List<ReplicaRows> stores = new ArrayList<>();
      for (String node : replicas.get(shard)) {
        Path store = directory.resolve(node).resolve("shards").resolve("shard-" + shard);
        stores.add(ReplicaRows.of("shard " + shard + " of " + node, store));
      }
      compared.add(ReplicaRows.assertAgree(stores));
      rows += stores.get(0).count();
    }
    System.out.println(rows + " rows, the same in so many replicas of each shard: " + compared);
    return compared.stream().allMatch(replicasOfShard -> replicasOfShard > 1);
  }

  /** Splits what is to be split, so that the shards have nothing left to write. */
  private void splitAll() {
    try (GraphDatabase database = new Errors().persist(() -> GraphDatabases.open(config()))) {
      while (new Errors().persist(database::splitNow) > 0) {
        // The halves of what was split may have to be, too.
      }
    }
  }

  /** Waits until each replica has applied all that the others have. */
  private void awaitEven() throws InterruptedException {
    long end = System.nanoTime() + EVEN_NANOS;
    while (true) {
      List<List<Long>> behind =
          new Errors()
              .persist(this::status).shards().stream().map(shard -> shard.behind()).toList();
      if (behind.stream().allMatch(shard -> shard.stream().allMatch(entries -> entries == 0))) {
        return;
      }
      assertThat(System.nanoTime()).as("replicas that are behind: %s", behind).isLessThan(end);
      Thread.sleep(EVEN_LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    // Processes take their leave of ZooKeeper by their proxies.
    cluster.close();
    proxies.forEach(FaultyProxy::close);
  }
}
