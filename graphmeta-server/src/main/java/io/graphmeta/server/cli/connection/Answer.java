package io.graphmeta.server.cli.connection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map of the answer of a service, with its fields by their types. A field that is left out counts
 * as empty, or 0.
 */
public record Answer(Map<String, ?> fields) {
  /** The text of a field. */
  public String text(String field) {
    @Nullable Object value = fields.get(field);
    return value == null ? "" : value.toString();
  }

  /** The whole number of a field. */
  public long number(String field) {
    return fields.get(field) instanceof Number number ? number.longValue() : 0;
  }

  /** The number of a field. */
  public double real(String field) {
    return fields.get(field) instanceof Number number ? number.doubleValue() : 0;
  }

  /** The map in a field. */
  public Answer map(String field) {
    return fields.get(field) instanceof Map<?, ?> map ? of(map) : new Answer(Map.of());
  }

  /** Numbers by their names. */
  public Map<String, Long> counts(String field) {
    Answer map = map(field);
    Map<String, Long> counts = new LinkedHashMap<>();
    map.fields().keySet().forEach(name -> counts.put(name, map.number(name)));
    return counts;
  }

  /** The list in a field. */
  public List<?> list(String field) {
    return fields.get(field) instanceof List<?> list ? list : List.of();
  }

  /** The list of maps in a field. */
  public List<Answer> maps(String field) {
    List<Answer> maps = new ArrayList<>();
    list(field).forEach(each -> maps.add(of((Map<?, ?>) each)));
    return maps;
  }

  private static Answer of(Map<?, ?> map) {
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((key, value) -> fields.put(String.valueOf(key), value));
    return new Answer(fields);
  }
}
