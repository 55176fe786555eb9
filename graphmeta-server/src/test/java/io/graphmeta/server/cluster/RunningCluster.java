package io.graphmeta.server.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cluster of real processes over the distribution that the build has made. */
final class RunningCluster implements AutoCloseable {
  private static final String HOME = "graphmeta.home";

  private final String homeBefore;
  final LocalCluster processes;

  RunningCluster(Path directory, int nodes, int shards, String... settings) {
    homeBefore = System.getProperty(HOME, "");
    System.setProperty(
        HOME, Path.of(System.getProperty("basedir", "."), "target/graphmeta").toString());
    processes =
        LocalCluster.start(directory, nodes, shards, List.of("-Xmx384m"), List.of(settings));
  }

  /** A client of the cluster in this process. */
  GraphDatabase open() {
    return GraphDatabases.open(config());
  }

  GraphMetaConfig config() {
    return GraphMetaConfig.of(
        Map.of(
            Setting.CLUSTER.key(),
            LocalCluster.NAME,
            Setting.ZOOKEEPER.key(),
            processes.zookeeper()));
  }

  /** What commands are told of it. */
  String[] options() {
    return new String[] {"--cluster", LocalCluster.NAME, "--zookeeper", processes.zookeeper()};
  }

  void kill(int node) {
    ProcessHandle process = processes.node(node).handle();
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    processes.close();
    if (homeBefore.isEmpty()) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }
}
