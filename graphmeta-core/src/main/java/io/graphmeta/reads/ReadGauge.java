package io.graphmeta.reads;

import io.graphmeta.heap.HeapGauge;
import io.graphmeta.protocol.ElementPage;

/**
 * Asks for each page whether there is room in the heap for its elements, since the caller may keep
 * all of them. Small pages are let through. Safe for use by many threads.
 */
final class ReadGauge {
  private static final int LEAST_BYTES = 1 << 14;

  /** About what an element takes as an object, in comparison with its row. */
  private static final long GROWTH = 8;

  private ReadGauge() {}

  /**
   * Lets a page through.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code LIMIT_EXCEEDED} if there is no room
   */
  static void requireRoom(ElementPage page) {
    long bytes = GROWTH * page.data().length;
    if (bytes >= LEAST_BYTES) {
      HeapGauge.ofProcess().requireRoom(bytes, "the elements that a transaction reads");
    }
  }
}
