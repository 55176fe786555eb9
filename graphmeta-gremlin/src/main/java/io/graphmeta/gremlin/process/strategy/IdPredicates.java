package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.model.TypedIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 * Predicates on ids and labels. An id is equal to its text, to a number and to a UUID alike; so
 * that, where equality is asked for, predicates are brought to text, by which TinkerPop then
 * compares. Pure.
 */
final class IdPredicates {
  private IdPredicates() {}

  /**
   * The predicate with ids as text; the same object if they are text already, or if it asks for an
   * order. Predicates of users are not changed.
   */
  static P<?> withTextIds(P<?> predicate) {
    if (predicate instanceof ConnectiveP) {
      return withAllForms(predicate);
    }
    if (predicate instanceof NotP) {
      P<?> original = predicate.negate();
      P<?> converted = withTextIds(original);
      return converted == original ? predicate : converted.negate();
    }
    if (predicate.getBiPredicate() != Compare.eq
        && predicate.getBiPredicate() != Compare.neq
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

  /**
   * The predicate with all forms of each id, for where TinkerPop compares ids and not their texts.
   */
  private static P<?> withAllForms(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> connective) {
      List<P<Object>> parts = new ArrayList<>();
      for (P<?> part : connective.getPredicates()) {
        parts.add(typed(withAllForms(part)));
      }
      return predicate instanceof AndP ? new AndP<>(parts) : new OrP<>(parts);
    }
    if (predicate instanceof NotP) {
      return withAllForms(predicate.negate()).negate();
    }
    boolean one = predicate.getBiPredicate() == Compare.eq;
    boolean none = predicate.getBiPredicate() == Compare.neq;
    if (!one && !none && !(predicate.getBiPredicate() instanceof Contains)) {
      return predicate;
    }
    Set<Object> forms = new LinkedHashSet<>();
    Object value = predicate.getValue();
    for (Object each : value instanceof Collection<?> values ? values : Arrays.asList(value)) {
      Object id = each instanceof Element element ? element.id() : each;
      TypedIds.forms(id).forEach(form -> forms.add(TypedIds.given(form)));
    }
    boolean within = one || predicate.getBiPredicate() == Contains.within;
    return within ? P.within(forms) : P.without(forms);
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
    Object id = value instanceof Element element ? element.id() : value;
    return id == null ? null : TypedIds.text(id);
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
      return value instanceof String text ? Set.of(text) : null;
    }
    if (predicate.getBiPredicate() == Contains.within && value instanceof Collection<?> values) {
      Set<String> strings = new LinkedHashSet<>();
      for (Object element : values) {
        if (!(element instanceof String text)) {
          return null;
        }
        strings.add(text);
      }
      return strings;
    }
    return null;
  }
}
