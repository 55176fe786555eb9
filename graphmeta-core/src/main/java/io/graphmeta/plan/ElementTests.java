package io.graphmeta.plan;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Conditions on the id and the properties of an element, for those who have read it. Conditions on
 * anything else belong to plans.
 */
public final class ElementTests {
  private ElementTests() {}

  /** What is tested of an element. */
  public interface Tested {
    /** The id, as users see it. */
    Object id();

    /** The values of a property; none if it has none. */
    Iterator<?> values(String key);
  }

  /**
   * A condition as a predicate, for many elements; safe for use by many threads. It throws what
   * {@link ValueTests#passes} does.
   *
   * @throws IllegalArgumentException for a condition on something else
   */
  public static Predicate<Tested> compiled(Condition condition) {
    if (condition instanceof Condition.Property property) {
      Predicate<Object> test = ValueTests.compiled(property.test());
      return element -> anyPasses(element.values(property.key()), test);
    } else if (condition instanceof Condition.Id id) {
      Predicate<Object> test = ValueTests.compiled(id.test());
      return element -> test.test(element.id().toString());
    } else if (condition instanceof Condition.Not not) {
      return compiled(not.of()).negate();
    } else if (condition instanceof Condition.And and) {
      List<Predicate<Tested>> all = compiled(and.of());
      return element -> {
        for (Predicate<Tested> each : all) {
          if (!each.test(element)) {
            return false;
          }
        }
        return true;
      };
    } else if (condition instanceof Condition.Or or) {
      List<Predicate<Tested>> any = compiled(or.of());
      return element -> {
        for (Predicate<Tested> each : any) {
          if (each.test(element)) {
            return true;
          }
        }
        return false;
      };
    }
    throw new IllegalArgumentException("A condition on neither ids nor properties: " + condition);
  }

  private static List<Predicate<Tested>> compiled(List<Condition> conditions) {
    List<Predicate<Tested>> compiled = new ArrayList<>(conditions.size());
    conditions.forEach(each -> compiled.add(compiled(each)));
    return compiled;
  }

  private static boolean anyPasses(Iterator<?> values, Predicate<Object> test) {
    while (values.hasNext()) {
      if (test.test(values.next())) {
        return true;
      }
    }
    return false;
  }
}
