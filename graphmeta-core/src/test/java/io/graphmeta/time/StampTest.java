package io.graphmeta.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StampTest {
  private static final Instant MOMENT = Instant.parse("2026-11-21T00:35:25.087290Z");

  @Test
  void aMomentAsAViewSeesAllOfItsMicrosecond() {
    assertThat(Stamp.startOf(MOMENT)).isLessThan(Stamp.endOf(MOMENT));
    assertThat(Stamp.endOf(MOMENT) + 1).isEqualTo(Stamp.startOf(MOMENT.plusNanos(1000)));
    assertThat(Stamp.instant(Stamp.endOf(MOMENT))).isEqualTo(MOMENT);
    assertThat(Stamp.format(Stamp.startOf(MOMENT))).isEqualTo("2026-11-21T00:35:25.087290Z");
  }

  @Test
  void everyFormOfATimeMeansTheSame() {
    long expected = Stamp.endOf(Instant.parse("2026-11-21T00:35:25Z"));
    for (Object form :
        List.of(
            "2026-11-21T00:35:25Z",
            "2026-11-21 00:35:25",
            "2026-11-21T01:35:25+01:00",
            OffsetDateTime.of(2026, 11, 21, 0, 35, 25, 0, ZoneOffset.UTC))) {
      assertThat(Stamp.viewpoint(form)).as(form.toString()).isEqualTo(expected);
    }
    long millis = Instant.parse("2026-11-21T00:35:25Z").toEpochMilli();
    long endOfMillisecond = Stamp.endOf(Instant.parse("2026-11-21T00:35:25.000999Z"));
    for (Object form :
        List.of(
            millis,
            (double) millis,
            BigInteger.valueOf(millis),
            new Date(millis),
            Long.toString(millis))) {
      assertThat(Stamp.viewpoint(form)).as(form.getClass().toString()).isEqualTo(endOfMillisecond);
    }
    assertThat(Stamp.viewpoint("2026-11-21"))
        .isEqualTo(Stamp.endOf(Instant.parse("2026-11-21T00:00:00Z")));
  }

  @Test
  void whatIsNoTimeIsNamed() {
    for (Object wrong :
        List.of("yesterday", "", "2026-13-01", true, 1.5, -1L, "2026-11-21T25:00:00Z")) {
      assertThatThrownBy(() -> Stamp.viewpoint(wrong))
          .hasMessageContaining("'" + wrong + "'")
          .hasMessageContaining("ISO-8601");
    }
  }

  @Test
  void theClockNeverTurnsWhateverThePhysicalTimeDoes() {
    AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);
    HybridClock clock =
        new HybridClock(
            () ->
                Instant.EPOCH
                    .plusSeconds(micros.get() / 1_000_000)
                    .plusNanos(micros.get() % 1_000_000 * 1000),
            0,
            500_000);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long last = 0;
    for (int i = 0; i < 10_000; i++) {
      micros.addAndGet(random.nextInt(2001) - 1000);
      long seen =
          random.nextInt(10) == 0
              ? Stamp.plusMicros(clock.physicalStamp(), random.nextInt(400_000))
              : 0;
      long stamp = clock.tick(seen);
      assertThat(stamp).as("seed " + seed).isGreaterThan(Math.max(last, seen));
      last = stamp;
    }
  }

  @Test
  void aStampTooFarAheadIsRefusedAndNotAdopted() {
    HybridClock clock = new HybridClock(() -> MOMENT, 0, 500_000);
    long before = clock.tick(0);
    assertThatThrownBy(() -> clock.tick(Stamp.plusMicros(before, 600_000)))
        .hasMessageContaining("500 ms");
    assertThat(clock.tick(0)).isEqualTo(before + 1);
  }

  @Test
  void aViewFromBehindTheLastStampSeesAllAndAnEventThereIsRefused() {
    for (Object far :
        new Object[] {
          "9999-12-31",
          "9999-12-31T23:59:59.999999999Z",
          "+999999999-12-31T00:00:00Z",
          OffsetDateTime.MAX,
          Instant.MAX,
          Instant.parse("2262-04-12T00:00:00Z"),
          new Date(Long.MAX_VALUE)
        }) {
      assertThat(Stamp.viewpoint(far)).as("%s", far).isEqualTo(Stamp.MAX);
    }
    assertThatThrownBy(() -> Stamp.startOf(Instant.parse("9999-12-31T00:00:00Z")))
        .hasMessageContaining("9999-12-31")
        .hasMessageContaining("2255-06-05");
    for (Object early :
        new Object[] {"0001-01-01", OffsetDateTime.MIN, Instant.MIN, new Date(Long.MIN_VALUE)}) {
      assertThatThrownBy(() -> Stamp.viewpoint(early))
          .as("%s", early)
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("1970-01-01 to 2255-06-05");
    }
    for (Object wrong : new Object[] {Long.MAX_VALUE, "99999999999999999", 1e300, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> Stamp.viewpoint(wrong))
          .as("%s", wrong)
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("expected ISO-8601");
    }
  }
}
