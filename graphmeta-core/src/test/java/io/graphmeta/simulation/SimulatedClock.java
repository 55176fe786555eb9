package io.graphmeta.simulation;

import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/** A clock that is wrong, drifts, and jumps. */
final class SimulatedClock implements InstantSource {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private long offsetMicros;
  private double rate = 1;
  private long sinceMicros;

  SimulatedClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Instant instant() {
    long passed = scheduler.now() - sinceMicros;
    return START.plus(offsetMicros + sinceMicros + (long) (passed * rate), ChronoUnit.MICROS);
  }

  /** Sets the clock to a moment near the true one, from which it drifts. */
  void disturb(SplittableRandom random, long maxOffsetMicros) {
    sinceMicros = scheduler.now();
    offsetMicros = random.nextLong(-maxOffsetMicros, maxOffsetMicros + 1);
    rate = 1 + random.nextDouble(-0.01, 0.01);
  }

  /** Sets the clock back, further than clocks may be wrong. */
  void setBack(long micros) {
    offsetMicros -= micros;
  }

  /** How far a stamp lies ahead of a true time, in microseconds; negative if it lies behind. */
  static long aheadMicros(long stamp, long trueMicros) {
    return Stamp.micros(stamp) - Stamp.epochMicros(START.plus(trueMicros, ChronoUnit.MICROS));
  }

  /** Sets the clock right. */
  void correct() {
    offsetMicros = 0;
    sinceMicros = 0;
    rate = 1;
  }

  @Override
  public String toString() {
    return instant().toString();
  }
}
