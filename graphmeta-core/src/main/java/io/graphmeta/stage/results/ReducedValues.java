package io.graphmeta.stage.results;

import io.graphmeta.frontier.Ways;
import io.graphmeta.plan.PlanResult.Reduction;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Replaces many values by few values with the same sum, mean, least or greatest value. The client
 * reduces what all shards have, as if nothing had been reduced before: so the rules of Gremlin for
 * values of several types, and for sums that grow out of their type, stay with Gremlin. Only values
 * of one type are put together here, and only while their sum fits into the type. Belongs to one
 * thread.
 */
abstract class ReducedValues {
  /** For one reduction. */
  static ReducedValues of(Reduction reduction) {
    return switch (reduction) {
      case SUM -> new Sums();
      case MEAN -> new Means();
      case MIN -> new Extremes(-1);
      case MAX -> new Extremes(1);
    };
  }

  /** Takes in a value that comes so often; false if it has to be kept as it is. */
  abstract boolean take(Object value, long bulk);

  /** Whether one of the least or greatest values passes a test, if these are what is wanted. */
  boolean hasOne(Predicate<Object> test) {
    return false;
  }

  /** Hands on what stands for all that was taken in, and forgets it. */
  abstract void drain(Into into);

  /** What takes values. */
  @FunctionalInterface
  interface Into {
    void add(Object value, long bulk);
  }

  /** The least or greatest value of each type, of those that have an order. */
  private static final class Extremes extends ReducedValues {
    private final int sign;
    private final Map<Class<?>, Object> best = new HashMap<>();

    Extremes(int sign) {
      this.sign = sign;
    }

    @Override
    boolean take(Object value, long bulk) {
      boolean isNaN =
          value instanceof Double number && number.isNaN()
              || value instanceof Float small && small.isNaN();
      if (isNaN || !(value instanceof Comparable)) {
        return false;
      }
      best.merge(
          value.getClass(),
          value,
          (held, other) -> Integer.signum(compare(other, held)) == sign ? other : held);
      return true;
    }

    @Override
    boolean hasOne(Predicate<Object> test) {
      return best.values().stream().anyMatch(test);
    }

    /** Compares two values of one class. */
    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
      return ((Comparable<Object>) one).compareTo(other);
    }

    @Override
    void drain(Into into) {
      best.values().forEach(value -> into.add(value, 1));
      best.clear();
    }
  }

  /** A sum of numbers of one type, and how many they are. */
  private static final class Total {
    private long whole;
    // The neutral element: -0.0 and 0.0 are 0.0.
    private double real = -0.0;
    private long count;

    /**
     * Adds a whole number; false if the sum would grow out of a long, or the number is not known.
     */
    boolean addWhole(long value, long bulk) {
      if (bulk == Ways.TOO_MANY) {
        return false;
      }
      long product = value * bulk;
      long sum = whole + product;
      boolean outgrown =
          Math.multiplyHigh(value, bulk) != product >> 63 || ((whole ^ sum) & (product ^ sum)) < 0;
      if (outgrown) {
        return false;
      }
      whole = sum;
      count = Ways.sum(count, bulk);
      return true;
    }

    /**
     * Adds a real number; false if it, or the sum, is none that is finite, or how often is not
     * known.
     */
    boolean addReal(double value, long bulk) {
      if (bulk == Ways.TOO_MANY) {
        return false;
      }
      double sum = real + value * bulk;
      if (!Double.isFinite(sum)) {
        return false;
      }
      real = sum;
      count = Ways.sum(count, bulk);
      return true;
    }
  }

  /**
   * A sum for each type of numbers. Floats lose digits by the order they are added in, and stay.
   */
  private static final class Sums extends ReducedValues {
    private final Map<Class<?>, Total> totals = new HashMap<>();

    @Override
    boolean take(Object value, long bulk) {
      if (value instanceof Double real) {
        return total(Double.class).addReal(real, bulk);
      } else if (value instanceof Integer || value instanceof Long || value instanceof Short) {
        return total(value.getClass()).addWhole(((Number) value).longValue(), bulk);
      }
      return false;
    }

    private Total total(Class<?> type) {
      return totals.computeIfAbsent(type, any -> new Total());
    }

    @Override
    void drain(Into into) {
      totals.forEach(
          (type, total) -> {
            if (total.count > 0) {
              into.add(type == Double.class ? total.real : narrowed(total.whole, type), 1);
            }
          });
      totals.clear();
    }

    /** The sum as its type, or as the next wider one that it fits in. */
    private static Object narrowed(long sum, Class<?> type) {
      if (type == Short.class && sum == (short) sum) {
        return (short) sum;
      }
      return type != Long.class && sum == (int) sum ? (Object) (int) sum : (Object) sum;
    }
  }

  /** Sums of whole numbers and of doubles, with zeros to the number of what was added. */
  private static final class Means extends ReducedValues {
    private Total whole = new Total();
    private Total real = new Total();

    @Override
    boolean take(Object value, long bulk) {
      if (value instanceof Double number) {
        return real.addReal(number, bulk);
      } else if (value instanceof Integer || value instanceof Long || value instanceof Short) {
        return whole.addWhole(((Number) value).longValue(), bulk);
      }
      return false;
    }

    @Override
    void drain(Into into) {
      drain(whole.whole, 0L, whole.count, into);
      drain(real.real, -0.0, real.count, into);
      whole = new Total();
      real = new Total();
    }

    private static void drain(Object sum, Object zero, long count, Into into) {
      if (count > 0) {
        into.add(sum, 1);
      }
      if (count > 1) {
        into.add(zero, Ways.without(count, 1));
      }
    }
  }
}
