package io.graphmeta.bench.workload;

import java.util.Arrays;

/**
 * A set of vertex keys in an array with open addressing, and the keys again in the order in which
 * they came. For one thread. Key 0 is nobody's.
 */
public final class VertexSet {
  private long[] table = new long[1 << 10];
  private long[] keys = new long[1 << 9];
  private int size;

  /** Adds a key unless it is there. */
  public void add(long key) {
    int mask = table.length - 1;
    int at = (int) (key * 0x9E37_79B9_7F4A_7C15L >>> 32) & mask;
    for (long there; (there = table[at]) != 0; at = at + 1 & mask) {
      if (there == key) {
        return;
      }
    }
    table[at] = key;
    keys[size++] = key;
    if (size == keys.length) {
      grow();
    }
  }

  private void grow() {
    keys = Arrays.copyOf(keys, 2 * size);
    table = new long[2 * table.length];
    int mask = table.length - 1;
    for (int i = 0; i < size; i++) {
      int at = (int) (keys[i] * 0x9E37_79B9_7F4A_7C15L >>> 32) & mask;
      while (table[at] != 0) {
        at = at + 1 & mask;
      }
      table[at] = keys[i];
    }
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /** The keys: the first {@link #size} of the array, which is the set's own. */
  public long[] keys() {
    return keys;
  }

  /** Removes all keys and keeps the room. */
  public void clear() {
    Arrays.fill(table, 0);
    size = 0;
  }
}
