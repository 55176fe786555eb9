package io.graphmeta.server.cluster;

import io.graphmeta.config.Setting;
import io.graphmeta.gremlin.suite.ConformanceRun;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * TinkerPop's suites on clusters of three nodes with eight shards, in processes of their own, come
 * to what they come to in one process. Each graph that a suite has at the same time is a cluster of
 * its own, started when it is first asked for.
 *
 * <p>Each build runs one of them; {@code -Dgraphmeta.cluster-suites=STRUCTURE,PROCESS,GHERKIN} all.
 */
@RunsAlone
class ClusterConformanceIT {
  private static final int NODES = 3;
  private static final int SHARDS = 8;
  private static final String SUITES = System.getProperty("graphmeta.cluster-suites", "GHERKIN");

  @TempDir private Path directory;
  private final Map<String, RunningCluster> clusters = new HashMap<>();

  static List<String> suites() {
    return List.of(SUITES.split(","));
  }

  @ParameterizedTest
  @MethodSource("suites")
  void comesToWhatItComesToInOneProcess(String suite) throws IOException {
    ConformanceRun.compareOnClusters(suite, this::settings);
  }

  @AfterEach
  void end() {
    clusters.values().forEach(RunningCluster::close);
  }

  private Map<String, Object> settings(String graphName) {
    RunningCluster cluster =
        clusters.computeIfAbsent(
            graphName, name -> new RunningCluster(directory.resolve(name), NODES, SHARDS));
    return Map.of(
        Setting.CLUSTER.key(),
        LocalCluster.NAME,
        Setting.ZOOKEEPER.key(),
        cluster.processes().zookeeper());
  }
}
