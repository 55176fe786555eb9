package io.graphmeta.gremlin.service;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A parameter of a service. Immutable.
 *
 * @param name its name in the map, or in {@code with(name, value)}
 * @param expected what values it takes, as errors say it
 * @param description what it does, and what holds without it
 */
record CallParameter(String name, String expected, String description) {
  static final String A_TIME =
      "a time: ISO-8601 text such as 2026-11-21T00:35:25Z, epoch milliseconds, or a date";

  /** The descriptions by name, as {@code call('--list').with('verbose', true)} shows them. */
  static Map<String, String> describe(Collection<CallParameter> parameters) {
    Map<String, String> described = new LinkedHashMap<>();
    parameters.forEach(
        each -> described.put(each.name(), each.description() + " Takes " + each.expected() + "."));
    return described;
  }
}
