package io.graphmeta.adjacency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The layout of a unit: the neighbours of one vertex in one direction, by edges of one label or of
 * all, as one array of longs.
 *
 * <pre>
 * | vertex | segments 32, tag 32 | least valid | least known | valid limit | known limit | used |
 * | segments x ( label 32, end of its neighbours in the array 32 ) | neighbours ... |
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

  private static final int ARRAY_HEADER_BYTES = 16;

  private Unit() {}

  /** What tells the units of a vertex apart; label 0 for all labels. */
  static int tag(int labelId, boolean outgoing) {
    return labelId << 1 | (outgoing ? 1 : 0);
  }

  static int tagOf(long[] unit) {
    return (int) unit[TAG];
  }

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
