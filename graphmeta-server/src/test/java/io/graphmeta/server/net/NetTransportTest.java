package io.graphmeta.server.net;

import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import io.graphmeta.transport.TransportContractTest;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What every transport does, over loopback. */
@ExtendWith(NoLeaks.class)
final class NetTransportTest {
  private static final NodeSettings FEW_CALLS =
      TestCluster.SETTINGS.with(NodeSetting.MAX_CALLS, 256);

  @TempDir private static Path directory;
  private static NodeSettings encrypted;

  @BeforeAll
  static void makeCertificates() throws Exception {
    encrypted = new Certificates(directory).settings("all", "localhost");
  }

  @Nested
  final class OnOneNode extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new TestCluster(shards, 1, FEW_CALLS);
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(256);
    }
  }

  @Nested
  final class OnNodesOfTheirOwn extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new TestCluster(shards, shards.size(), FEW_CALLS);
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(256);
    }
  }

  /** Nearly every message of some size goes in pieces. */
  @Nested
  final class InShortFrames extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new TestCluster(shards, 2, FEW_CALLS.with(NodeSetting.MAX_FRAME_BYTES, 4096));
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(256);
    }
  }

  @Nested
  final class Packed extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new TestCluster(shards, 2, FEW_CALLS.with(NodeSetting.COMPRESSION, "lz4"));
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(256);
    }
  }

  @Nested
  final class Encrypted extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new TestCluster(shards, 1, encrypted.with(NodeSetting.MAX_CALLS, 256));
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(256);
    }
  }
}
