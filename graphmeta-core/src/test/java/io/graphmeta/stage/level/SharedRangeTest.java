package io.graphmeta.stage.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedRangeTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(3);

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void eachPositionIsGoneThroughOnce() {
    for (int size = 0; size < 200; size++) {
      for (int portion : new int[] {1, 7, 64, Integer.MAX_VALUE}) {
        AtomicIntegerArray visits = new AtomicIntegerArray(size);
        SharedRange.Worker worker =
            (from, to) -> IntStream.range(from, to).forEach(visits::incrementAndGet);
        new SharedRange(size, portion).share(worker, List.of(worker, worker, worker), threads);
        assertThat(IntStream.range(0, size).map(visits::get)).allMatch(visited -> visited == 1);
      }
    }
  }

  @Test
  void othersTakePart() {
    CountDownLatch joined = new CountDownLatch(1);
    AtomicInteger byOther = new AtomicInteger();
    new SharedRange(100, 1)
        .share(
            (from, to) -> await(joined),
            List.of(
                (from, to) -> {
                  byOther.incrementAndGet();
                  joined.countDown();
                }),
            threads);
    assertThat(byOther.get()).isPositive();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whoHasNoTimeIsNotWaitedFor() {
    AtomicInteger visits = new AtomicInteger();
    SharedRange.Worker worker = (from, to) -> visits.addAndGet(to - from);
    new SharedRange(100, 10)
        .share(
            worker,
            List.of(worker),
            task -> {
              throw new RejectedExecutionException("no time");
            });
    new SharedRange(100, 10).share(worker, List.of(worker), task -> {});
    assertThat(visits.get()).isEqualTo(200);
  }

  @Test
  void aFailureOfAnotherEndsAll() {
    CountDownLatch failed = new CountDownLatch(1);
    AtomicInteger visits = new AtomicInteger();
    assertThatThrownBy(
            () ->
                new SharedRange(Integer.MAX_VALUE, 1)
                    .share(
                        (from, to) -> {
                          await(failed);
                          visits.incrementAndGet();
                        },
                        List.of(
                            (from, to) -> {
                              failed.countDown();
                              throw GraphMetaException.invalid("portion " + from);
                            }),
                        threads))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("portion");
    assertThat(visits.get()).isLessThan(Integer.MAX_VALUE);
  }

  @Test
  void anErrorOfTheMachineEndsAll() {
    CountDownLatch failed = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                new SharedRange(Integer.MAX_VALUE, 1)
                    .share(
                        (from, to) -> await(failed),
                        List.of(
                            (from, to) -> {
                              failed.countDown();
                              throw new StackOverflowError();
                            }),
                        threads))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("StackOverflowError");
  }
}
