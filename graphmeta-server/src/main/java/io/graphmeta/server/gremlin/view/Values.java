package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.answers.AnswerRow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of an element, as {@code valueMap()} gives them: a list for each key. Pure. */
final class Values {
  private final Map<?, ?> values;

  Values(@Nullable Object map) {
    this.values = map instanceof Map<?, ?> given ? given : Map.of();
  }

  /** The first value of a key; null if there is none. */
  @Nullable Object get(String key) {
    Object value = values.get(key);
    return value instanceof List<?> list ? list.isEmpty() ? null : list.get(0) : value;
  }

  /** The value as a text; empty if there is none. */
  String text(String key) {
    Object value = get(key);
    return value == null ? "" : value.toString();
  }

  /** A number that is not below 0; null if there is none. */
  @Nullable Long number(String key) {
    return get(key) instanceof Number number ? Math.max(0, number.longValue()) : null;
  }

  long numberOr0(String key) {
    Long number = number(key);
    return number == null ? 0 : number;
  }

  /** A time in microseconds since 1970; null if there is none. */
  @Nullable Long micros(String key) {
    long micros = AnswerRow.micros(get(key));
    return micros == 0 ? null : micros;
  }
}
