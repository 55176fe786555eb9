package io.graphmeta.router;

import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;

/**
 * How far ahead of the clock transactions over several shards put their stamps. A snapshot that
 * another thread takes while the parts are on their way closes its own moment on all shards; the
 * part that arrives behind it is refused when its stamp is not later, and the transaction has to be
 * sent again. A stamp as far ahead as the parts need to arrive is not refused, and is no longer in
 * the future when the transaction is over.
 *
 * <p>The lead is a share of the time that transactions take. The share grows when a part came too
 * late, and shrinks slowly while none does: so a client without others leads by nothing. A race of
 * two threads can lose a change of it, which does no harm. Safe for use by many threads.
 */
final class StampLead {
  /** The greatest lead. */
  static final long MAX_MICROS = 10_000;

  private static final double RAISE = 1.0 / 8;
  private static final double LOWER = 1.0 / 128;
  private static final double NEWEST = 1.0 / 8;

  private final HybridClock clock;
  private final long maxMicros;
  private volatile double share;
  private volatile double durationMicros;

  /** The lead by a clock, which is less than clocks may differ. */
  StampLead(HybridClock clock) {
    this.clock = clock;
    this.maxMicros = Math.min(MAX_MICROS, clock.maxOffsetMicros() / 4);
  }

  /** The stamp of now. */
  long now() {
    return clock.physicalStamp();
  }

  /** How far the next transaction should lead. */
  long micros() {
    return (long) Math.min(maxMicros, share * durationMicros);
  }

  /** The parts that were sent at some moment came in time, and were answered. */
  void cameInTime(long sent) {
    answered(sent);
    share -= share * LOWER;
  }

  /** A part that was sent at some moment came too late. */
  void cameTooLate(long sent) {
    answered(sent);
    share += (1 - share) * RAISE;
  }

  private void answered(long sent) {
    long micros = Stamp.micros(clock.physicalStamp()) - Stamp.micros(sent);
    double duration = Math.max(0, Math.min(micros, maxMicros));
    durationMicros += (duration - durationMicros) * NEWEST;
  }
}
