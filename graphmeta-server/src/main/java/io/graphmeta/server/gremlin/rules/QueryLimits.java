package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a query may gather and make while it runs. Immutable.
 *
 * @param maxFrontier traversers that a step may gather
 * @param maxLoops rounds of a repeat
 * @param maxValueSize size of one value, as {@link #size} has it
 */
public record QueryLimits(int maxFrontier, int maxLoops, int maxValueSize) {
  /** Parts that one step may put together to one text: arguments of concat, holes of format. */
  static final int MAX_TEXT_PARTS = 32;

  /** More digits than any sensible number has; without an end, 1E999999999 + 1 takes all memory. */
  private static final int MAX_DECIMAL_SCALE = 10_000;

  /** Refuses a decimal whose digits would not end when it is written out. */
  public static void requireScale(int scale) {
    if (Math.abs((long) scale) > MAX_DECIMAL_SCALE) {
      throw Refusal.invalid(
          "A decimal has a scale of " + scale + "; expected one up to " + MAX_DECIMAL_SCALE);
    }
  }

  static QueryLimits of(ServerSettings settings) {
    return new QueryLimits(
        settings.integer(ServerSetting.MAX_FRONTIER),
        settings.integer(ServerSetting.MAX_LOOPS),
        settings.integer(ServerSetting.MAX_VALUE_SIZE));
  }

  /** Refuses a list that is to be multiplied by another, if both of its size would be too many. */
  void requireProductSide(@Nullable Object value) {
    int most = Math.max(1, (int) Math.sqrt(maxValueSize));
    if (value instanceof Collection<?> collection && collection.size() > most) {
      throw Refusal.invalid(
          "product() takes lists of at most "
              + most
              + " members (the root of "
              + ServerSetting.MAX_VALUE_SIZE.key()
              + ")");
    }
  }

  void requireGathered(long traversers, String step) {
    if (traversers > maxFrontier) {
      throw Refusal.invalid(
          "The step "
              + step
              + " gathers more than "
              + maxFrontier
              + " traversers ("
              + ServerSetting.MAX_FRONTIER.key()
              + "); ask for less at a time");
    }
  }

  void requireLoops(long loops) {
    if (loops > maxLoops) {
      throw Refusal.invalid(
          "repeat() goes round more than "
              + maxLoops
              + " times ("
              + ServerSetting.MAX_LOOPS.key()
              + "); give it an end, by times() or until()");
    }
  }

  void requireValue(@Nullable Object value, String step) {
    if (size(value, maxValueSize) > maxValueSize) {
      throw Refusal.invalid(
          "A value at the step "
              + step
              + " is larger than "
              + maxValueSize
              + " characters or members ("
              + ServerSetting.MAX_VALUE_SIZE.key()
              + ")");
    }
  }

  /** Characters of a text, digits of a number, members of a collection; counted up to an end. */
  static long size(@Nullable Object value, long end) {
    if (value instanceof CharSequence text) {
      return text.length();
    }
    if (value instanceof BigInteger number) {
      return number.bitLength() / 3;
    }
    if (value instanceof BigDecimal number) {
      return number.precision() + Math.abs((long) number.scale());
    }
    long size = 1;
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (size > end) {
          return size;
        }
        size += size(entry.getKey(), end - size) + size(entry.getValue(), end - size);
      }
    } else if (value instanceof Collection<?> collection) {
      for (Object member : collection) {
        if (size > end) {
          return size;
        }
        size += size(member, end - size);
      }
    }
    return size;
  }
}
