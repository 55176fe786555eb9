package io.graphmeta.server.faults;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.RunningCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
  private static final List<String> SETTINGS =
      List.of(
          "node.heartbeat-millis=300",
          "node.silence-timeout-millis=1500",
          "node.handshake-timeout-millis=1500",
          "node.max-reconnect-millis=500",
          "node.begin-timeout-millis=" + BEGIN_MILLIS,
          "graphmeta.zookeeper.session-timeout-millis=2000");

  /** Of ZooKeeper, and then of nodes by their numbers, each followed by that of its replicas. */
  private final List<FaultyProxy> proxies = new ArrayList<>();

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
    this.shape = shape;
    List<String> all = new ArrayList<>(SETTINGS);
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

  void kill(int node) {
    cluster.kill(node);
  }

  /** Stops a node with SIGTERM, and waits until it has ended. */
  void stop(int node) {
    cluster.processes().node(node).close();
  }

  void restart(int node, String... settings) {
    cluster.processes().restart(node, settings);
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

  /** How the cluster is doing. */
  ClusterStatus status() {
    return cluster.status();
  }

  @Override
  public void close() {
    // Processes take their leave of ZooKeeper by their proxies.
    cluster.close();
    proxies.forEach(FaultyProxy::close);
  }
}
