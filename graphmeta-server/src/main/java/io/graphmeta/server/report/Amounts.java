package io.graphmeta.server.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers and times as people read them. */
final class Amounts {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Amounts() {}

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Bytes to three digits, in powers of 1,000. */
  static String bytes(double bytes) {
    double left = bytes;
    int unit = 0;
    while (left >= 999.5 && unit < UNITS.length - 1) {
      left /= 1_000;
      unit++;
    }
    String form = unit == 0 || left >= 99.95 ? "%.0f %s" : left >= 9.995 ? "%.1f %s" : "%.2f %s";
    return String.format(Locale.ROOT, form, left, UNITS[unit]);
  }

  static String seconds(double seconds) {
    if (seconds < 60) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.3f s" : "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < 3_600
        ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%,d h %02d min", whole / 3_600, whole / 60 % 60);
  }

  static String time(long micros) {
    return TIME.format(instant(micros));
  }

  /** For programs, to the microsecond. */
  static String isoTime(long micros) {
    return instant(micros).toString();
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
