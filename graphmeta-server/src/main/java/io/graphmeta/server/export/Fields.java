package io.graphmeta.server.export;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object, in the order in which they are put. Used by one thread. */
final class Fields {
  private final Map<String, Object> members = new LinkedHashMap<>();

  static Map<String, Object> of(String key, Object value) {
    return new Fields().put(key, value).toMap();
  }

  /** Puts a member; null, and a collection that is empty, is left out. */
  Fields put(String key, @Nullable Object value) {
    if (value != null && !(value instanceof Collection<?> all && all.isEmpty())) {
      members.put(key, value);
    }
    return this;
  }

  Fields putAll(Map<String, Object> others) {
    members.putAll(others);
    return this;
  }

  Map<String, Object> toMap() {
    return members;
  }
}
