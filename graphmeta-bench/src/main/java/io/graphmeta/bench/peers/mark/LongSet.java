package io.graphmeta.bench.peers.mark;

import java.util.Arrays;

/**
 * A set of numbers from 0 on: an open-addressing table, and a list of its members in the order of
 * their arrival. For one thread.
 */
final class LongSet {
  private static final long EMPTY = -1;

  private long[] slots = new long[64];
  private long[] members = new long[32];
  private int size;

  LongSet() {
    Arrays.fill(slots, EMPTY);
  }

  /** Adds a number that may be there already. */
  void add(long number) {
    int mask = slots.length - 1;
    int slot = firstSlot(number) & mask;
    while (slots[slot] != number) {
      if (slots[slot] == EMPTY) {
        slots[slot] = number;
        if (size == members.length) {
          grow();
        }
        members[size++] = number;
        return;
      }
      slot = slot + 1 & mask;
    }
  }

  /** A hash of 32 bits; the upper ones of the product depend on all bits of the number. */
  static int firstSlot(long number) {
    return (int) (number * 0x9E37_79B9_7F4A_7C15L >>> 32);
  }

  private void grow() {
    members = Arrays.copyOf(members, size * 2);
    long[] old = slots;
    slots = new long[old.length * 2];
    Arrays.fill(slots, EMPTY);
    int mask = slots.length - 1;
    for (long number : old) {
      if (number != EMPTY) {
        int slot = firstSlot(number) & mask;
        while (slots[slot] != EMPTY) {
          slot = slot + 1 & mask;
        }
        slots[slot] = number;
      }
    }
  }

  /** How many there are. */
  int size() {
    return size;
  }

  /** One of them, by its place from 0 on. */
  long member(int place) {
    return members[place];
  }
}
