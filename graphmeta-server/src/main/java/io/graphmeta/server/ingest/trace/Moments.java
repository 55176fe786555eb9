package io.graphmeta.server.ingest.trace;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;

/** Times as documents have them. Pure. */
final class Moments {
  /** Times of this range can be stamps. */
  private static final long MAX_MICROS = Long.MAX_VALUE >>> 10;

  private static final long MICROS_OF_SECOND = 1_000_000;

  private Moments() {}

  /**
   * Microseconds since 1970 of a date and time of ISO 8601; one without a zone is in UTC.
   *
   * @throws IllegalArgumentException if it is none, or not between 1970 and 2255
   */
  static long micros(String text) {
    try {
      TemporalAccessor time =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text.strip(), OffsetDateTime::from, LocalDateTime::from);
      Instant moment =
          time instanceof OffsetDateTime zoned
              ? zoned.toInstant()
              : ((LocalDateTime) time).toInstant(ZoneOffset.UTC);
      long seconds = moment.getEpochSecond();
      if (seconds <= 0 || seconds >= MAX_MICROS / MICROS_OF_SECOND) {
        throw new IllegalArgumentException(
            "the time " + text + " is out of range, expected 1970 to 2255");
      }
      return seconds * MICROS_OF_SECOND + moment.getNano() / 1_000;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time, expected one such as 2026-11-21T00:35:26Z", e);
    }
  }
}
