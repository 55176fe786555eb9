package io.graphmeta.search.lucene;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects vertex keys in any order, up to a number of different ones. It never holds more than
 * twice that many.
 */
final class KeyBuffer {
  private static final int FIRST_LENGTH = 64;

  private final int most;
  private long[] keys = new long[FIRST_LENGTH];
  private int size;

  KeyBuffer(int most) {
    this.most = most;
  }

  /** Adds a key; false if there are more different keys than it takes. */
  boolean add(long key) {
    if (size == keys.length) {
      if (size > most) {
        sort();
        if (size > most) {
          return false;
        }
      }
      long room = Math.min(2L * size, Math.max(FIRST_LENGTH, 2L * most + 1));
      if (room > keys.length) {
        keys = Arrays.copyOf(keys, (int) room);
      }
    }
    keys[size++] = key;
    return true;
  }

  /** All keys in signed order, each once; null if there are more than it takes. */
  long @Nullable [] sorted() {
    sort();
    return size > most ? null : Arrays.copyOf(keys, size);
  }

  private void sort() {
    Arrays.sort(keys, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (distinct == 0 || keys[i] != keys[distinct - 1]) {
        keys[distinct++] = keys[i];
      }
    }
    size = distinct;
  }
}
