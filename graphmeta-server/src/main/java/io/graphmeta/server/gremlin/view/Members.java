package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.picture.VisibleText;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object, in the order in which they are put. Used by one thread. */
final class Members {
  private final Map<String, Object> members = new LinkedHashMap<>();

  /** Puts a member; null, empty texts and lists, and false are left out. */
  Members put(String key, @Nullable Object value) {
    boolean isEmpty =
        value == null
            || "".equals(value)
            || Boolean.FALSE.equals(value)
            || value instanceof Collection<?> all && all.isEmpty();
    if (!isEmpty) {
      members.put(key, value);
    }
    return this;
  }

  /** Puts a list that is there also if it is empty. */
  Members list(String key, List<?> values) {
    members.put(key, values);
    return this;
  }

  Members putAll(Map<String, Object> others) {
    members.putAll(others);
    return this;
  }

  Map<String, Object> toMap() {
    return members;
  }

  /** A value of the graph in forms that JSON has; texts are made visible. */
  static Object shown(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> object = new LinkedHashMap<>();
      map.forEach((key, inner) -> object.put(VisibleText.of(String.valueOf(key)), shown(inner)));
      return object;
    }
    if (value instanceof Collection<?> all) {
      List<Object> list = new ArrayList<>();
      all.forEach(inner -> list.add(shown(inner)));
      return list;
    }
    if (value instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    return value instanceof Number || value instanceof Boolean
        ? value
        : VisibleText.of(String.valueOf(value));
  }

  /** Maps among results. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> rows(List<Object> results) {
    List<Map<String, Object>> rows = new ArrayList<>(results.size());
    results.forEach(each -> rows.add((Map<String, Object>) each));
    return rows;
  }
}
