package io.graphmeta.gremlin.service;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementTests;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.SearchConditions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which values of an element a condition is true because of: those that it asks for. Belongs to one
 * thread.
 */
final class MatchedValues {
  private final Condition condition;
  private final int mostOfKey;

  /** By key and value: the tests that the value passes. */
  private final Map<String, Map<Object, Set<ValueTest>>> matched = new LinkedHashMap<>();

  /**
   * The values of no element yet.
   *
   * @param mostOfKey the most values of a key that are kept; those that come first are
   */
  MatchedValues(Condition condition, int mostOfKey) {
    this.condition = condition;
    this.mostOfKey = mostOfKey;
  }

  /** Adds the values of an element. */
  void take(ElementTests.Tested element) {
    add(condition, element);
  }

  /** The values by property key; {@code id} for the id. */
  Map<String, List<Object>> byKey() {
    Map<String, List<Object>> byKey = new LinkedHashMap<>();
    matched.forEach((key, values) -> byKey.put(key, List.copyOf(values.keySet())));
    return byKey;
  }

  /** By property key: of each text in which something was found its pieces. */
  Map<String, List<List<String>>> highlights() {
    Map<String, List<List<String>>> byKey = new LinkedHashMap<>();
    matched.forEach(
        (key, values) ->
            values.forEach(
                (value, tests) -> {
                  List<String> pieces =
                      value instanceof String text ? Highlights.of(text, tests) : List.of();
                  if (!pieces.isEmpty()) {
                    byKey.computeIfAbsent(key, each -> new ArrayList<>()).add(pieces);
                  }
                }));
    return byKey;
  }

  private void add(Condition part, ElementTests.Tested element) {
    if (part instanceof Condition.And and) {
      and.of().forEach(each -> add(each, element));
    } else if (part instanceof Condition.Or or) {
      or.of().forEach(each -> add(each, element));
    } else if (part instanceof Condition.Id id) {
      add(SearchConditions.ID, id.test(), element.id());
    } else if (part instanceof Condition.Property property) {
      element
          .values(property.key())
          .forEachRemaining(value -> add(property.key(), property.test(), value));
    }
  }

  private void add(String key, ValueTest test, Object value) {
    if (passes(test, value)) {
      Map<Object, Set<ValueTest>> values =
          matched.computeIfAbsent(key, each -> new LinkedHashMap<>());
      if (values.size() < mostOfKey || values.containsKey(value)) {
        values.computeIfAbsent(value, each -> new LinkedHashSet<>()).add(test);
      }
    }
  }

  /** An alternative that was not needed may be an error of the value: it matched by another. */
  private static boolean passes(ValueTest test, Object value) {
    try {
      return ValueTests.passes(test, value);
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT) {
        throw e;
      }
      return false;
    }
  }
}
