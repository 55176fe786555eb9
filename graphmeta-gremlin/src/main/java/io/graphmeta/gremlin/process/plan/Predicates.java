package io.graphmeta.gremlin.process.plan;

import io.graphmeta.model.PropertyTypes;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.NotP;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.jspecify.annotations.Nullable;

/**
 * Predicates as tests of plans. Predicates of users, and those on values that no property can have,
 * are left to Gremlin: null is answered for them. Pure.
 */
final class Predicates {
  private Predicates() {}

  /** What a predicate asks of a value of a property. */
  static @Nullable ValueTest valueTest(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> connective) {
      List<ValueTest> parts = new ArrayList<>();
      for (P<?> part : connective.getPredicates()) {
        ValueTest test = valueTest(part);
        if (test == null) {
          return null;
        }
        parts.add(test);
      }
      return predicate instanceof AndP ? new ValueTest.And(parts) : or(predicate, parts);
    }
    if (predicate.getClass() == NotP.class) {
      ValueTest negated = valueTest(predicate.negate());
      return negated == null ? null : new ValueTest.Not(negated);
    }
    if (predicate.getClass() != P.class && predicate.getClass() != TextP.class) {
      return null;
    }
    Object relation = predicate.getBiPredicate();
    Object value = predicate.getValue();
    if (relation instanceof Compare compare) {
      Object operand = operand(value);
      return operand == null ? null : new ValueTest.Compare(comparison(compare), operand);
    }
    if (relation instanceof Contains contains) {
      List<Object> operands = operands(value);
      return operands == null ? null : within(contains, operands);
    }
    return value instanceof String text ? text(relation, text) : null;
  }

  /**
   * What a predicate asks of the text of an id. Gremlin compares ids by their texts where one text
   * is asked for, and as they are where predicates are joined or negated: null for these.
   */
  static @Nullable ValueTest idTest(P<?> predicate) {
    boolean isOfText =
        (predicate.getClass() == P.class || predicate.getClass() == TextP.class)
            && predicate.getValue() instanceof String;
    return isOfText ? valueTest(predicate) : null;
  }

  private static @Nullable ValueTest or(P<?> predicate, List<ValueTest> parts) {
    return predicate instanceof OrP ? new ValueTest.Or(parts) : null;
  }

  private static ValueTest within(Contains contains, List<Object> operands) {
    ValueTest within = new ValueTest.Within(operands);
    return contains == Contains.within ? within : new ValueTest.Not(within);
  }

  private static ValueTest.Comparison comparison(Compare compare) {
    return switch (compare) {
      case eq -> ValueTest.Comparison.EQUAL;
      case neq -> ValueTest.Comparison.NOT_EQUAL;
      case lt -> ValueTest.Comparison.LESS;
      case lte -> ValueTest.Comparison.LESS_OR_EQUAL;
      case gt -> ValueTest.Comparison.GREATER;
      case gte -> ValueTest.Comparison.GREATER_OR_EQUAL;
    };
  }

  private static @Nullable ValueTest text(Object relation, String operand) {
    if (relation instanceof Text text) {
      return switch (text) {
        case startingWith -> text(ValueTest.TextRelation.STARTS_WITH, operand, true);
        case notStartingWith -> text(ValueTest.TextRelation.STARTS_WITH, operand, false);
        case endingWith -> text(ValueTest.TextRelation.ENDS_WITH, operand, true);
        case notEndingWith -> text(ValueTest.TextRelation.ENDS_WITH, operand, false);
        case containing -> text(ValueTest.TextRelation.CONTAINS, operand, true);
        case notContaining -> text(ValueTest.TextRelation.CONTAINS, operand, false);
      };
    }
    if (relation.getClass() == Text.RegexPredicate.class) {
      Text.RegexPredicate regex = (Text.RegexPredicate) relation;
      return text(ValueTest.TextRelation.MATCHES, regex.getPattern(), !regex.isNegate());
    }
    return null;
  }

  private static ValueTest text(ValueTest.TextRelation relation, String operand, boolean positive) {
    ValueTest test = new ValueTest.Text(relation, operand);
    return positive ? test : new ValueTest.Not(test);
  }

  /** A copy of a value that a property can have. */
  private static @Nullable Object operand(@Nullable Object value) {
    return value != null && !(value instanceof BulkSet) && PropertyTypes.isSupported(value)
        ? PropertyTypes.checked("operand", value)
        : null;
  }

  private static @Nullable List<Object> operands(@Nullable Object value) {
    if (!(value instanceof Collection<?> values)) {
      return null;
    }
    List<Object> operands = new ArrayList<>(values.size());
    for (Object each : values) {
      Object operand = operand(each);
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    return operands;
  }

  /**
   * What a predicate asks of something that is one of a set or is not: a label, an id.
   *
   * @param isOneOf the condition for a set of values; null if these cannot be meant
   */
  static @Nullable Condition membership(
      P<?> predicate, Function<Collection<?>, @Nullable Condition> isOneOf) {
    if (predicate instanceof ConnectiveP<?> connective) {
      List<Condition> parts = new ArrayList<>();
      for (P<?> part : connective.getPredicates()) {
        Condition condition = membership(part, isOneOf);
        if (condition == null) {
          return null;
        }
        parts.add(condition);
      }
      return predicate instanceof AndP ? new Condition.And(parts) : new Condition.Or(parts);
    }
    if (predicate.getClass() == NotP.class) {
      return not(membership(predicate.negate(), isOneOf));
    }
    if (predicate.getClass() != P.class) {
      return null;
    }
    Object relation = predicate.getBiPredicate();
    Object value = predicate.getValue();
    if (relation == Compare.eq || relation == Compare.neq) {
      Condition condition =
          value == null || value instanceof Collection ? null : isOneOf.apply(List.of(value));
      return relation == Compare.eq ? condition : not(condition);
    }
    if (relation instanceof Contains && value instanceof Collection<?> values) {
      Condition condition = isOneOf.apply(values);
      return relation == Contains.within ? condition : not(condition);
    }
    return null;
  }

  private static @Nullable Condition not(@Nullable Condition condition) {
    return condition == null ? null : new Condition.Not(condition);
  }
}
