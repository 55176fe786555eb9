package io.graphmeta.time;

import io.graphmeta.error.GraphMetaException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Date;

/**
 * Stamps of versions: a positive {@code long} of 53 bits of microseconds since 1970 and 10 bits of
 * counter, so that stamps order as numbers and read as times (hybrid logical clock of Kulkarni et
 * al., 2014). Years 1970 to 2255.
 *
 * <p>A moment given by a user has no counter; as a point of view it stands for the last stamp of
 * its microsecond ({@link #endOf}), as the time of an event for the first ({@link #startOf}).
 */
public final class Stamp {
  /** In place of the valid stamp of a write: valid from the commit on. */
  public static final long AT_COMMIT = 0;

  /** The smallest stamp that a version can have. */
  public static final long MIN = 1;

  /** Above every stamp of a version. */
  public static final long MAX = Long.MAX_VALUE;

  static final int COUNTER_BITS = 10;
  private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
  private static final long MAX_MICROS = Long.MAX_VALUE >>> COUNTER_BITS;
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private Stamp() {}

  /** The first stamp of a microsecond. */
  public static long startOfMicros(long epochMicros) {
    if (epochMicros < 0 || epochMicros > MAX_MICROS) {
      throw GraphMetaException.invalid(
          "Time "
              + epochMicros
              + " microseconds since 1970 is out of range; expected 1970-01-01 to 2255-06-05");
    }
    return Math.max(MIN, epochMicros << COUNTER_BITS);
  }

  /** The last stamp of a microsecond. */
  public static long endOfMicros(long epochMicros) {
    return startOfMicros(epochMicros) | COUNTER_MASK;
  }

  /**
   * The first stamp of the microsecond of a moment: when something that happened then began to be
   * true.
   *
   * @throws GraphMetaException for a moment that no stamp can say
   */
  public static long startOf(Instant moment) {
    return startOfMicros(requireStampable(moment));
  }

  /**
   * The last stamp of the microsecond of a moment: a view from then sees all that happened up to
   * it. One from behind the last stamp sees everything.
   *
   * @throws GraphMetaException for a moment before the first stamp
   */
  public static long endOf(Instant moment) {
    return epochMicros(moment) > MAX_MICROS ? MAX : endOfMicros(requireStampable(moment));
  }

  /** Microseconds since 1970; those of the far past and future are the least and greatest. */
  public static long epochMicros(Instant moment) {
    long seconds = moment.getEpochSecond();
    if (Math.abs(seconds) > Long.MAX_VALUE / 2_000_000) {
      return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return seconds * 1_000_000 + moment.getNano() / 1000;
  }

  private static long requireStampable(Instant moment) {
    long micros = epochMicros(moment);
    if (micros < 0 || micros > MAX_MICROS) {
      throw GraphMetaException.invalid(
          "Time " + moment + " is out of range; expected 1970-01-01 to 2255-06-05");
    }
    return micros;
  }

  /** The microseconds since 1970 of a stamp. */
  public static long micros(long stamp) {
    return stamp >>> COUNTER_BITS;
  }

  /** A stamp so much later. */
  public static long plusMicros(long stamp, long micros) {
    return stamp + (micros << COUNTER_BITS);
  }

  /** The moment of a stamp, without its counter. */
  public static Instant instant(long stamp) {
    return Instant.EPOCH.plus(micros(stamp), ChronoUnit.MICROS);
  }

  /** ISO-8601 text in UTC with microseconds, without the counter. */
  public static String format(long stamp) {
    return TEXT.format(instant(stamp));
  }

  /**
   * The point of view that a user means by a value: an ISO-8601 text (a date alone is its start;
   * without zone it is UTC), epoch milliseconds as a number or text of digits, an {@link
   * OffsetDateTime}, {@link Instant} or {@link Date}. A date behind the last stamp stands for it; a
   * number behind it is likely to be no milliseconds, and is none.
   *
   * @throws GraphMetaException if the value is none of these, or before 1970
   */
  public static long viewpoint(Object value) {
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return endOfMillis(((Number) value).longValue());
    }
    if (value instanceof java.math.BigInteger number && number.bitLength() < 63) {
      return endOfMillis(number.longValue());
    }
    if (value instanceof Double || value instanceof Float) {
      double millis = ((Number) value).doubleValue();
      if (millis == Math.rint(millis) && Math.abs(millis) < 1L << 53) {
        return endOfMillis((long) millis);
      }
    }
    if (value instanceof OffsetDateTime dateTime) {
      return endOf(dateTime.toInstant());
    }
    if (value instanceof Instant instant) {
      return endOf(instant);
    }
    if (value instanceof Date date) {
      return endOf(Instant.ofEpochMilli(date.getTime()).plus(999, ChronoUnit.MICROS));
    }
    if (value instanceof String text) {
      return endOf(parse(text));
    }
    throw notATime(value);
  }

  private static long endOfMillis(long epochMillis) {
    if (epochMillis < 0 || epochMillis > MAX_MICROS / 1000) {
      throw notATime(epochMillis);
    }
    // A millisecond has 1000 microseconds: the view reaches to the end of the last of them.
    return endOfMicros(epochMillis * 1000 + 999);
  }

  private static Instant parse(String given) {
    String text = given.strip();
    try {
      if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
        long millis = Long.parseLong(text);
        if (millis > MAX_MICROS / 1000) {
          throw notATime(given);
        }
        return Instant.ofEpochMilli(millis).plus(999, ChronoUnit.MICROS);
      }
      if (text.indexOf('T') < 0 && text.indexOf(' ') < 0 && text.indexOf(':') < 0) {
        return LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
      }
      String iso = text.replace(' ', 'T');
      int time = iso.indexOf('T');
      boolean zoned =
          time > 0
              && (iso.endsWith("Z") || iso.indexOf('+', time) > 0 || iso.indexOf('-', time) > 0);
      return zoned
          ? OffsetDateTime.parse(iso).toInstant()
          : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException | NumberFormatException e) {
      throw notATime(given);
    } catch (DateTimeException e) {
      throw notATime(given);
    }
  }

  private static GraphMetaException notATime(Object value) {
    return GraphMetaException.invalid(
        "'"
            + value
            + "' ("
            + value.getClass().getSimpleName()
            + ") is not a time; expected ISO-8601 text such as"
            + " 2026-11-21T00:35:25Z, epoch milliseconds, or a date");
  }
}
