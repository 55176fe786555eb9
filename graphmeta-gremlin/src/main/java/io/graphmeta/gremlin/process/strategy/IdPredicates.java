package io.graphmeta.gremlin.process.strategy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;

/**
 * Predicates on ids and labels. Ids are strings, and numbers and UUIDs stand for their text
 * wherever an id is compared. Pure.
 */
final class IdPredicates {
  private IdPredicates() {}

  /**
   * The predicate with ids as text; the same object if they are text already. Predicates of users
   * are not changed.
   */
  static P<?> withTextIds(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> connective) {
      boolean changed = false;
      List<P<Object>> parts = new ArrayList<>();
      for (P<?> part : connective.getPredicates()) {
        P<?> converted = withTextIds(part);
        changed |= converted != part;
        parts.add(typed(converted));
      }
      if (!changed) {
        return predicate;
      }
      return predicate instanceof AndP ? new AndP<>(parts) : new OrP<>(parts);
    }
    if (predicate instanceof NotP) {
      P<?> original = predicate.negate();
      P<?> converted = withTextIds(original);
      return converted == original ? predicate : converted.negate();
    }
    if (!(predicate.getBiPredicate() instanceof Compare)
        && !(predicate.getBiPredicate() instanceof Contains)) {
      return predicate;
    }
    Object value = predicate.getValue();
    Object converted = asText(value);
    if (converted == value) {
      return predicate;
    }
    P<Object> changed = typed(predicate.clone());
    changed.setValue(converted);
    return changed;
  }

  @SuppressWarnings("unchecked")
  private static P<Object> typed(P<?> predicate) {
    return (P<Object>) predicate;
  }

  private static @Nullable Object asText(@Nullable Object value) {
    if (value instanceof Collection<?> values) {
      List<@Nullable Object> converted = new ArrayList<>(values.size());
      boolean changed = false;
      for (Object element : values) {
        Object text = asText(element);
        changed |= text != element;
        converted.add(text);
      }
      return changed ? converted : value;
    }
    if (value instanceof Number || value instanceof UUID) {
      return value.toString();
    }
    return value instanceof Element element ? element.id() : value;
  }

  /**
   * The strings that a predicate takes, if it takes nothing else: {@code eq} and {@code within}
   * alone. Null for any other predicate.
   */
  static @Nullable Set<String> strings(P<?> predicate) {
    if (predicate instanceof ConnectiveP || predicate instanceof NotP) {
      return null;
    }
    Object value = predicate.getValue();
    if (predicate.getBiPredicate() == Compare.eq && !(value instanceof Collection)) {
      return value instanceof String text ? Set.of(text) : Set.of();
    }
    if (predicate.getBiPredicate() == Contains.within && value instanceof Collection<?> values) {
      Set<String> strings = new LinkedHashSet<>();
      for (Object element : values) {
        if (element instanceof String text) {
          strings.add(text);
        }
      }
      return strings;
    }
    return null;
  }
}
