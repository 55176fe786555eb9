package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.membership.ZooKeeperSetting;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes with the certificates that the script for containers makes, and clients with and without.
 */
@RunsAlone
class ClusterTlsIT {
  private static final int ENDED = -1;
  private static final int TLS_ALERT = 21;

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
            new LocalCluster.Shape(3, 2, 3),
            settings(certificates, "node").toArray(String[]::new))) {
      try (GraphDatabase database =
              GraphDatabases.open(cluster.config().with(Setting.CLUSTER_SETTINGS, ofClient));
          GraphMetaGraph graph = GraphMetaGraph.over(database)) {
        graph.addVertex("file");
        graph.tx().commit();
        assertThat(graph.traversal().V().count().next()).isOne();
      }
      Map<String, Object> operator = ClusterSettings.read(ofClient);
      operator.put(ZooKeeperSetting.HOSTS.key(), cluster.processes().zookeeper());
      ClusterSettings ofOperator = ClusterSettings.of(operator);
      LeaderMoves moves = new LeaderMoves(ofOperator, LocalCluster.NAME);
      assertThat(moves.move(0, "n3").problem()).isEmpty();
      assertThat(ClusterStatus.of(ofOperator, LocalCluster.NAME).shards())
          .allSatisfy(shard -> assertThat(shard.problem()).isEmpty());
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
      for (String port : Files.readAllLines(directory.resolve("cluster/replica-ports"))) {
        assertTalksOnlyToNodes(Integer.parseInt(port), certificates);
      }
    }
  }

  /** Where replicas listen, who has no certificate of the authority is told nothing. */
  private static void assertTalksOnlyToNodes(int port, Path certificates) throws Exception {
    try (Socket plain = new Socket("127.0.0.1", port)) {
      assertThat(answer(plain)).as("first byte told in clear text").isIn(ENDED, TLS_ALERT);
    }
    try (Socket stranger = trusting(certificates).createSocket("127.0.0.1", port)) {
      assertThatThrownBy(
              () -> {
                if (answer(stranger) == ENDED) {
                  throw new SSLException("closed");
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** The first byte that comes after what begins each connection of the engine of replicas. */
  private static int answer(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    socket.getOutputStream().write(preface);
    socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // no settings
    socket.getOutputStream().flush();
    return socket.getInputStream().read();
  }

  /** Makes sockets of somebody who knows the authority, and has nothing from it. */
  private static SSLSocketFactory trusting(Path certificates) throws Exception {
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null, null);
    try (InputStream pem = Files.newInputStream(certificates.resolve("authority.pem"))) {
      known.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
