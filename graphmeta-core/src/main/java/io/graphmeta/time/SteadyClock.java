package io.graphmeta.time;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/*
 * Why a clock that jumps is not followed
 *
 * A stamp is the greatest time that a shard has seen. If the clock of one machine is an hour ahead for a
 * second, a commit of that second has a stamp of an hour later, and whoever has seen it may not read below
 * it: other shards refuse that stamp, or wait for an hour, and the shard itself gives stamps ahead of time
 * until then. So a jump must not reach a stamp.
 *
 * The time since the last look is measured by a second clock as well, the monotonic one, which nobody sets.
 * Where the two agree but for a little, the clock goes at its own pace, as one does that is slewed, and is
 * followed. Where they do not, it was set: the difference is kept, and taken off from then on. A clock that
 * is set wrong and then right again has two such differences, which cancel out.
 *
 * A machine that was suspended is no such case. Its monotonic clock stood still meanwhile, and its clock is
 * right, since it tells for how long.
 */

/**
 * The time of day of a machine, without its jumps. Who sees that its clock is wrong sets it right
 * and starts the process again. Safe for use by many threads.
 */
public final class SteadyClock implements InstantSource {
  /** Less than clocks may differ, so that what is not followed need not keep nodes apart. */
  private static final long MOST_MICROS = 200_000;

  /** The part of the time since the last look by which a clock may be fast or slow: 1 %. */
  private static final long PACE = 100;

  /** Within so long the two clocks are looked at, or again: a thread can wait between the two. */
  private static final long TOGETHER_NANOS = 5_000_000;

  private static final int ATTEMPTS = 10;

  private final InstantSource physical;
  private final LongSupplier monotonicNanos;
  private final LongSupplier suspendedMicros;
  private final Consumer<String> told;
  private long lastMicros;
  private long lastNanos;
  private long lastSuspended;

  /** How far the physical clock is ahead of the steady one. */
  private long ignoredMicros;

  /**
   * Begins with what a clock says now.
   *
   * @param monotonicNanos a time that nobody sets, in nanoseconds
   * @param suspendedMicros for how long the machine was suspended since some moment, in
   *     microseconds; asked only when the clock seems to have jumped
   * @param told is told of jumps
   */
  public SteadyClock(
      InstantSource physical,
      LongSupplier monotonicNanos,
      LongSupplier suspendedMicros,
      Consumer<String> told) {
    this.physical = physical;
    this.monotonicNanos = monotonicNanos;
    this.suspendedMicros = suspendedMicros;
    this.told = told;
    this.lastSuspended = suspendedMicros.getAsLong();
    this.lastMicros = micros(physical.instant());
    this.lastNanos = monotonicNanos.getAsLong();
  }

  /** How far the clock of the machine is ahead, in microseconds; below 0 if it is behind. */
  public synchronized long ignoredMicros() {
    return ignoredMicros;
  }

  @Override
  public synchronized Instant instant() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = monotonicNanos.getAsLong();
      long micros = micros(physical.instant());
      long after = monotonicNanos.getAsLong();
      if (after - before <= TOGETHER_NANOS) {
        look(micros, after);
        return moment(micros - ignoredMicros);
      }
    }
    // This thread waits for a processor again and again: what the clock says now may be of long
    // ago.
    long passed = TimeUnit.NANOSECONDS.toMicros(monotonicNanos.getAsLong() - lastNanos);
    return moment(lastMicros - ignoredMicros + passed);
  }

  private void look(long micros, long nanos) {
    long passed = TimeUnit.NANOSECONDS.toMicros(nanos - lastNanos);
    long mostMicros = MOST_MICROS + passed / PACE;
    long jumped = micros - lastMicros - passed;
    if (Math.abs(jumped) > mostMicros) {
      long suspended = suspendedMicros.getAsLong();
      jumped -= suspended - lastSuspended;
      lastSuspended = suspended;
      if (Math.abs(jumped) > mostMicros) {
        ignoredMicros += jumped;
        tell(jumped);
      }
    }
    lastMicros = micros;
    lastNanos = nanos;
  }

  private static Instant moment(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private void tell(long jumped) {
    told.accept(
        "The clock of this machine was set by "
            + jumped / 1_000
            + " ms, which is not followed: it is taken to be wrong by "
            + ignoredMicros / 1_000
            + " ms. Set it right, or start this process again if it is right now");
  }

  private static long micros(Instant moment) {
    return TimeUnit.SECONDS.toMicros(moment.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(moment.getNano());
  }
}
