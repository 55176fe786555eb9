package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the clock of a log said when the job started.
 *
 * <p>Up to format 2.02 the times in records are those of a clock of which the log says nothing:
 * seconds since 1970 on clusters, since the start of the partition on Blue Gene, since the start of
 * a node elsewhere. Three cases are told apart, and none of them places an access later than it can
 * have been:
 *
 * <ul>
 *   <li>All times lie between start and end as seconds since 1970: they are that.
 *   <li>They lie no further apart than start and end: the first one is taken as the start. All may
 *       be early, by the time of the job that is left over.
 *   <li>They lie further apart, so the nodes had clocks of their own: the first one of each record
 *       is taken as the start. All may be early by the whole time of the job; only the order within
 *       a record is kept.
 * </ul>
 *
 * @param slackMillis by how much all times may be early besides
 * @param originSeconds what the clock said at the start; empty if each record has its own
 */
record StreamClock(long slackMillis, Optional<Double> originSeconds) {
  /** A clock that started with the job. */
  static final StreamClock FROM_START = new StreamClock(0, Optional.of(0.0));

  /** Start and end are cut off to the second, and taken a little inside of the first access. */
  private static final double TOLERANCE_SECONDS = 1.5;

  private static final List<String> TIMES =
      List.of(
          "CP_F_OPEN_TIMESTAMP",
          "CP_F_READ_START_TIMESTAMP",
          "CP_F_WRITE_START_TIMESTAMP",
          "CP_F_CLOSE_TIMESTAMP",
          "CP_F_READ_END_TIMESTAMP",
          "CP_F_WRITE_END_TIMESTAMP");

  /** The first and the last time of some records; the first is infinite if there are none. */
  private record Span(double first, double last) {
    static final Span NONE = new Span(Double.POSITIVE_INFINITY, 0);

    Span and(Span other) {
      return new Span(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  /**
   * The clock of a log.
   *
   * @param records the records, each of {@link StreamCounters#LAYOUT}
   */
  static StreamClock of(Instant start, Optional<Instant> end, ByteBuffer records) {
    Span all = Span.NONE;
    for (int at = 0; at < records.limit(); at += StreamCounters.LAYOUT.recordBytes()) {
      all = all.and(span(records, at));
    }
    double startSeconds = start.getEpochSecond();
    double lasted = end.map(Instant::getEpochSecond).orElse(0L) - startSeconds;
    if (all.first() == Double.POSITIVE_INFINITY) {
      return FROM_START;
    }
    if (all.first() >= startSeconds - TOLERANCE_SECONDS
        && all.last() <= startSeconds + Math.max(0, lasted) + TOLERANCE_SECONDS) {
      return new StreamClock(0, Optional.of(startSeconds));
    }
    double left = Math.max(0, lasted) + TOLERANCE_SECONDS - (all.last() - all.first());
    return left >= 0
        ? new StreamClock(Math.round(left * 1000), Optional.of(all.first()))
        : new StreamClock(Math.round((Math.max(0, lasted) + 1) * 1000), Optional.empty());
  }

  /** What the clock of a record said at the start of the job. */
  double originOf(ByteBuffer records, int at) {
    if (originSeconds.isPresent()) {
      return originSeconds.get();
    }
    double first = span(records, at).first();
    return first == Double.POSITIVE_INFINITY ? 0 : first;
  }

  private static Span span(ByteBuffer records, int at) {
    Span span = Span.NONE;
    for (String name : TIMES) {
      double time = records.getDouble(at + StreamCounters.LAYOUT.timerOffset(name));
      if (time > 0 && time <= DarshanJob.MAX_RELATIVE_SECONDS) {
        span = span.and(new Span(time, time));
      }
    }
    return span;
  }
}
