package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.shard.retention.HistoryBound;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which views a shard answers, when that changes while they are read. */
class ReadableViewsTest {
  private static final int LABEL = 3;
  private static final long HORIZON = 1_000;

  private final HistoryBound kept = new HistoryBound(new MemoryStorage());
  private long refusedBelow;
  private final ReadableViews views =
      new ReadableViews(
          kept,
          read -> {
            if (read.view().snapshot() < refusedBelow) {
              throw new GraphMetaException(ErrorCode.NOT_LEADER, "refused");
            }
          });

  private static Request.ReadVertices read(long stamp) {
    return new Request.ReadVertices(
        new long[] {VertexKeys.firstOfLabel(LABEL)}, new ReadView(stamp, stamp), Detail.KEYS, 0);
  }

  private void drop() {
    RowBatch entry = new RowBatch(64);
    Horizons horizons = new Horizons(Map.of(LABEL, HORIZON), Map.of());
    new DroppedHistory(List.of(new DroppedHistory.Run("a", horizons))).put(entry);
    kept.changed(entry);
  }

  private static void assertFails(CompletableFuture<Response> answer, ErrorCode code) {
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void anAnswerThatIsOnItsWayIsHeldAgainstBothWhenItIsThere() {
    CompletableFuture<Response> slow = new CompletableFuture<>();
    CompletableFuture<Response> dropped = views.confirmed(read(HORIZON - 1), slow);
    CompletableFuture<Response> refused = views.confirmed(read(HORIZON + 1), slow);
    CompletableFuture<Response> readable = views.confirmed(read(HORIZON + 2), slow);
    drop();
    refusedBelow = HORIZON + 2;
    slow.complete(new Response.Done());
    assertThat(readable).isCompletedWithValue(new Response.Done());
    assertFails(dropped, ErrorCode.BELOW_WATERMARK);
    assertFails(refused, ErrorCode.NOT_LEADER);
  }

  @Test
  void anAnswerThatIsThereIsHeldAgainstBoth() {
    CompletableFuture<Response> there = CompletableFuture.completedFuture(new Response.Done());
    assertThat(views.confirmed(read(HORIZON - 1), there)).isSameAs(there);
    refusedBelow = HORIZON;
    assertThatThrownBy(() -> views.confirmed(read(HORIZON - 1), there)).hasMessage("refused");
    drop();
    assertThatThrownBy(() -> views.confirmed(read(HORIZON - 1), there))
        .hasMessageContaining("retention");
  }

  @Test
  void whatIsRefusedIsNotReadAtAll() {
    views.require(read(HORIZON - 1));
    drop();
    assertThatThrownBy(() -> views.require(read(HORIZON - 1))).hasMessageContaining("retention");
    refusedBelow = HORIZON + 1;
    assertThatThrownBy(() -> views.require(read(HORIZON))).hasMessage("refused");
    views.require(read(HORIZON + 1));
  }
}
