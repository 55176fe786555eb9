package io.graphmeta.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What counts is what is alive, and it is measured no more often than need be. */
class HeapGaugeTest {
  private static final long MAX = 1000;

  private final Heap heap = new Heap();
  private long nanos;
  private final HeapGauge gauge = new HeapGauge(heap, () -> nanos);

  /** A heap of which all but a part is garbage. */
  private static final class Heap implements CollectedHeap {
    long used;
    long alive;
    int collections;
    boolean deaf;

    @Override
    public long maxBytes() {
      return MAX;
    }

    @Override
    public long usedBytes() {
      return used;
    }

    @Override
    public boolean collect() {
      if (deaf) {
        return false;
      }
      collections++;
      used = alive;
      return true;
    }
  }

  private void ask() {
    gauge.requireRoom(0, "a test");
  }

  @Test
  void garbageIsNoShortage() {
    heap.alive = 300;
    for (int i = 0; i < 100; i++) {
      heap.used = 950;
      assertThatCode(this::ask).doesNotThrowAnyException();
    }
  }

  @Test
  void nothingIsMeasuredWhileLittleIsInUse() {
    heap.used = 699;
    ask();
    assertThat(heap.collections).isZero();
  }

  @Test
  void whatIsAliveIsRefusedWithWhatToDo() {
    heap.used = 800;
    heap.alive = 760;
    assertThatThrownBy(this::ask)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining("760 of 1000")
        .hasMessageContaining("750")
        .hasMessageContaining("-Xmx");
  }

  @Test
  void nobodyIsRefusedByAnOldAnswer() {
    heap.used = 800;
    heap.alive = 760;
    assertThatThrownBy(this::ask).isInstanceOf(GraphMetaException.class);
    heap.alive = 100;
    ask();
    assertThat(heap.collections).isEqualTo(2);
  }

  @Test
  void whatWasMeasuredStandsForAWhileAndUntilMuchHasCome() {
    heap.alive = 720;
    heap.used = 720;
    ask();
    for (int i = 0; i < 50; i++) {
      heap.used = 720 + i;
      ask();
    }
    assertThat(heap.collections).isEqualTo(1);
    heap.used = 820;
    ask();
    assertThat(heap.collections).isEqualTo(2);
    nanos += TimeUnit.MINUTES.toNanos(1);
    ask();
    assertThat(heap.collections).isEqualTo(3);
  }

  @Test
  void roomIsAskedForBeforeItIsTaken() {
    heap.alive = 500;
    heap.used = 500;
    gauge.requireRoom(150, "a test");
    assertThatThrownBy(() -> gauge.requireRoom(300, "a test"))
        .isInstanceOf(GraphMetaException.class);
    assertThat(gauge.atMost(Long.MAX_VALUE, 4)).isEqualTo(250);
    assertThat(gauge.atMost(10, 4)).isEqualTo(10);
  }

  @Test
  void roomThatOneTakesIsNotPromisedToAnother() throws Exception {
    heap.alive = 500;
    heap.used = 500;
    CompletableFuture<Object> second = new CompletableFuture<>();
    Object first =
        gauge.take(
            200,
            "the first",
            () -> {
              Thread other =
                  new Thread(
                      () -> {
                        try {
                          second.complete(gauge.take(200, "the second", Object::new));
                        } catch (GraphMetaException e) {
                          second.completeExceptionally(e);
                        }
                      });
              other.start();
              // Long enough for it to be told that there is room, if it were asked now.
              assertThat(catchThrowable(() -> second.get(200, TimeUnit.MILLISECONDS)))
                  .isInstanceOf(TimeoutException.class);
              heap.alive += 200;
              heap.used += 200;
              return new Object();
            });
    assertThat(first).isNotNull();
    assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES))
        .hasRootCauseInstanceOf(GraphMetaException.class)
        .hasMessageContaining("Memory is short for the second: 700 of 1000");
  }

  @Test
  void whatHasNoRoomInOnePieceIsRefused() {
    assertThatThrownBy(
            () ->
                gauge.take(
                    200,
                    "a test",
                    () -> {
                      throw new OutOfMemoryError("Java heap space");
                    }))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("Memory is short for a test");
    assertThat(gauge.take(200, "a test", () -> "taken")).isEqualTo("taken");
  }

  @Test
  void whereNobodyCollectsOnlyAFullHeapIsShort() {
    heap.deaf = true;
    heap.used = 900;
    ask();
    heap.used = 930;
    nanos += TimeUnit.MINUTES.toNanos(1);
    assertThatThrownBy(this::ask).isInstanceOf(GraphMetaException.class);
  }
}
