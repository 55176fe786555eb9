package io.graphmeta.server.cli.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.membership.ZooKeeperSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A cluster of processes on this machine, reached by it alone: ZooKeeper and nodes. All of it ends
 * with this process, and begins again over the same directory. Used by one thread.
 */
public final class LocalCluster implements AutoCloseable {
  /** The name of the cluster. */
  public static final String NAME = "local";

  private final Path directory;
  private final List<String> options;
  private final List<String> settings;
  private final ZooKeeperProcess zookeeper;
  private final UnaryOperator<String> reached;
  private final String reachedZookeeper;
  private final List<ChildProcess> nodes = new ArrayList<>();
  private final List<List<String>> places = new ArrayList<>();

  /**
   * How many of what a cluster has.
   *
   * @param replicas of each shard
   */
  public record Shape(int nodes, int shards, int replicas) {}

  private LocalCluster(
      Path directory,
      List<String> options,
      List<String> settings,
      ZooKeeperProcess zookeeper,
      UnaryOperator<String> reached) {
    this.directory = directory;
    this.options = options;
    this.settings = settings;
    this.zookeeper = zookeeper;
    this.reached = reached;
    this.reachedZookeeper = reached.apply(zookeeper.hosts());
  }

  /**
   * Starts one, which is made if it is not there, and waits until all nodes are at work.
   *
   * @param directory of all that it keeps; a directory below for each process
   * @param options of the JVMs of nodes
   * @param settings of nodes, as {@code NAME=VALUE}; of those that all must agree on the cluster is
   *     made
   */
  public static LocalCluster start(
      Path directory, Shape shape, List<String> options, List<String> settings) {
    return start(directory, shape, options, settings, UnaryOperator.identity());
  }

  /**
   * Starts one whose processes are reached by ways that the caller makes.
   *
   * @param reached where all others reach the process that listens at {@code HOST:PORT}; asked once
   *     for ZooKeeper, and for each node before it listens: for the node, and where shards have
   *     replicas for these
   */
  public static LocalCluster start(
      Path directory,
      Shape shape,
      List<String> options,
      List<String> settings,
      UnaryOperator<String> reached) {
    ZooKeeperProcess zookeeper =
        new ZooKeeperProcess(zookeeperLibraries(), directory.resolve("zookeeper"));
    zookeeper.start();
    LocalCluster cluster = new LocalCluster(directory, options, settings, zookeeper, reached);
    try {
      cluster.create(shape);
      for (int number = 1; number <= shape.nodes(); number++) {
        cluster.addNode(shape.replicas() > 1);
      }
      cluster.nodes.forEach(ChildProcess::awaitBegun);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Starts one more node, and does not wait for it.
   *
   * @param replicated whether shards have replicas
   * @return its number
   */
  public int addNode(boolean replicated) {
    int number = nodes.size() + 1;
    String listen = "127.0.0.1:" + ChildProcess.freePort();
    int port = replicaPort(number);
    List<String> place =
        new ArrayList<>(List.of("--listen", listen, "--advertise", reached.apply(listen)));
    place.addAll(List.of("--set", "node.replica-port=" + port));
    if (replicated) {
      String other = reached.apply("127.0.0.1:" + port);
      String reachedPort = other.substring(other.lastIndexOf(':') + 1);
      place.addAll(List.of("--set", "node.advertised-replica-port=" + reachedPort));
    }
    places.add(place);
    nodes.add(startNode(number, List.of()));
    return number;
  }

  /** Where the distribution has them. */
  static Path zookeeperLibraries() {
    String home = System.getProperty("graphmeta.home");
    if (home == null) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "A cluster on this machine is started by the command of the distribution, which has"
              + " ZooKeeper with it");
    }
    return Path.of(home, "zookeeper");
  }

  /** The port of the replicas of a node, which is the same for ever. */
  private int replicaPort(int node) {
    Path file = directory.resolve("replica-ports");
    try {
      List<String> ports =
          new ArrayList<>(Files.exists(file) ? Files.readAllLines(file) : List.of());
      while (ports.size() < node) {
        ports.add(String.valueOf(ChildProcess.freePort()));
        Files.write(file, ports);
      }
      return Integer.parseInt(ports.get(node - 1));
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, file + " cannot be read or written: " + e.getMessage(), e);
    }
  }

  private void create(Shape shape) {
    Map<String, String> given = new HashMap<>();
    given.put(ZooKeeperSetting.HOSTS.key(), zookeeper());
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      given.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    try {
      ClusterInitCommand.create(
          ClusterSettings.of(given), NAME, shape.shards(), shape.replicas(), shape.nodes());
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  private ChildProcess startNode(int number, List<String> more) {
    String name = "n" + number;
    List<String> line = new ArrayList<>(List.of("node", "--zookeeper", zookeeper()));
    line.addAll(List.of("--cluster", NAME, "--name", name));
    line.addAll(List.of("--dir", directory.resolve(name).toString()));
    line.addAll(places.get(number - 1));
    settings.forEach(setting -> line.addAll(List.of("--set", setting)));
    more.forEach(setting -> line.addAll(List.of("--set", setting)));
    return ChildProcess.start(name, directory, options, NodeCommand.SERVES, line);
  }

  /** The settings of a process that asks it. */
  ClusterSettings settings() {
    return ClusterSettings.of(Map.of(ZooKeeperSetting.HOSTS.key(), zookeeper()));
  }

  /** What opens its graph. */
  public GraphMetaConfig config() {
    return GraphMetaConfig.of(
        Map.of(Setting.CLUSTER.key(), NAME, Setting.ZOOKEEPER.key(), zookeeper()));
  }

  /** Where ZooKeeper is reached. */
  public String zookeeper() {
    return reachedZookeeper;
  }

  /** The process of ZooKeeper. */
  public ZooKeeperProcess zookeeperProcess() {
    return zookeeper;
  }

  /** The process of a node, by its number from 1. */
  public ChildProcess node(int number) {
    return nodes.get(number - 1);
  }

  /**
   * Starts a node again that has ended, and waits until it is at work.
   *
   * @param more settings of this run, as {@code NAME=VALUE}, which win
   */
  public void restart(int number, String... more) {
    ChildProcess again = startNode(number, List.of(more));
    nodes.set(number - 1, again);
    again.awaitBegun();
  }

  /** Starts a Gremlin Server on the graph of the cluster, and waits until it listens. */
  ChildProcess startServer(int port, int adminPort, String sign) {
    List<String> line = new ArrayList<>(List.of("server", "--zookeeper", zookeeper()));
    line.addAll(List.of("--cluster", NAME, "--port", String.valueOf(port)));
    line.addAll(List.of("--admin-port", String.valueOf(adminPort)));
    return ChildProcess.start("server", directory, List.of(), sign, line);
  }

  /** Stops all processes: the nodes at one time, since no other stays to take their shards. */
  @Override
  public void close() {
    nodes.forEach(ChildProcess::askToStop);
    nodes.forEach(ChildProcess::close);
    zookeeper.close();
  }

  /** Removes a directory with all in it. */
  static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
