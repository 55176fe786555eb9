package io.graphmeta.plan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The order of values of properties, of one type or of several: that of Gremlin ("orderability" in
 * TinkerPop's semantics). Types follow one another as {@link Type} has them; numbers are compared
 * in the wider of their two types, NaN behind all others. Stateless, safe for use by many threads.
 */
public final class ValueOrder implements Comparator<Object> {
  /** The one instance. */
  public static final ValueOrder INSTANCE = new ValueOrder();

  private static final Comparator<Map.Entry<?, ?>> BY_KEY_THEN_VALUE =
      (a, b) -> {
        int keys = INSTANCE.compare(a.getKey(), b.getKey());
        return keys != 0 ? keys : INSTANCE.compare(a.getValue(), b.getValue());
      };

  /** The types of values, in their order. */
  enum Type {
    BOOLEAN,
    NUMBER,
    DATE,
    TEXT,
    UUID,
    SET,
    LIST,
    MAP,
    BYTES,
    /** {@link Date}, which Gremlin takes for an object of no type that it knows. */
    OLD_DATE;

    static Type of(Object value) {
      if (value instanceof String) {
        return TEXT;
      }
      if (value instanceof Number) {
        return NUMBER;
      }
      if (value instanceof Boolean) {
        return BOOLEAN;
      }
      if (value instanceof OffsetDateTime) {
        return DATE;
      }
      if (value instanceof UUID) {
        return UUID;
      }
      if (value instanceof Set) {
        return SET;
      }
      if (value instanceof List) {
        return LIST;
      }
      if (value instanceof Map) {
        return MAP;
      }
      if (value instanceof ByteBuffer) {
        return BYTES;
      }
      if (value instanceof Date) {
        return OLD_DATE;
      }
      throw new IllegalArgumentException(
          "A value of " + value.getClass() + "; expected a type of properties");
    }
  }

  private ValueOrder() {}

  @Override
  public int compare(Object a, Object b) {
    Type type = Type.of(a);
    Type other = Type.of(b);
    if (type != other) {
      return type.compareTo(other);
    }
    return switch (type) {
      case TEXT -> ((String) a).compareTo((String) b);
      case NUMBER -> compareNumbers((Number) a, (Number) b);
      case BOOLEAN -> ((Boolean) a).compareTo((Boolean) b);
      case DATE -> ((OffsetDateTime) a).compareTo((OffsetDateTime) b);
      case UUID -> ((UUID) a).compareTo((UUID) b);
      case BYTES -> ((ByteBuffer) a).compareTo((ByteBuffer) b);
      case OLD_DATE -> ((Date) a).compareTo((Date) b);
      case LIST -> compareInTurn((List<?>) a, (List<?>) b, this);
      case SET -> compareInTurn(sorted((Set<?>) a), sorted((Set<?>) b), this);
      case MAP -> compareInTurn(entries((Map<?, ?>) a), entries((Map<?, ?>) b), BY_KEY_THEN_VALUE);
    };
  }

  /**
   * Whether one of two values can be said to be less than, equal to or greater than the other: both
   * are of one type, neither is or holds NaN, and so are what they hold, as far as the shorter of
   * them goes.
   */
  static boolean comparable(Object a, Object b) {
    Type type = Type.of(a);
    if (type != Type.of(b)) {
      return false;
    }
    return switch (type) {
      case NUMBER -> !isNaN(a) && !isNaN(b);
      case LIST -> comparableInTurn((List<?>) a, (List<?>) b);
      case SET -> comparableInTurn(sorted((Set<?>) a), sorted((Set<?>) b));
      case MAP -> {
        Iterator<Map.Entry<?, ?>> others = entries((Map<?, ?>) b).iterator();
        boolean all = true;
        for (Map.Entry<?, ?> entry : entries((Map<?, ?>) a)) {
          if (!all || !others.hasNext()) {
            break;
          }
          Map.Entry<?, ?> other = others.next();
          all =
              comparable(entry.getKey(), other.getKey())
                  && comparable(entry.getValue(), other.getValue());
        }
        yield all;
      }
      default -> true;
    };
  }

  private static boolean comparableInTurn(List<?> a, List<?> b) {
    int shorter = Math.min(a.size(), b.size());
    for (int i = 0; i < shorter; i++) {
      if (!comparable(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static <E> int compareInTurn(
      List<? extends E> a, List<? extends E> b, Comparator<E> order) {
    int shorter = Math.min(a.size(), b.size());
    for (int i = 0; i < shorter; i++) {
      int compared = order.compare(a.get(i), b.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static List<Object> sorted(Set<?> set) {
    List<Object> sorted = new ArrayList<>(set);
    sorted.sort(INSTANCE);
    return sorted;
  }

  private static List<Map.Entry<?, ?>> entries(Map<?, ?> map) {
    List<Map.Entry<?, ?>> sorted = new ArrayList<>(map.entrySet());
    sorted.sort(BY_KEY_THEN_VALUE);
    return sorted;
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN()
        || value instanceof Float small && small.isNaN();
  }

  // Numbers

  private static int compareNumbers(Number a, Number b) {
    if (isWhole(a) && isWhole(b)) {
      return Long.compare(a.longValue(), b.longValue());
    }
    boolean firstNaN = isNaN(a);
    if (firstNaN || isNaN(b)) {
      return Boolean.compare(firstNaN, isNaN(b));
    }
    boolean big = a instanceof BigInteger || b instanceof BigInteger;
    boolean floating = isFloating(a) || isFloating(b);
    if (big) {
      return floating ? compareExactly(a, b) : bigInteger(a).compareTo(bigInteger(b));
    }
    boolean wide = a instanceof Double || b instanceof Double || a instanceof Long;
    return wide || b instanceof Long
        ? Double.compare(a.doubleValue(), b.doubleValue())
        : Float.compare(a.floatValue(), b.floatValue());
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof Integer || number instanceof Short;
  }

  private static boolean isFloating(Number number) {
    return number instanceof Double || number instanceof Float;
  }

  private static int compareExactly(Number a, Number b) {
    if (isFloating(a) && Double.isInfinite(a.doubleValue())) {
      return a.doubleValue() > 0 ? 1 : -1;
    }
    if (isFloating(b) && Double.isInfinite(b.doubleValue())) {
      return b.doubleValue() > 0 ? -1 : 1;
    }
    return decimal(a).compareTo(decimal(b));
  }

  private static BigInteger bigInteger(Number number) {
    return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
  }

  private static BigDecimal decimal(Number number) {
    if (number instanceof BigInteger big) {
      return new BigDecimal(big);
    }
    // The text of a float is the shortest decimal that reads as this float.
    return isFloating(number)
        ? new BigDecimal(number.toString())
        : BigDecimal.valueOf(number.longValue());
  }
}
