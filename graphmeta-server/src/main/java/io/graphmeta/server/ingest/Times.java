package io.graphmeta.server.ingest;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Times as values of properties: in UTC, to the microsecond. */
final class Times {
  private Times() {}

  static OffsetDateTime of(long epochMicros) {
    return of(Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS));
  }

  static OffsetDateTime of(Instant moment) {
    return OffsetDateTime.ofInstant(moment.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }
}
