package io.graphmeta.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node that hangs, as one that is stopped by a debugger or swaps: the machine takes connections
 * in its name, and nobody says a word. Whoever has replicas elsewhere must not wait for it.
 */
@Timeout(120)
class HungNodeTest {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int CALLS = 20;

  private static NodeSettings patient() {
    return NodeSettings.of(
        Map.of(
            NodeSetting.HANDSHAKE_TIMEOUT_MILLIS.key(),
            PATIENCE_MILLIS,
            NodeSetting.BEGIN_TIMEOUT_MILLIS.key(),
            PATIENCE_MILLIS));
  }

  private static ErrorCode asked(NetTransport transport) throws Exception {
    ReplicaCalls.Directed call =
        new ReplicaCalls.Directed(0, "n1", new Call(1, PATIENCE_MILLIS, new Request.Snapshot(0)));
    try {
      throw new AssertionError(
          "answered " + transport.sendAllTo(List.of(call)).get(0).get(20, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return ((GraphMetaException) e.getCause()).code();
    }
  }

  @Test
  void isNotWaitedForWhereOthersHaveReplicas() throws Exception {
    try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        NetThreads threads = new NetThreads(patient());
        NetTransport transport =
            NetTransport.toNodes(
                new NodeIdentity(UUID.randomUUID(), "client", 1),
                List.of(List.of("n1", "n2", "n3")),
                List.of(
                    new NodeAddress("n1", "127.0.0.1", hung.getLocalPort()),
                    new NodeAddress("n2", "127.0.0.1", 1),
                    new NodeAddress("n3", "127.0.0.1", 1)),
                patient(),
                threads,
                InstantSource.system())) {
      transport.absent("n1");
      for (int call = 0; call < CALLS; call++) {
        assertThat(asked(transport)).isEqualTo(ErrorCode.UNAVAILABLE);
      }
      // All of them were told by one connection, which still waits for a word.
      try (Socket taken = hung.accept()) {
        assertThat(taken.isConnected()).isTrue();
        hung.setSoTimeout(500);
        assertThat(takenAgain(hung)).isFalse();
      }
    }
  }

  private static boolean takenAgain(ServerSocket hung) throws Exception {
    try (Socket again = hung.accept()) {
      return again.isConnected();
    } catch (SocketTimeoutException e) {
      return false;
    }
  }
}
