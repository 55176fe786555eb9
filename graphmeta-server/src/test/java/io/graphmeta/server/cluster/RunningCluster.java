package io.graphmeta.server.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.StartedJvm;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.ZooKeeperSetting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A cluster of real processes over the distribution that the build has made. */
public final class RunningCluster implements AutoCloseable {
  private static final String HOME = "graphmeta.home";
  private static final String HEAP = "-Xmx384m";
  private static final String CLASS_ARCHIVE = "graphmeta.class-archive";

  private final String homeBefore;
  private final LocalCluster processes;
  private final List<String> settings;

  /** One whose processes are reached where they listen. */
  public RunningCluster(Path directory, int nodes, int shards, String... settings) {
    this(
        directory,
        new LocalCluster.Shape(nodes, shards, 1),
        List.of(settings),
        UnaryOperator.identity());
  }

  /** One of some shape. */
  public RunningCluster(Path directory, LocalCluster.Shape shape, String... settings) {
    this(directory, shape, List.of(settings), UnaryOperator.identity());
  }

  /**
   * One whose processes are reached by ways of their own.
   *
   * @param reached where others reach the process that listens at {@code HOST:PORT}
   */
  public RunningCluster(
      Path directory,
      LocalCluster.Shape shape,
      List<String> settings,
      UnaryOperator<String> reached) {
    this(directory, shape, HEAP, settings, reached);
  }

  /** One whose nodes have another heap, such as {@code -Xmx256m}. */
  RunningCluster(Path directory, LocalCluster.Shape shape, String heap, List<String> settings) {
    this(directory, shape, heap, settings, UnaryOperator.identity());
  }

  private RunningCluster(
      Path directory,
      LocalCluster.Shape shape,
      String heap,
      List<String> settings,
      UnaryOperator<String> reached) {
    homeBefore = System.getProperty(HOME, "");
    Path home = Path.of(System.getProperty("basedir", "."), "target/graphmeta").toAbsolutePath();
    System.setProperty(HOME, home.toString());
    System.setProperty(CLASS_ARCHIVE, home.resolve("lib/graphmeta.jsa").toString());
    this.settings = List.copyOf(settings);
    processes = LocalCluster.start(directory, shape, StartedJvm.with(heap), settings, reached);
  }

  /** A client of the cluster in this process. */
  public GraphDatabase open() {
    return GraphDatabases.open(config());
  }

  /** What a client of it is told. */
  public GraphMetaConfig config() {
    return processes.config();
  }

  /** Its processes. */
  public LocalCluster processes() {
    return processes;
  }

  /** What commands are told of it. */
  String[] options() {
    return new String[] {"--cluster", LocalCluster.NAME, "--zookeeper", processes.zookeeper()};
  }

  /** Kills a node with SIGKILL, and waits until it is gone. */
  public void kill(int node) {
    ProcessHandle process = processes.node(node).handle();
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Sends a node a signal, such as STOP and CONT. */
  public void signal(int node, String signal) {
    long process = processes.node(node).handle().pid();
    try {
      int end = new ProcessBuilder("kill", "-" + signal, "" + process).start().waitFor();
      if (end != 0) {
        throw new IllegalStateException("kill -" + signal + " " + process + " ended with " + end);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts tests
    }
  }

  /** What an operator's commands know of the cluster: the settings of its nodes. */
  public ClusterSettings settings() {
    Map<String, String> all = new HashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      all.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    all.put(ZooKeeperSetting.HOSTS.key(), processes.zookeeper());
    return ClusterSettings.of(all);
  }

  /** What ZooKeeper knows of it; no node is asked, and none waited for. */
  public ClusterView view() {
    try (ClusterMembership membership =
        ClusterMembership.open(settings().zookeeper(), LocalCluster.NAME)) {
      return membership.view();
    }
  }

  /** How it is doing. */
  public ClusterStatus status() {
    return ClusterStatus.of(settings(), LocalCluster.NAME);
  }

  @Override
  public void close() {
    processes.close();
    if (homeBefore.isEmpty()) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
    System.clearProperty(CLASS_ARCHIVE);
  }
}
