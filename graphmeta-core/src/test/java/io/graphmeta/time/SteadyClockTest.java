package io.graphmeta.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");
  private static final long SECOND = 1_000_000;

  private final List<String> told = new ArrayList<>();

  /** The time that has really passed, and by how much each of the clocks is wrong. */
  private long trueMicros;

  private long wrongMicros;
  private long suspendedMicros;

  /** For how long, and how often, the thread is held up when it has looked at the clock. */
  private long heldUpMicros;

  private int heldUpTimes;

  private final SteadyClock clock =
      new SteadyClock(
          this::physical,
          () -> (trueMicros - suspendedMicros) * 1_000,
          () -> 7 * SECOND + suspendedMicros,
          told::add);

  private Instant physical() {
    Instant told = BEGIN.plus(trueMicros + wrongMicros, ChronoUnit.MICROS);
    if (heldUpTimes > 0) {
      heldUpTimes--;
      trueMicros += heldUpMicros;
    }
    return told;
  }

  private long look() {
    return ChronoUnit.MICROS.between(BEGIN, clock.instant());
  }

  @Test
  void aClockThatIsSetWrongAndRightAgainIsNotFollowed() {
    for (long jump : new long[] {3_600 * SECOND, -3_600 * SECOND, 2 * SECOND, -300_000}) {
      trueMicros += SECOND;
      wrongMicros = jump;
      assertThat(look()).isEqualTo(trueMicros);
      assertThat(clock.ignoredMicros()).isEqualTo(jump);
      trueMicros += SECOND;
      wrongMicros = 0;
      assertThat(look()).isEqualTo(trueMicros);
      assertThat(clock.ignoredMicros()).isZero();
    }
    assertThat(told).hasSize(8);
    assertThat(told.get(0)).contains("set by 3600000 ms", "wrong by 3600000 ms", "Set it right");
    assertThat(told.get(1)).contains("set by -3600000 ms", "wrong by 0 ms");
  }

  @Test
  void aClockThatIsSlewedIsFollowed() {
    for (int second = 0; second < 1_000; second++) {
      trueMicros += SECOND;
      wrongMicros += 5_000; // half a percent
      assertThat(look()).isEqualTo(trueMicros + wrongMicros);
    }
    wrongMicros += 150_000;
    assertThat(look()).as("a small step").isEqualTo(trueMicros + wrongMicros);
    assertThat(told).isEmpty();
  }

  @Test
  void aMachineThatWasSuspendedIsRightWhenItGoesOn() {
    trueMicros += 3_600 * SECOND;
    suspendedMicros += 3_590 * SECOND;
    assertThat(look()).isEqualTo(trueMicros);
    assertThat(told).isEmpty();
    trueMicros += 10 * SECOND;
    wrongMicros = 60 * SECOND;
    assertThat(look()).as("a jump later").isEqualTo(trueMicros);
    trueMicros += 7 * SECOND;
    suspendedMicros += 7 * SECOND;
    assertThat(look()).as("suspended while it is wrong").isEqualTo(trueMicros);
  }

  /** A thread that waits for a processor between its looks at the two clocks. */
  @Test
  void aThreadThatIsHeldUpBetweenTheClocksIsNoJump() {
    trueMicros += SECOND;
    heldUpMicros = 400_000;
    heldUpTimes = 3;
    assertThat(look()).isEqualTo(trueMicros);
    heldUpTimes = 1_000;
    assertThat(look()).as("again and again").isEqualTo(trueMicros);
    heldUpTimes = 0;
    assertThat(look()).isEqualTo(trueMicros);
    assertThat(told).isEmpty();
    assertThat(clock.ignoredMicros()).isZero();
  }

  /** Whatever was slewed, jumped and slept: what is told is the truth but for what was slewed. */
  @Test
  void itIsNeverFurtherFromTheTruthThanItWasSlewed() {
    Random random = new Random(SEED);
    long slewed = 0;
    for (int step = 0; step < 20_000; step++) {
      long passed = random.nextInt(4) == 0 ? 0 : random.nextLong(3 * SECOND);
      trueMicros += passed;
      switch (random.nextInt(8)) {
        case 0 ->
            wrongMicros +=
                (random.nextBoolean() ? 1 : -1) * (SECOND + random.nextLong(9_000 * SECOND));
        case 1 -> {
          long slept = SECOND + random.nextLong(9_000 * SECOND);
          trueMicros += slept;
          suspendedMicros += slept;
        }
        default -> {
          long slew = (random.nextLong(3) - 1) * (passed / 200);
          wrongMicros += slew;
          slewed += slew;
        }
      }
      assertThat(look()).as("step %d, seed %d", step, SEED).isEqualTo(trueMicros + slewed);
    }
  }
}
