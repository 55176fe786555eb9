package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What tests of values mean: the same as Gremlin's predicates. Values of different types are not
 * equal, and neither is less or greater; the same is true of NaN, of itself too. To negate a test
 * is to take the opposite of what it says, whether or not the values could be compared.
 */
public final class ValueTests {
  /**
   * The key that marks the stored form of a value which only Java reads, and that of what stands
   * for it elsewhere. No value that a user gives has the mark.
   */
  private static final String FORM = "~java";

  private static final String FORM_VALUE = "value";

  private ValueTests() {}

  /**
   * Whether a value passes a test.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if a text is asked for and the value is
   *     none
   */
  public static boolean passes(ValueTest test, Object value) {
    return compiled(test).test(value);
  }

  /**
   * The test as a predicate, for many values; safe for use by many threads. It throws what {@link
   * #passes} does.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a regular expression that is none
   */
  public static Predicate<Object> compiled(ValueTest test) {
    Predicate<Object> predicate = predicate(test);
    return value -> predicate.test(plain(value));
  }

  /** What a graph that knows no values of Java's own shows of a stored value. */
  public static Object plain(Object stored) {
    if (stored instanceof Map<?, ?> map && map.get(FORM) instanceof String) {
      Object value = map.get(FORM_VALUE);
      return value == null ? stored : value;
    }
    return stored;
  }

  private static Predicate<Object> predicate(ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return comparison(compare);
    }
    if (test instanceof ValueTest.Within within) {
      List<Object> operands = within.operands();
      return value -> {
        for (Object operand : operands) {
          if (equal(value, operand)) {
            return true;
          }
        }
        return false;
      };
    }
    if (test instanceof ValueTest.Text text) {
      return text(text);
    }
    if (test instanceof ValueTest.Words words) {
      return value ->
          value instanceof String text
              && words.analysis().holds(text, words.words(), words.lastIsBeginning());
    }
    if (test instanceof ValueTest.And and) {
      List<Predicate<Object>> all = predicates(and.of());
      return value -> {
        for (Predicate<Object> each : all) {
          if (!each.test(value)) {
            return false;
          }
        }
        return true;
      };
    }
    if (test instanceof ValueTest.Or or) {
      List<Predicate<Object>> any = predicates(or.of());
      return value -> {
        for (Predicate<Object> each : any) {
          if (each.test(value)) {
            return true;
          }
        }
        return false;
      };
    }
    return predicate(((ValueTest.Not) test).of()).negate();
  }

  private static List<Predicate<Object>> predicates(List<ValueTest> tests) {
    List<Predicate<Object>> predicates = new ArrayList<>(tests.size());
    tests.forEach(each -> predicates.add(predicate(each)));
    return predicates;
  }

  private static Predicate<Object> comparison(ValueTest.Compare compare) {
    Object operand = compare.operand();
    ValueOrder order = ValueOrder.INSTANCE;
    return switch (compare.comparison()) {
      case EQUAL -> value -> equal(value, operand);
      case NOT_EQUAL -> value -> !equal(value, operand);
      case LESS ->
          value -> ValueOrder.comparable(value, operand) && order.compare(value, operand) < 0;
      case LESS_OR_EQUAL ->
          value -> ValueOrder.comparable(value, operand) && order.compare(value, operand) <= 0;
      case GREATER ->
          value -> ValueOrder.comparable(value, operand) && order.compare(value, operand) > 0;
      case GREATER_OR_EQUAL ->
          value -> ValueOrder.comparable(value, operand) && order.compare(value, operand) >= 0;
    };
  }

  private static boolean equal(Object value, Object operand) {
    if (value instanceof String) {
      return value.equals(operand);
    }
    return ValueOrder.comparable(value, operand)
        && ValueOrder.INSTANCE.compare(value, operand) == 0;
  }

  private static Predicate<Object> text(ValueTest.Text test) {
    String operand = test.operand();
    return switch (test.relation()) {
      case STARTS_WITH -> value -> text(value, test).startsWith(operand);
      case ENDS_WITH -> value -> text(value, test).endsWith(operand);
      case CONTAINS -> value -> text(value, test).contains(operand);
      case MATCHES -> {
        RegexSearch search = new RegexSearch(operand);
        yield value -> search.isFoundIn(text(value, test));
      }
    };
  }

  private static String text(Object value, ValueTest.Text test) {
    if (value instanceof String text) {
      return text;
    }
    throw GraphMetaException.invalid(
        "A value is of type "
            + value.getClass().getSimpleName()
            + ", and is asked whether it "
            + switch (test.relation()) {
              case STARTS_WITH -> "starts with '";
              case ENDS_WITH -> "ends with '";
              case CONTAINS -> "contains '";
              case MATCHES -> "matches '";
            }
            + test.operand()
            + "'; expected text (ask only elements of which the property is text)");
  }
}
