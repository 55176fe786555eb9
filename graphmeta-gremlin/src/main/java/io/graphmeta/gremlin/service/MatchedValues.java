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
import java.util.List;
import java.util.Map;

/** Which values of an element a condition is true because of: those that it asks for. */
final class MatchedValues {
  private final Condition condition;

  MatchedValues(Condition condition) {
    this.condition = condition;
  }

  /** The values by property key; {@code id} for the id. */
  Map<String, List<Object>> of(ElementTests.Tested element) {
    Map<String, List<Object>> matched = new LinkedHashMap<>();
    add(condition, element, matched);
    return matched;
  }

  private static void add(
      Condition condition, ElementTests.Tested element, Map<String, List<Object>> matched) {
    if (condition instanceof Condition.And and) {
      and.of().forEach(each -> add(each, element, matched));
    } else if (condition instanceof Condition.Or or) {
      or.of().forEach(each -> add(each, element, matched));
    } else if (condition instanceof Condition.Id id) {
      add(SearchConditions.ID, id.test(), element.id(), matched);
    } else if (condition instanceof Condition.Property property) {
      element
          .values(property.key())
          .forEachRemaining(value -> add(property.key(), property.test(), value, matched));
    }
  }

  private static void add(
      String key, ValueTest test, Object value, Map<String, List<Object>> matched) {
    if (passes(test, value)) {
      List<Object> values = matched.computeIfAbsent(key, each -> new ArrayList<>());
      if (!values.contains(value)) {
        values.add(value);
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
