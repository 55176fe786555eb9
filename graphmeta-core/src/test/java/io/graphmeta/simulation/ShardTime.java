package io.graphmeta.simulation;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The time by which one process measures how long something takes: virtual time, and the pauses
 * that the process has made. A pause happens when the time is asked for, so that it falls within
 * what is measured, which virtual time alone never does.
 */
final class ShardTime implements LongSupplier {
  /** Longer than a shard works on a level before it tells its client. */
  private static final long PAUSE_NANOS = Options.REQUEST_MILLIS * 1_000_000 / 3;

  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final double pauses;
  private long pausedNanos;

  /**
   * The time of a process that begins.
   *
   * @param pauses the chance of one each time that it is asked for
   */
  ShardTime(Scheduler scheduler, SplittableRandom random, double pauses) {
    this.scheduler = scheduler;
    this.random = random;
    this.pauses = pauses;
  }

  @Override
  public long getAsLong() {
    if (pauses > 0 && random.nextDouble() < pauses) {
      pausedNanos += PAUSE_NANOS;
    }
    return scheduler.now() * 1_000 + pausedNanos;
  }
}
