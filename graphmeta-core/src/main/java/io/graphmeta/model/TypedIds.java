package io.graphmeta.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ids that users give as whole numbers and UUIDs, and that come back as they were given. The engine
 * knows texts only; these are stored as texts that no user can give:
 *
 * <pre>
 * int 7    ~#7i
 * long 7   ~#7
 * UUID     ~#00112233-4455-6677-8899-aabbccddeeff
 * </pre>
 *
 * Whole numbers beyond 2^53 are texts from the start, because a client in JavaScript would round
 * them. A caller that has one form of a number or UUID may mean another, or the text of it; {@link
 * #forms} tells all. Pure.
 */
public final class TypedIds {
  /** What the stored form begins with. */
  public static final String PREFIX = GeneratedIds.PREFIX + "#";

  private static final String INT_SUFFIX = "i";
  private static final int UUID_LENGTH = 36;
  private static final long MAX_EXACT = 1L << 53;
  private static final int MAX_EXACT_LENGTH = 17;

  private TypedIds() {}

  /** True for the stored form of a number or UUID. */
  public static boolean isTyped(String stored) {
    return stored.startsWith(PREFIX);
  }

  /**
   * The stored form of an id.
   *
   * @return null for what cannot be an id: anything but a text that is not empty, a whole number
   *     that fits a long, and a UUID
   */
  public static @Nullable String stored(@Nullable Object id) {
    if (id instanceof String text) {
      return text.isEmpty() ? null : text;
    }
    if (id instanceof UUID) {
      return PREFIX + id;
    }
    if (id instanceof Integer || id instanceof Short || id instanceof Byte) {
      return PREFIX + id + INT_SUFFIX;
    }
    Long number = id instanceof Number given ? wholeNumber(given) : null;
    if (number == null) {
      return null;
    }
    return isExact(number) ? PREFIX + number : number.toString();
  }

  /** The id of a stored form, as the user gave it. */
  public static Object given(String stored) {
    if (!isTyped(stored)) {
      return stored;
    }
    String text = textOf(stored);
    Object typed = typed(text);
    if (typed == null) {
      return stored;
    }
    return stored.endsWith(INT_SUFFIX) ? (Object) ((Number) typed).intValue() : typed;
  }

  /** The text of the id of a stored form, as users see it written. */
  public static String written(String stored) {
    return isTyped(stored) ? given(stored).toString() : stored;
  }

  /** The text of a number or UUID; anything else as it is. */
  public static Object text(Object id) {
    String own = id instanceof String ? null : stored(id);
    if (own == null) {
      return id;
    }
    return isTyped(own) ? textOf(own) : own;
  }

  private static String textOf(String stored) {
    int end = stored.length() - (stored.endsWith(INT_SUFFIX) ? 1 : 0);
    return stored.substring(PREFIX.length(), end);
  }

  /** The stored form of the same number in the other width; null if there is none. */
  public static @Nullable String otherWidth(String stored) {
    if (!isTyped(stored)) {
      return null;
    }
    Object id = given(stored);
    if (id instanceof Integer number) {
      return stored(number.longValue());
    }
    return id instanceof Long number && number == number.intValue()
        ? stored(number.intValue())
        : null;
  }

  /**
   * The stored forms that an id may have, its own first: for a number or UUID, or a text that reads
   * like one, the others too.
   */
  public static List<String> forms(@Nullable Object id) {
    String own = stored(id);
    if (own == null) {
      return List.of();
    }
    String text = isTyped(own) ? textOf(own) : own;
    Object typed = typed(text);
    if (typed == null) {
      return List.of(own);
    }
    Set<String> forms = new LinkedHashSet<>();
    forms.add(own);
    if (typed instanceof Long number && number == number.intValue()) {
      forms.add(PREFIX + text + INT_SUFFIX);
    }
    forms.add(PREFIX + text);
    forms.add(text);
    return List.copyOf(forms);
  }

  /** The number or UUID that a text is exactly, or null. Most texts are told by a glance. */
  private static @Nullable Object typed(String text) {
    try {
      if (text.length() == UUID_LENGTH && text.charAt(8) == '-' && text.charAt(13) == '-') {
        UUID uuid = UUID.fromString(text);
        return uuid.toString().equals(text) ? uuid : null;
      }
      if (isWholeNumber(text)) {
        Long number = Long.valueOf(text);
        return isExact(number) && number.toString().equals(text) ? number : null;
      }
      return null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isWholeNumber(String text) {
    int from = text.startsWith("-") ? 1 : 0;
    if (text.length() == from || text.length() > MAX_EXACT_LENGTH) {
      return false;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** Whether every client reads a number as it is. */
  private static boolean isExact(long number) {
    return number >= -MAX_EXACT && number <= MAX_EXACT;
  }

  private static @Nullable Long wholeNumber(Number number) {
    if (number instanceof Long whole) {
      return whole;
    }
    try {
      if (number instanceof BigInteger big) {
        return big.longValueExact();
      }
      if (number instanceof BigDecimal decimal) {
        return decimal.longValueExact();
      }
      return new BigDecimal(number.toString()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }
}
