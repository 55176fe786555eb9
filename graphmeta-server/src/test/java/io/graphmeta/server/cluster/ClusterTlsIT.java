package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes with the certificates that the script for containers makes, and clients with and without.
 */
class ClusterTlsIT {
  private static final Path SCRIPT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .resolveSibling("docker/certificates");

  @TempDir private Path directory;

  private Path certificates(String... names) throws Exception {
    Path made = directory.resolve("certificates");
    List<String> line = new ArrayList<>(List.of(SCRIPT.normalize().toString(), made.toString()));
    line.addAll(List.of(names));
    Process process = new ProcessBuilder(line).inheritIO().start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    return made;
  }

  private static List<String> settings(Path certificates, String name) {
    return List.of(
        "node.tls-cert=" + certificates.resolve(name + ".pem"),
        "node.tls-key=" + certificates.resolve(name + ".key"),
        "node.tls-ca=" + certificates.resolve("authority.pem"));
  }

  @Test
  void whoHasACertificateIsLetInAndNobodyElse() throws Exception {
    Path certificates = certificates("node=127.0.0.1,localhost", "client");
    Path ofClient = Files.write(directory.resolve("client"), settings(certificates, "client"));
    try (RunningCluster cluster =
        new RunningCluster(
            directory.resolve("cluster"),
            2,
            4,
            settings(certificates, "node").toArray(String[]::new))) {
      try (GraphDatabase database =
              GraphDatabases.open(cluster.config().with(Setting.CLUSTER_SETTINGS, ofClient));
          GraphMetaGraph graph = GraphMetaGraph.over(database)) {
        graph.addVertex("file");
        graph.tx().commit();
        assertThat(graph.traversal().V().count().next()).isOne();
      }
      Path wrong = Files.writeString(directory.resolve("wrong"), "node.tls_cert=n.pem\n");
      Path stray = Files.writeString(directory.resolve("stray"), "graphmeta.shards=3\n");
      for (Path file : List.of(wrong, stray)) {
        assertThatThrownBy(
                () -> GraphDatabases.open(cluster.config().with(Setting.CLUSTER_SETTINGS, file)))
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                error -> assertThat(error.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
      }
      assertThatThrownBy(cluster::open)
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              error -> assertThat(error.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.UNREACHABLE));
    }
  }
}
