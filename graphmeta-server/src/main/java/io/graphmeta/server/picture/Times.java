package io.graphmeta.server.picture;

import io.graphmeta.provenance.folding.Box;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * Times of a picture, in UTC: of a picture of one day the time alone, of longer ones with the date.
 * Immutable.
 *
 * @param ofOneDay whether everything began on the same day
 */
record Times(boolean ofOneDay) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
  private static final DateTimeFormatter BOTH =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

  static Times of(List<Box> boxes) {
    long first = boxes.stream().mapToLong(Box::firstMicros).min().orElse(0);
    long last = boxes.stream().mapToLong(Box::lastMicros).max().orElse(0);
    return new Times(DATE.format(at(first)).equals(DATE.format(at(last))));
  }

  private static OffsetDateTime at(long micros) {
    return OffsetDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  /** When the first and the last of a box began. */
  String range(Box box) {
    String first = (ofOneDay ? TIME : BOTH).format(at(box.firstMicros()));
    String last = (ofOneDay ? TIME : BOTH).format(at(box.lastMicros()));
    if (first.equals(last)) {
      return first;
    }
    boolean sameDay = !ofOneDay && first.substring(0, 10).equals(last.substring(0, 10));
    return first + " – " + (sameDay ? last.substring(11) : last);
  }

  /** As {@link #range}, with everything. */
  static String exact(Box box) {
    String first = EXACT.format(at(box.firstMicros()));
    String last = EXACT.format(at(box.lastMicros()));
    return (first.equals(last) ? first : first + " – " + last) + " UTC";
  }
}
