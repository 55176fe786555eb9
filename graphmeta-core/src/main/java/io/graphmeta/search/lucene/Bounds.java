package io.graphmeta.search.lucene;

import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.time.Stamp;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Order of numbers and of dates as ranges of points. A number lies at the nearest double, a date at
 * its microsecond. Both keep the order of {@code plan.ValueOrder} but for values that fall on one
 * point, and for pairs of a float with an int or a BigInteger, which are compared as floats. So
 * bounds are widened to what the operand is as a float, and count as part of the range, but where
 * no two different numbers can fall on one point.
 */
final class Bounds {
  /** Below it each whole number is a float, and no decimal between two floats reads as whole. */
  private static final double EXACT_AS_FLOAT = 1 << 23;

  private static final double EXACT_AS_DOUBLE = 1L << 53;

  private Bounds() {}

  /** The point of a number; null if it is comparable with none. */
  static @Nullable Double point(Number number) {
    double nearest = number.doubleValue();
    return Double.isNaN(nearest) ? null : nearest;
  }

  /** The point of a date of any type; null if the value is none. */
  static @Nullable Long micros(Object date) {
    if (date instanceof OffsetDateTime time) {
      return Stamp.epochMicros(time.toInstant());
    } else if (date instanceof Date old) {
      return Stamp.epochMicros(Instant.ofEpochMilli(old.getTime()));
    }
    return null;
  }

  /** A date at a point. */
  static OffsetDateTime date(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  /** The numbers in a field that may compare so with an operand. */
  static Query numbers(String field, Comparison comparison, Number operand) {
    Double at = point(operand);
    if (at == null) {
      return new MatchNoDocsQuery("nothing compares with NaN");
    }
    boolean exclusive = fallsOnNoOther(operand, at);
    double lower = Double.NEGATIVE_INFINITY;
    double upper = Double.POSITIVE_INFINITY;
    switch (comparison) {
      case LESS -> upper = exclusive ? DoublePoint.nextDown(at) : upper(operand, at);
      case LESS_OR_EQUAL -> upper = upper(operand, at);
      case GREATER -> lower = exclusive ? DoublePoint.nextUp(at) : lower(operand, at);
      case GREATER_OR_EQUAL -> lower = lower(operand, at);
      case EQUAL, NOT_EQUAL -> throw new IllegalArgumentException(comparison + " is no order");
    }
    return DoublePoint.newRangeQuery(field, lower, upper);
  }

  /** The dates in a field that may compare so with an operand. */
  static Query dates(String field, Comparison comparison, long micros) {
    return switch (comparison) {
      // Two dates at one instant follow one another by what clocks showed where they were taken.
      case LESS, LESS_OR_EQUAL -> LongPoint.newRangeQuery(field, Long.MIN_VALUE, micros);
      case GREATER, GREATER_OR_EQUAL -> LongPoint.newRangeQuery(field, micros, Long.MAX_VALUE);
      case EQUAL, NOT_EQUAL -> throw new IllegalArgumentException(comparison + " is no order");
    };
  }

  private static boolean fallsOnNoOther(Number operand, double at) {
    boolean asFloat =
        operand instanceof Float || operand instanceof Integer || operand instanceof BigInteger;
    return Math.abs(at) < (asFloat ? EXACT_AS_FLOAT : EXACT_AS_DOUBLE);
  }

  private static double lower(Number operand, double at) {
    // BigInteger knows one zero only, points have two.
    return at == 0 ? -0.0 : Math.min(at, asFloat(operand, at, -1));
  }

  private static double upper(Number operand, double at) {
    return at == 0 ? 0.0 : Math.max(at, asFloat(operand, at, 1));
  }

  /** How far to a side numbers lie that an operand does not tell from itself as a float. */
  private static double asFloat(Number operand, double at, int side) {
    if (operand instanceof Float number && Math.abs(at) >= EXACT_AS_FLOAT) {
      return side < 0 ? Math.nextDown(number) : Math.nextUp(number);
    }
    return operand instanceof Integer || operand instanceof BigInteger ? operand.floatValue() : at;
  }
}
