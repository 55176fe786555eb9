package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a client makes of a part that is refused because entries are being moved. */
class RefusedPartTest {
  private static final long[] NOTHING = {};

  private final List<String> resolved = new ArrayList<>();

  /** Two shards, of which the second refuses parts, and both know all outcomes when asked. */
  private final class Shards implements Transport {
    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      if (call.request() instanceof Request.Prepare && shard == 1) {
        return CompletableFuture.failedFuture(
            new GraphMetaException(ErrorCode.MISPLACED, "Entries are being moved"));
      }
      return CompletableFuture.completedFuture(answer(shard, call.request()));
    }

    private Response answer(int shard, Request request) {
      if (request instanceof Request.ReadSchema) {
        return new Response.Schema(SchemaImage.EMPTY);
      } else if (request instanceof Request.Prepare) {
        return new Response.Prepared();
      } else if (request instanceof Request.Inquire) {
        // The part was undone, and the stamp lies below the watermark, before the question came.
        return new Response.Parts(List.of(PartState.COVERED));
      } else if (request instanceof Request.Resolve resolve) {
        resolved.add(shard + " " + resolve.committed());
      }
      return new Response.Done();
    }
  }

  @Test
  void clientIsToldThatNothingHappened() {
    Router router =
        new Router(
            new Shards(),
            VirtualNodeMap.roundRobin(1, 16, 2),
            Placements.DIDO,
            new HybridClock(InstantSource.system(), 0, 500_000),
            1000,
            1);
    List<CommitPart> parts =
        List.of(
            new CommitPart(0, new StagedRows(16), NOTHING, NOTHING),
            new CommitPart(1, new StagedRows(16), NOTHING, NOTHING));
    assertThatThrownBy(() -> router.commit(parts, 0))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.MISPLACED));
    assertThat(resolved).containsExactly("0 false", "1 false");
  }
}
