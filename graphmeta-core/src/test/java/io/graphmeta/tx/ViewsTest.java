package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private static final long NOW_MICROS = 1_700_000_000_000_000L;
  private static final long BEGIN = Stamp.startOfMicros(NOW_MICROS - 5_000);

  /** The stamps that snapshots were asked at. */
  private final List<Long> asked = new ArrayList<>();

  /** A shard that has completed all up to {@link #BEGIN}, or up to what it is asked for. */
  private final class Shard implements Transport {
    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      if (call.request() instanceof Request.Snapshot snapshot) {
        asked.add(snapshot.seen());
        return CompletableFuture.completedFuture(
            new Response.Stamped(Math.max(BEGIN, snapshot.seen() + 10)));
      }
      return CompletableFuture.completedFuture(new Response.Schema(SchemaImage.EMPTY));
    }
  }

  private final Views views =
      new Views(
          new Router(
              new Shard(),
              VirtualNodeMap.roundRobin(1, 16, 1),
              Placements.DIDO,
              new HybridClock(() -> Instant.EPOCH.plusNanos(NOW_MICROS * 1000), 0, 500_000),
              1000,
              1));

  @Test
  void theSnapshotIsAskedForOnceAndStays() {
    assertThat(views.snapshot()).isEqualTo(ReadView.at(BEGIN));
    assertThat(views.reading(views.snapshot())).isSameAs(views.snapshot());
    assertThat(views.at(null, null)).isEqualTo(views.snapshot());
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatWasKnownBeforeIsReadWithTheSnapshot() {
    ReadView view = views.at(BEGIN - 100, BEGIN - 50);
    assertThat(view).isEqualTo(new ReadView(BEGIN - 100, BEGIN - 50, BEGIN));
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatWasKnownBehindTheSnapshotIsWaitedForOnce() {
    long known = BEGIN + 1000;
    ReadView view = views.at(null, known);
    assertThat(view).isEqualTo(new ReadView(known, known, known + 10));
    assertThat(views.at(BEGIN, known + 10)).isEqualTo(new ReadView(BEGIN, known + 10, known + 10));
    assertThat(asked).containsExactly(0L, known);
    assertThat(views.snapshot()).isEqualTo(ReadView.at(BEGIN));
    assertThat(views.reading(new ReadView(known, known))).isEqualTo(view);
    // What was waited for does not show in the snapshot, nor in what was known before it.
    assertThat(views.reading(views.snapshot())).isSameAs(views.snapshot());
    assertThat(views.at(null, null)).isEqualTo(views.snapshot());
    assertThat(views.at(BEGIN, BEGIN - 1)).isEqualTo(new ReadView(BEGIN, BEGIN - 1, BEGIN));
    assertThat(asked).hasSize(2);
    assertThat(views.isOpen()).isTrue();
  }

  @Test
  void afterTheEndNothingIsRead() {
    views.end();
    assertThat(views.isOpen()).isFalse();
    for (Runnable read :
        List.<Runnable>of(
            () -> views.reading(views.snapshot()),
            () -> views.at(null, null),
            views::requireOpen)) {
      assertThatThrownBy(read::run)
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
    assertThat(views.snapshot()).isEqualTo(ReadView.at(BEGIN));
  }
}
