package io.graphmeta.codec;

import io.graphmeta.error.GraphMetaException;

/** Packs and unpacks vertex keys; see the package description for the layout. */
public final class VertexKeys {
  /** Bits of the label id. */
  public static final int LABEL_BITS = 12;

  /** Bits of the counter. */
  public static final int COUNTER_BITS = 36;

  /** Bits of the virtual node. */
  public static final int VIRTUAL_NODE_BITS = 16;

  /** The greatest label id. */
  public static final int MAX_LABEL_ID = (1 << LABEL_BITS) - 1;

  /** The greatest counter. */
  public static final long MAX_COUNTER = (1L << COUNTER_BITS) - 1;

  private static final int LABEL_SHIFT = COUNTER_BITS + VIRTUAL_NODE_BITS;

  private VertexKeys() {}

  /** The key of its parts. */
  public static long pack(int labelId, long counter, int virtualNode) {
    if (labelId < 1 || labelId > MAX_LABEL_ID) {
      throw GraphMetaException.internal(
          "The id " + labelId + " of a vertex label in a key; expected 1 to " + MAX_LABEL_ID);
    }
    return (long) labelId << LABEL_SHIFT | counter << VIRTUAL_NODE_BITS | virtualNode;
  }

  /** The label id of a key. */
  public static int labelId(long key) {
    return (int) (key >>> LABEL_SHIFT);
  }

  /** The counter of a key. */
  public static long counter(long key) {
    return key >>> VIRTUAL_NODE_BITS & MAX_COUNTER;
  }

  /** The home of a key. */
  public static int virtualNode(long key) {
    return (int) key & 0xffff;
  }

  /** The smallest key that a vertex of a label can have. */
  public static long firstOfLabel(int labelId) {
    return (long) labelId << LABEL_SHIFT;
  }
}
