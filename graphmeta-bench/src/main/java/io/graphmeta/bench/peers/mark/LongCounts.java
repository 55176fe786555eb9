package io.graphmeta.bench.peers.mark;

import java.util.Arrays;

/** Numbers from 0 on, each with a count, in an open-addressing table. For one thread. */
final class LongCounts {
  private static final long EMPTY = -1;

  private long[] slots = new long[64];
  private long[] counts = new long[64];
  private int size;

  LongCounts() {
    Arrays.fill(slots, EMPTY);
  }

  /** Adds to the count of a number. */
  void add(long number, long count) {
    int mask = slots.length - 1;
    int slot = LongSet.firstSlot(number) & mask;
    while (slots[slot] != number) {
      if (slots[slot] == EMPTY) {
        slots[slot] = number;
        counts[slot] = count;
        if (++size * 2 > slots.length) {
          grow();
        }
        return;
      }
      slot = slot + 1 & mask;
    }
    counts[slot] += count;
  }

  private void grow() {
    long[] oldSlots = slots;
    long[] oldCounts = counts;
    slots = new long[oldSlots.length * 2];
    counts = new long[oldSlots.length * 2];
    Arrays.fill(slots, EMPTY);
    size = 0;
    for (int slot = 0; slot < oldSlots.length; slot++) {
      if (oldSlots[slot] != EMPTY) {
        add(oldSlots[slot], oldCounts[slot]);
      }
    }
  }

  /** Number of slots of the table. */
  int slotCount() {
    return slots.length;
  }

  /** There is a number in a slot. */
  boolean isTaken(int slot) {
    return slots[slot] != EMPTY;
  }

  /** The number in a slot. */
  long number(int slot) {
    return slots[slot];
  }

  /** The count of the number in a slot. */
  long count(int slot) {
    return counts[slot];
  }
}
