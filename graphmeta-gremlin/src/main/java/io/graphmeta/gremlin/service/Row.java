package io.graphmeta.gremlin.service;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds one map of an answer; absent and empty values are left out of it. */
final class Row {
  /** The key that marks the last map of an answer which a limit cut short. */
  static final String PARTIAL = "partial";

  /** The key that tells that this limit was the one on time. */
  static final String OUT_OF_TIME = "outOfTime";

  /** In place of a time: the content before the first recorded write. */
  static final String INITIAL = "initial";

  private final Map<String, Object> fields = new LinkedHashMap<>();

  Row put(String key, @Nullable Object value) {
    boolean empty =
        value == null
            || "".equals(value)
            || (value instanceof Collection<?> all && all.isEmpty())
            || (value instanceof Map<?, ?> map && map.isEmpty());
    if (!empty) {
      fields.put(key, value);
    }
    return this;
  }

  /** A date; 0 is none. */
  Row time(String key, long micros) {
    return put(
        key,
        micros == 0
            ? null
            : OffsetDateTime.ofInstant(
                Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC));
  }

  Row doubts(Collection<Doubt> doubts) {
    return put("doubts", doubts.stream().sorted().map(Doubt::word).toList());
  }

  Map<String, Object> toMap() {
    return fields;
  }

  /** A time as text to the microsecond, which every language gives back as it is. */
  static String text(long micros) {
    return micros == 0 ? INITIAL : Stamp.format(Stamp.startOfMicros(micros));
  }

  /** Marks a lineage that was cut short, on its last map. */
  static void markPartial(List<Map<String, Object>> rows, Lineage lineage) {
    markPartial(rows, lineage.partial());
    if (lineage.outOfTime() && !rows.isEmpty()) {
      rows.get(rows.size() - 1).put(OUT_OF_TIME, true);
    }
  }

  /** Marks an answer that was cut short, on its last map. */
  static void markPartial(List<Map<String, Object>> rows, boolean partial) {
    if (partial && !rows.isEmpty()) {
      rows.get(rows.size() - 1).put(PARTIAL, true);
    }
  }
}
