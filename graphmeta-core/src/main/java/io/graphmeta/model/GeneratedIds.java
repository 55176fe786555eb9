package io.graphmeta.model;

import org.jspecify.annotations.Nullable;

/**
 * The ids of elements whose users gave none: the key itself, written out, so that it is found
 * without an index. They begin with {@value #PREFIX}, which ids given by users may not.
 *
 * <pre>
 * vertex     ~key                                 in base 36
 * edge       ~out-label-in-sequence
 * property   ~vertex.key.value
 * </pre>
 */
public final class GeneratedIds {
  /** The first character of every generated id. */
  public static final String PREFIX = "~";

  private static final int RADIX = 36;

  private GeneratedIds() {}

  /** True for a text of the reserved form that is not the stored form of a number or UUID. */
  public static boolean isReserved(String id) {
    return id.startsWith(PREFIX) && !TypedIds.isTyped(id);
  }

  /** The id of a vertex. */
  public static String ofVertex(long key) {
    return PREFIX + Long.toUnsignedString(key, RADIX);
  }

  /** The id of an edge. */
  public static String ofEdge(EdgeKey key) {
    return ofVertex(key.out())
        + "-"
        + Integer.toString(key.labelId(), RADIX)
        + "-"
        + Long.toUnsignedString(key.in(), RADIX)
        + "-"
        + Long.toString(key.sequence(), RADIX);
  }

  /** The id of a value of a vertex property. */
  public static String ofProperty(long vertex, int propertyKeyId, long valueId) {
    return ofVertex(vertex)
        + "."
        + Integer.toString(propertyKeyId, RADIX)
        + "."
        + Long.toString(valueId, RADIX);
  }

  /** The vertex key of an id, or 0 if it is not the generated id of a vertex. */
  public static long parseVertex(String id) {
    if (!isReserved(id)) {
      return 0;
    }
    try {
      long key = Long.parseUnsignedLong(id.substring(PREFIX.length()), RADIX);
      return ofVertex(key).equals(id) ? key : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The edge key of an id, or null if it is not the generated id of an edge. */
  public static @Nullable EdgeKey parseEdge(String id) {
    String[] parts = id.split("-", -1);
    if (!isReserved(id) || parts.length != 4) {
      return null;
    }
    try {
      EdgeKey key =
          new EdgeKey(
              parseVertex(parts[0]),
              Integer.parseInt(parts[1], RADIX),
              Long.parseUnsignedLong(parts[2], RADIX),
              Long.parseLong(parts[3], RADIX));
      return ofEdge(key).equals(id) ? key : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
