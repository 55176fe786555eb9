package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class MaintenanceTest {
  private final AtomicInteger rounds = new AtomicInteger();
  private volatile boolean broken = true;
  private volatile CountDownLatch next = new CountDownLatch(2);

  private boolean round() {
    rounds.incrementAndGet();
    next.countDown();
    if (broken) {
      throw new OutOfMemoryError("planted");
    }
    return true;
  }

  /** Waits until a round is over that began after this was called. */
  private void awaitRound() throws InterruptedException {
    next = new CountDownLatch(2);
    next.await();
  }

  @Test
  void nothingIsWrittenWhileRoundsFailAndTheyAreTriedAgain() throws Exception {
    Maintenance maintenance = new Maintenance("maintenance", this::round, 1);
    maintenance.requireAtWork();
    maintenance.start();
    awaitRound();
    assertThatThrownBy(maintenance::requireAtWork)
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE))
        .hasMessageContaining("planted");
    assertThat(maintenance.failure()).contains("planted");

    broken = false;
    awaitRound();
    maintenance.requireAtWork();
    assertThat(maintenance.failure()).isNull();
    maintenance.stop();
    int ended = rounds.get();
    Thread.sleep(20);
    assertThat(rounds).hasValue(ended);
  }
}
