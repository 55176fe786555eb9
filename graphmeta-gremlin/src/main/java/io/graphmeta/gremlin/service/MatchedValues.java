package io.graphmeta.gremlin.service;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementTests;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTests;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which values of an element a condition is true because of: those that it asks for. */
final class MatchedValues {
  private final Condition condition;

  MatchedValues(Condition condition) {
    this.condition = condition;
  }

  /** The values by property key; {@code id} for the id. */
  Map<String, Set<Object>> of(ElementTests.Tested element) {
    Map<String, Set<Object>> matched = new LinkedHashMap<>();
    add(condition, element, matched);
    return matched;
  }

  private static void add(
      Condition condition, ElementTests.Tested element, Map<String, Set<Object>> matched) {
    if (condition instanceof Condition.And and) {
      and.of().forEach(each -> add(each, element, matched));
    } else if (condition instanceof Condition.Or or) {
      or.of().forEach(each -> add(each, element, matched));
    } else if (condition instanceof Condition.Id id) {
      add("id", id.test(), element.id(), matched);
    } else if (condition instanceof Condition.Property property) {
      element
          .values(property.key())
          .forEachRemaining(value -> add(property.key(), property.test(), value, matched));
    }
  }

  private static void add(
      String key, ValueTest test, Object value, Map<String, Set<Object>> matched) {
    if (ValueTests.passes(test, value)) {
      matched.computeIfAbsent(key, each -> new LinkedHashSet<>()).add(value);
    }
  }
}
