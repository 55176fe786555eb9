package io.graphmeta.model;

import io.graphmeta.error.GraphMetaException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The types of property values: those that the TinkerPop drivers of every language can read. Values
 * are taken as immutable copies, so that what a transaction holds is what it will write.
 */
public final class PropertyTypes {
  private static final int MAX_DEPTH = 16;

  private PropertyTypes() {}

  /** True if {@link #checked} would take the value. */
  public static boolean isSupported(@Nullable Object value) {
    return value != null && reasonAgainst(value, 0) == null;
  }

  /**
   * An immutable value equal to the given one.
   *
   * @throws GraphMetaException as {@link #requireSupported}
   */
  public static Object checked(String key, @Nullable Object value) {
    return copy(requireSupported(key, value));
  }

  /**
   * The value, if {@link #copy} takes it.
   *
   * @throws GraphMetaException naming the key, the type and the types that are taken
   */
  public static Object requireSupported(String key, @Nullable Object value) {
    if (value == null) {
      throw GraphMetaException.invalid(
          "Property '" + key + "' is null; expected a value (remove the property instead)");
    }
    String reason = reasonAgainst(value, 0);
    if (reason != null) {
      throw GraphMetaException.invalid(
          "Property '"
              + key
              + "' has "
              + reason
              + "; expected boolean, short, int, long, BigInteger, float, double, string,"
              + " UUID, bytes (ByteBuffer), Date, OffsetDateTime, or a list, set or map of these");
    }
    return value;
  }

  private static @Nullable String reasonAgainst(Object value, int depth) {
    if (depth > MAX_DEPTH) {
      return "collections nested more than " + MAX_DEPTH + " deep";
    }
    if (value instanceof Collection<?> values
        && (value instanceof List<?> || value instanceof Set<?>)) {
      for (Object element : values) {
        String reason =
            element == null ? "a null in a collection" : reasonAgainst(element, depth + 1);
        if (reason != null) {
          return reason;
        }
      }
      return null;
    }
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (entry.getKey() == null || entry.getValue() == null) {
          return "a null in a map";
        }
        String reason = reasonAgainst(entry.getKey(), depth + 1);
        reason = reason != null ? reason : reasonAgainst(entry.getValue(), depth + 1);
        if (reason != null) {
          return reason;
        }
      }
      return null;
    }
    return isScalar(value) ? null : "a value of type " + value.getClass().getName();
  }

  private static boolean isScalar(Object value) {
    return value instanceof String
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Double
        || value instanceof Boolean
        || value instanceof Float
        || value instanceof Short
        || value instanceof BigInteger
        || value instanceof UUID
        || value instanceof ByteBuffer
        || value instanceof Date
        || value instanceof OffsetDateTime;
  }

  /** An immutable value equal to a supported one. */
  public static Object copy(Object value) {
    if (value instanceof List<?> list) {
      List<Object> copied = new ArrayList<>(list.size());
      list.forEach(element -> copied.add(copy(element)));
      return Collections.unmodifiableList(copied);
    }
    if (value instanceof Set<?> set) {
      Set<Object> copied = new LinkedHashSet<>();
      set.forEach(element -> copied.add(copy(element)));
      return Collections.unmodifiableSet(copied);
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copied = new LinkedHashMap<>();
      map.forEach((k, v) -> copied.put(copy(k), copy(v)));
      return Collections.unmodifiableMap(copied);
    }
    if (value instanceof ByteBuffer bytes) {
      ByteBuffer copied = ByteBuffer.allocate(bytes.remaining());
      return copied.put(bytes.duplicate()).flip();
    }
    if (value instanceof Date date) {
      return new Date(date.getTime());
    }
    return value;
  }

  /**
   * An estimate of the size of a supported value when stored, in bytes. Of texts, bytes, and
   * collections of them it is right but for a few bytes for each; a value of another type counts as
   * much as the largest of such values takes.
   */
  public static long estimatedBytes(Object value) {
    if (value instanceof String text) {
      return 4L + utf8Bytes(text);
    }
    if (value instanceof ByteBuffer bytes) {
      return 4L + bytes.remaining();
    }
    if (value instanceof Collection<?> values) {
      long bytes = 4;
      for (Object each : values) {
        bytes += estimatedBytes(each);
      }
      return bytes;
    }
    if (value instanceof Map<?, ?> map) {
      return 4L + estimatedBytes(map.keySet()) + estimatedBytes(map.values());
    }
    return value instanceof BigInteger number ? 4L + number.bitLength() / 8 : 16;
  }

  /** The length of a text in UTF-8, in bytes. */
  public static long utf8Bytes(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // Each half of a pair counts for two of its four bytes.
        bytes += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
      }
    }
    return bytes;
  }
}
