package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.time.HybridClock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StampLeadTest {
  private static final long MAX_OFFSET_MICROS = 500_000;

  private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
  private final StampLead lead =
      new StampLead(
          new HybridClock(
              () -> Instant.EPOCH.plusNanos(1000 * micros.get()), 0, MAX_OFFSET_MICROS));

  /** Transactions that take some time; how far the next one leads, in microseconds. */
  private long afterTransactions(int count, long durationMicros, boolean late) {
    for (int i = 0; i < count; i++) {
      long sent = lead.now();
      micros.addAndGet(durationMicros);
      if (late) {
        lead.cameTooLate(sent);
      } else {
        lead.cameInTime(sent);
      }
    }
    return lead.micros();
  }

  @Test
  void aClientWithoutOthersLeadsByNothing() {
    assertThat(afterTransactions(100, 300, false)).isZero();
  }

  @Test
  void theLeadGrowsToTheTimeOfATransactionAndFallsAgain() {
    assertThat(afterTransactions(100, 300, true)).isBetween(290L, 300L);
    long fallen = afterTransactions(100, 300, false);
    assertThat(fallen).isBetween(100L, 200L);
    assertThat(afterTransactions(2_000, 300, false)).isZero();
  }

  @Test
  void theLeadFollowsTheTimeOfATransaction() {
    afterTransactions(100, 300, true);
    assertThat(afterTransactions(50, 40, true)).isBetween(35L, 50L);
  }

  @Test
  void theLeadHasALimit() {
    assertThat(afterTransactions(100, 60_000_000, true)).isBetween(9_900L, 10_000L);
    // The clock is set back within a transaction.
    assertThat(afterTransactions(100, -60_000_000, true)).isZero();
  }
}
