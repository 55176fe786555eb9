package io.graphmeta.server.answers;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.time.Stamp;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of one map of an answer. */
public final class AnswerRow {
  private static final Map<String, Doubt> DOUBTS = new HashMap<>();

  static {
    for (Doubt doubt : Doubt.values()) {
      DOUBTS.put(doubt.word(), doubt);
    }
  }

  private AnswerRow() {}

  /** The doubts that a map tells. */
  public static Set<Doubt> doubts(Map<String, Object> row) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (Object word : (List<?>) row.getOrDefault("doubts", List.of())) {
      doubts.add(DOUBTS.get((String) word));
    }
    return doubts;
  }

  /** The text under a key; empty if there is none. */
  public static String text(Map<String, Object> row, String key) {
    return String.valueOf(row.getOrDefault(key, ""));
  }

  /** A date in microseconds since 1970; 0 for none. */
  public static long micros(@Nullable Object date) {
    return date instanceof OffsetDateTime time ? Stamp.epochMicros(time.toInstant()) : 0;
  }
}
