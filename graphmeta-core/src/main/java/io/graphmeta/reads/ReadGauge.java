package io.graphmeta.reads;

import io.graphmeta.heap.HeapGauge;
import io.graphmeta.protocol.ElementPage;

/**
 * Asks whether there is room for what is read, page by page: whoever reads it may keep it all, and
 * cannot be asked. Small reads are let through. Safe for use by many threads.
 */
public final class ReadGauge {
  private static final int LEAST_BYTES = 1 << 14;

  /** About what an element takes as an object, in comparison with its row. */
  private static final long GROWTH = 8;

  private ReadGauge() {}

  public static void told(ElementPage page) {
    long bytes = GROWTH * page.data().length;
    if (bytes >= LEAST_BYTES) {
      HeapGauge.ofProcess().requireRoom(bytes, "the elements that a transaction reads");
    }
  }
}
