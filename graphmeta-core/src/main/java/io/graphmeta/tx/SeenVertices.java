package io.graphmeta.tx;

import java.util.Arrays;

/**
 * The vertices that a transaction has read at its snapshot and found there, by key, so that whether
 * they exist need not be asked again. What the snapshot shows never changes, so none is ever
 * removed; they are forgotten when there are too many. Belongs to the thread of its transaction.
 */
final class SeenVertices {
  private static final int FIRST_SLOTS = 16;
  private static final int MAX_SLOTS = 1 << 17;
  private static final long[] NONE = {};

  /** Open addressing, at most half full; no vertex has key 0. */
  private long[] slots = NONE;

  private int size;

  /** The vertex that was added last, and alone needs no slots. */
  private long last;

  /** Notes a vertex that the snapshot shows. */
  void add(long vertex) {
    if (vertex == last) {
      return;
    }
    if (last != 0) {
      insert(last);
    }
    last = vertex;
  }

  boolean contains(long vertex) {
    return vertex == last || (size > 0 && slots[slotOf(slots, vertex)] == vertex);
  }

  private void insert(long vertex) {
    if (size * 2 >= slots.length) {
      makeRoom();
    }
    int at = slotOf(slots, vertex);
    if (slots[at] == 0) {
      slots[at] = vertex;
      size++;
    }
  }

  private void makeRoom() {
    if (slots.length == MAX_SLOTS) {
      Arrays.fill(slots, 0);
      size = 0;
      return;
    }
    long[] wider = new long[Math.max(FIRST_SLOTS, slots.length * 2)];
    for (long vertex : slots) {
      if (vertex != 0) {
        wider[slotOf(wider, vertex)] = vertex;
      }
    }
    slots = wider;
  }

  /** Where a vertex is, or would be. */
  private static int slotOf(long[] slots, long vertex) {
    int mask = slots.length - 1;
    int at = (int) (vertex * 0x9e37_79b9_7f4a_7c15L >>> 32) & mask;
    while (slots[at] != 0 && slots[at] != vertex) {
      at = at + 1 & mask;
    }
    return at;
  }
}
