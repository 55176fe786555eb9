package io.graphmeta.time;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Hands out stamps that always grow: the physical time where it is ahead, else one more than the
 * last (hybrid logical clock, Kulkarni et al., 2014). A physical clock that jumps back slows the
 * stamps down but never turns them.
 *
 * <p>Safe for use by many threads.
 */
public final class HybridClock {
  // An hour below the end, so that sums of stamps and durations stay in range.
  private static final long LAST = Stamp.plusMicros(Stamp.MAX, -3_600_000_000L);

  private final InstantSource physical;
  private final long maxOffsetMicros;
  private long last;

  /**
   * A clock that starts above {@code last}.
   *
   * @param maxOffsetMicros how far a stamp seen elsewhere may lie ahead of the physical time
   */
  public HybridClock(InstantSource physical, long last, long maxOffsetMicros) {
    this.physical = physical;
    this.last = last;
    this.maxOffsetMicros = maxOffsetMicros;
  }

  /**
   * A new stamp, above all handed out and above {@code seen}.
   *
   * @param seen the highest stamp that the caller has seen, or 0
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if {@code seen} is further ahead than
   *     {@linkplain #requireNear allowed}; nothing changes
   */
  public synchronized long tick(long seen) {
    long now = physicalStamp();
    if (seen > last) {
      requireNear(seen, now);
    }
    long stamp = Math.max(now, Math.max(last, seen) + 1);
    if (stamp >= LAST) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED, "The clock has reached the last stamp, in the year 2255");
    }
    last = stamp;
    return stamp;
  }

  /**
   * Fails if a stamp is further ahead than allowed: of the physical time, or of the last stamp if
   * the physical clock has jumped back behind it.
   *
   * @throws GraphMetaException {@code MISMATCHED_SETTINGS}
   */
  public synchronized void requireNear(long stamp) {
    requireNear(stamp, physicalStamp());
  }

  private void requireNear(long stamp, long now) {
    if (Stamp.micros(stamp) > Math.max(Stamp.micros(now), Stamp.micros(last)) + maxOffsetMicros) {
      throw new GraphMetaException(
          ErrorCode.MISMATCHED_SETTINGS,
          "Stamp "
              + Stamp.format(stamp)
              + " lies more than "
              + maxOffsetMicros / 1000
              + " ms ahead of this shard's clock ("
              + Stamp.format(now)
              + "); set the clocks right");
    }
  }

  /**
   * How long it takes until the physical time reaches a stamp, in microseconds; below 0 if past.
   */
  public long microsUntil(long stamp) {
    return Stamp.micros(stamp) - Stamp.micros(physicalStamp());
  }

  /** How far a stamp seen elsewhere may lie ahead of the physical time, in microseconds. */
  public long maxOffsetMicros() {
    return maxOffsetMicros;
  }

  /** Hands out nothing at or below a stamp that was made of the time of this clock. */
  public synchronized void pass(long stamp) {
    last = Math.max(last, stamp);
  }

  /** The last stamp handed out. */
  public synchronized long last() {
    return last;
  }

  /** The physical time as a stamp. */
  public long physicalStamp() {
    Instant now = physical.instant();
    return Stamp.startOfMicros(now.getEpochSecond() * 1_000_000 + now.getNano() / 1000);
  }
}
