package io.graphmeta.adjacency;

import io.graphmeta.storage.Family;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The layout of a unit: what rows of one family tell of one vertex, or of its edges of one label or
 * of all, or of an id, as one array of longs.
 *
 * <pre>
 * | key | size 32, tag 32 | least valid | least known | valid limit | known limit | used |
 * neighbours: | size x ( label 32, end of its neighbours in the array 32 ) | neighbours ... |
 * rows:       | size bytes, eight to a long, the first one highest |
 * </pre>
 *
 * The unit holds for the views (V, K) with {@code least valid <= V < valid limit} and {@code least
 * known <= K < known limit}. The limits only ever go down once the unit is published; all else but
 * {@code used} never changes.
 */
final class Unit {
  static final int KEY = 0;
  static final int TAG = 1;
  static final int LEAST_VALID = 2;
  static final int LEAST_KNOWN = 3;
  static final int VALID_LIMIT = 4;
  static final int KNOWN_LIMIT = 5;

  /** Not 0 if it was found since eviction last passed by. */
  static final int USED = 6;

  static final int HEADER = 7;

  /** No view lies below this limit. */
  static final long NOBODY = Long.MIN_VALUE;

  static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  /** Content of units: the keys of neighbours, which depend on bodies alone. */
  static final int NEIGHBOURS = 0;

  /** Content of units: rows that depend on bodies alone. */
  static final int BODIES = 1;

  /** Content of units: rows that depend on all rows of the elements. */
  static final int ALL_ROWS = 2;

  /** Families that units are made of have numbers below this. */
  static final int FAMILIES = 4;

  private static final int FAMILY_MASK = FAMILIES - 1;
  private static final int CONTENT_SHIFT = 2;
  private static final int LABEL_SHIFT = 4;
  private static final int ARRAY_HEADER_BYTES = 16;

  private Unit() {}

  /** What tells the units of a vertex apart; label 0 for all labels, and for no edges. */
  static int tag(int labelId, int familyNumber, int content) {
    return labelId << LABEL_SHIFT | content << CONTENT_SHIFT | familyNumber;
  }

  /** The tag of neighbours. */
  static int tag(int labelId, boolean outgoing) {
    return tag(labelId, familyNumber(outgoing ? Family.OUT : Family.IN), NEIGHBOURS);
  }

  /** The number of a family that units are made of; -1 for others. */
  static int familyNumber(Family family) {
    return switch (family) {
      case IN -> 0;
      case OUT -> 1;
      case ATTRIBUTES -> 2;
      case IDS -> 3;
      case META, SPLITS, CHANGED -> -1;
    };
  }

  static int familyNumber(int tag) {
    return tag & FAMILY_MASK;
  }

  /** Whether a unit is made of rows like one that was written. */
  static boolean concerns(int tag, int familyNumber, int labelId, boolean body) {
    int label = tag >>> LABEL_SHIFT;
    return familyNumber(tag) == familyNumber
        && (label == labelId || label == 0)
        && (body || (tag >>> CONTENT_SHIFT & 3) == ALL_ROWS);
  }

  static int tagOf(long[] unit) {
    return (int) unit[TAG];
  }

  /** Number of segments, or of bytes. */
  static int segments(long[] unit) {
    return (int) (unit[TAG] >>> 32);
  }

  static int labelOf(long segment) {
    return (int) (segment >>> 32);
  }

  static int endOf(long segment) {
    return (int) segment;
  }

  static boolean holdsFor(long[] unit, long validAt, long knownAt) {
    return validAt >= unit[LEAST_VALID]
        && knownAt >= unit[LEAST_KNOWN]
        && validAt < unit[VALID_LIMIT]
        && knownAt < unit[KNOWN_LIMIT];
  }

  /** Memory of a unit of so many longs, in bytes. */
  static long sizeBytes(long longs) {
    return ARRAY_HEADER_BYTES + 8 * longs;
  }
}
