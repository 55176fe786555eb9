package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in with which certificate. */
@ExtendWith(NoLeaks.class)
@Timeout(60)
final class NodeTlsTest {
  private static final Call CALL = new Call(1, 20_000, new Request.Snapshot(1));

  @TempDir private static Path directory;
  private static NodeSettings good;
  private static NodeSettings otherHost;
  private static NodeSettings otherAuthority;

  private final AtomicInteger handled = new AtomicInteger();

  @BeforeAll
  static void makeCertificates() throws Exception {
    Certificates cluster = new Certificates(directory.resolve("cluster"));
    good = cluster.settings("good", "localhost");
    otherHost = cluster.settings("elsewhere", "elsewhere.example");
    otherAuthority = new Certificates(directory.resolve("other")).settings("stranger", "localhost");
  }

  /** What comes of a call by one of the settings to a node with others. */
  private Response call(NodeSettings caller, NodeSettings called) {
    RequestHandler handler =
        call -> {
          handled.incrementAndGet();
          return CompletableFuture.completedFuture(new Response.Done());
        };
    try (NetThreads threads = new NetThreads(caller);
        NodeListener node =
            NodeListener.open(
                TestCluster.identity("n0"),
                new ShardQueues("n0", Map.of(0, handler), called),
                called,
                threads,
                InstantSource.system());
        NetTransport transport =
            new NetTransport(
                TestCluster.identity("client"),
                List.of(new NodeAddress("n0", "localhost", node.address().getPort())),
                caller,
                threads,
                InstantSource.system())) {
      return transport.await(transport.send(0, CALL));
    }
  }

  private void assertRefused(NodeSettings caller, NodeSettings called) {
    assertThatThrownBy(() -> call(caller, called))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(handled).hasValue(0);
  }

  @Test
  void certificatesOfTheAuthorityForTheHostAreTaken() {
    assertThat(call(good, good)).isEqualTo(new Response.Done());
    assertThat(call(otherHost, good)).as("a caller is known by any name").isNotNull();
  }

  @Test
  void aNodeWithACertificateForAnotherHostIsNotTalkedTo() {
    assertRefused(good, otherHost);
  }

  @Test
  void certificatesOfAnotherAuthorityAreRefusedOnBothSides() {
    assertRefused(otherAuthority, good);
    assertRefused(good, otherAuthority);
    // The caller trusts the node, and the node does not trust the caller.
    assertRefused(otherAuthority.with(NodeSetting.TLS_CA, good.get(NodeSetting.TLS_CA)), good);
  }

  @Test
  void whoSpeaksInTheClearIsRefused() {
    NodeSettings brief = TestCluster.SETTINGS.with(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS, 500);
    assertRefused(brief, good);
    assertRefused(good.with(NodeSetting.HANDSHAKE_TIMEOUT_MILLIS, 500), TestCluster.SETTINGS);
  }

  @Test
  void settingsThatAreNotWholeAreRefused() {
    NodeSettings missing = good.with(NodeSetting.TLS_CA, "");
    assertThatThrownBy(() -> NodeTls.of(missing)).hasMessageContaining("node.tls-ca");
    NodeSettings wrong = good.with(NodeSetting.TLS_KEY, good.get(NodeSetting.TLS_CERT));
    assertThatThrownBy(() -> NodeTls.of(wrong))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
    assertThat(NodeTls.of(TestCluster.SETTINGS)).isNull();
  }
}
