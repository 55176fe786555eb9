package io.graphmeta.server.cli.output;

import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value as Gremlin prints it, but times with their seconds: Java leaves these out of a time of a
 * whole minute, and who reads a column of times reads one form of them.
 */
public final class ValueText {
  private ValueText() {}

  /** A value, or a list or a map of some. */
  public static String of(@Nullable Object value) {
    return String.valueOf(withTimes(value));
  }

  /** A time, such as {@code 2026-11-28T18:43:00Z}. */
  public static String of(OffsetDateTime time) {
    boolean isWholeMinute = time.getSecond() == 0 && time.getNano() == 0;
    return isWholeMinute ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time) : time.toString();
  }

  private static @Nullable Object withTimes(@Nullable Object value) {
    if (value instanceof OffsetDateTime time) {
      return of(time);
    } else if (value instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>(list.size());
      list.forEach(each -> all.add(withTimes(each)));
      return all;
    } else if (value instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
      map.forEach((key, each) -> all.put(withTimes(key), withTimes(each)));
      return all;
    } else if (value instanceof Map.Entry<?, ?> entry) {
      return of(entry.getKey()) + "=" + of(entry.getValue());
    }
    return value;
  }
}
