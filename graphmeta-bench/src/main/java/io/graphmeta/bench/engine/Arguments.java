package io.graphmeta.bench.engine;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Arguments of a benchmark: {@code --name=value}, checked against the names that it knows.
 * Immutable.
 */
public final class Arguments {
  private final Map<String, String> values;

  private Arguments(Map<String, String> values) {
    this.values = values;
  }

  /** The arguments of the command line, and defaults for those not given. */
  public static Arguments parse(String[] given, Map<String, String> defaults) {
    Map<String, String> values = new TreeMap<>(defaults);
    for (String argument : given) {
      int equals = argument.indexOf('=');
      String name = argument.startsWith("--") && equals > 0 ? argument.substring(2, equals) : "";
      if (!defaults.containsKey(name)) {
        throw GraphMetaException.invalid(
            "Argument '"
                + argument
                + "' is unknown; expected --NAME=VALUE with a name of "
                + defaults.keySet());
      }
      values.put(name, argument.substring(equals + 1));
    }
    return new Arguments(values);
  }

  /** The text of an argument. */
  public String text(String name) {
    return java.util.Objects.requireNonNull(values.get(name));
  }

  /** The number of an argument. */
  public int number(String name) {
    try {
      return Integer.parseInt(text(name));
    } catch (NumberFormatException e) {
      throw new GraphMetaException(
          io.graphmeta.error.ErrorCode.INVALID_ARGUMENT,
          "Argument --" + name + " is '" + text(name) + "'; expected a number",
          e);
    }
  }

  /** The numbers of an argument, between commas. */
  public List<Integer> numbers(String name) {
    List<Integer> numbers = new ArrayList<>();
    for (String text : text(name).split(",")) {
      try {
        numbers.add(Integer.parseInt(text));
      } catch (NumberFormatException e) {
        throw GraphMetaException.invalid(
            "Argument --" + name + " has '" + text + "'; expected numbers and commas");
      }
    }
    return numbers;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
