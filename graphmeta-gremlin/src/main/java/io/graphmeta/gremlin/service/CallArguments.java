package io.graphmeta.gremlin.service;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.error.Quoted;
import io.graphmeta.time.Stamp;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one call, checked: an unknown name, a value of another type or out of range is
 * an error that names the parameter, the value and what is expected. Used by one thread.
 */
final class CallArguments {
  private final String service;
  private final Map<String, CallParameter> parameters;
  private final Map<String, Object> values;

  private CallArguments(
      String service, Map<String, CallParameter> parameters, Map<String, Object> values) {
    this.service = service;
    this.parameters = parameters;
    this.values = values;
  }

  /**
   * The parameters of a call as TinkerPop hands them over.
   *
   * @throws GraphMetaException for a name that the service does not know and for null values
   */
  static CallArguments of(String service, Collection<CallParameter> known, Map<?, ?> given) {
    Map<String, CallParameter> parameters = new LinkedHashMap<>();
    known.forEach(each -> parameters.put(each.name(), each));
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : given.entrySet()) {
      Object key = plain(entry.getKey());
      if (!(key instanceof String name) || !parameters.containsKey(name)) {
        throw GraphMetaException.invalid(
            "Parameter "
                + Quoted.of(shown(key))
                + " of "
                + service
                + ", given as "
                + withType(plain(entry.getValue()))
                + ", is unknown; expected one of "
                + String.join(", ", parameters.keySet()));
      }
      Object value = plain(entry.getValue());
      if (value == null) {
        throw GraphMetaException.invalid(
            "Parameter '"
                + name
                + "' of "
                + service
                + " is null; expected "
                + Objects.requireNonNull(parameters.get(name)).expected()
                + ", or leave it out");
      }
      values.put(name, value);
    }
    return new CallArguments(service, parameters, values);
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof GValue<?> variable ? variable.get() : value;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** A text; null if not given. */
  @Nullable String text(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw mistyped(name, value);
  }

  /** One of some words; the first of them if not given. */
  String choice(String name, String... words) {
    Object value = values.get(name);
    if (value == null) {
      return words[0];
    }
    if (value instanceof String word && List.of(words).contains(word)) {
      return word;
    }
    throw mistyped(name, value);
  }

  /** The id of an element, or an element itself; null if not given. */
  @Nullable String id(String name) {
    Object value = values.get(name);
    return value == null ? null : id(name, value);
  }

  private String id(String name, @Nullable Object value) {
    Object id = plain(value) instanceof Element element ? element.id() : plain(value);
    if ((id instanceof String text && !text.isEmpty())
        || id instanceof Number
        || id instanceof UUID) {
      return id.toString();
    }
    throw mistyped(name, value);
  }

  /** Ids of elements, or elements; empty if not given. */
  List<String> ids(String name, int most) {
    List<String> ids = new ArrayList<>();
    for (Object each : several(name)) {
      ids.add(id(name, each));
    }
    if (ids.size() > most || (ids.isEmpty() && has(name))) {
      throw GraphMetaException.invalid(
          "Parameter '"
              + name
              + "' of "
              + service
              + " has "
              + ids.size()
              + " ids; expected 1 to "
              + most);
    }
    return ids.stream().distinct().toList();
  }

  /** Texts, one or several; empty if not given. */
  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object each : several(name)) {
      if (!(plain(each) instanceof String text)) {
        throw mistyped(name, each);
      }
      texts.add(text);
    }
    return texts;
  }

  /** As {@link #texts}, each once. */
  Set<String> distinctTexts(String name, int most) {
    Set<String> texts = new LinkedHashSet<>(texts(name));
    if (texts.size() > most || (texts.isEmpty() && has(name))) {
      throw GraphMetaException.invalid(
          "Parameter '"
              + name
              + "' of "
              + service
              + " has "
              + texts.size()
              + " values; expected 1 to "
              + most);
    }
    return texts;
  }

  private Collection<?> several(String name) {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof Object[] array) {
      return Arrays.asList(array);
    }
    return value instanceof Collection<?> all ? all : List.of(value);
  }

  /** A whole number in a range. */
  int count(String name, int byDefault, int least, int most) {
    Object value = values.get(name);
    if (value == null) {
      return byDefault;
    }
    boolean whole =
        value instanceof Integer
            || value instanceof Long
            || value instanceof Short
            || value instanceof Byte
            || (value instanceof BigInteger big && big.bitLength() < 63)
            || (value instanceof Double real && real == Math.rint(real));
    if (!whole) {
      throw mistyped(name, value);
    }
    long number = ((Number) value).longValue();
    if (number < least || number > most) {
      throw mistyped(name, value);
    }
    return (int) number;
  }

  /** True or false; false if not given. */
  boolean flag(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw mistyped(name, value);
  }

  /** A time as the last stamp of its moment; null if not given. */
  @Nullable Long time(String name) {
    Object value = values.get(name);
    if (value == null) {
      return null;
    }
    try {
      return Stamp.viewpoint(value);
    } catch (GraphMetaException e) {
      throw mistyped(name, value);
    }
  }

  /**
   * A list of two times, as the first stamp of the first and the last stamp of the second; null if
   * not given.
   */
  long @Nullable [] window(String name) {
    if (!has(name)) {
      return null;
    }
    Object[] times = several(name).stream().map(CallArguments::plain).toArray();
    if (times.length != 2 || times[0] == null || times[1] == null) {
      throw mistyped(name, values.get(name));
    }
    long[] window = new long[2];
    try {
      long from = Stamp.micros(Stamp.viewpoint(times[0]));
      window[0] = Stamp.startOfMicros(isOfMillis(times[0]) ? from - from % 1_000 : from);
      window[1] = Stamp.viewpoint(times[1]);
    } catch (GraphMetaException e) {
      throw mistyped(name, values.get(name));
    }
    if (window[0] > window[1]) {
      throw unfit(name, "expected a first time that is not after the second");
    }
    return window;
  }

  /** Whether a time is told in milliseconds, and stands for all of one. */
  private static boolean isOfMillis(Object time) {
    return time instanceof Number
        || time instanceof Date
        || time instanceof String text && text.strip().matches("[0-9]+");
  }

  /** The first microsecond that a time means: a number of milliseconds stands for all of one. */
  long firstMicros(String name, long stamp) {
    long micros = Stamp.micros(stamp);
    return values.get(name) instanceof Number ? micros - micros % 1_000 : micros;
  }

  /** Whether a value is exactly a word. */
  boolean isText(String name, String word) {
    return word.equals(values.get(name));
  }

  /** The error of a parameter that the call cannot do without. */
  GraphMetaException missing(String name) {
    return GraphMetaException.invalid(
        "Parameter '"
            + name
            + "' of "
            + service
            + " is missing; expected "
            + Objects.requireNonNull(parameters.get(name)).expected());
  }

  /** The error of a parameter that does not go with another, or with the place of the call. */
  GraphMetaException unfit(String name, String reason) {
    return GraphMetaException.invalid(
        "Parameter '"
            + name
            + "' of "
            + service
            + " is "
            + withType(values.get(name))
            + "; "
            + reason);
  }

  private GraphMetaException mistyped(String name, @Nullable Object value) {
    return GraphMetaException.invalid(
        "Parameter '"
            + name
            + "' of "
            + service
            + " is "
            + withType(plain(value))
            + "; expected "
            + Objects.requireNonNull(parameters.get(name)).expected());
  }

  private static String withType(@Nullable Object value) {
    return value == null
        ? "null"
        : Quoted.of(shown(value)) + " (" + value.getClass().getSimpleName() + ")";
  }

  private static String shown(@Nullable Object value) {
    return value instanceof Object[] array
        ? Arrays.stream(array).map(String::valueOf).collect(Collectors.joining(", ", "[", "]"))
        : String.valueOf(value);
  }
}
