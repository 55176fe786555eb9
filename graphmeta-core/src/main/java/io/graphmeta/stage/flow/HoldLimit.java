package io.graphmeta.stage.flow;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;

/** The limit of what a traversal may hold on one shard: a number of elements, and the heap. */
public final class HoldLimit {
  /** Elements after which the heap is asked again for room. */
  private static final int ASKED_EACH = 1 << 14;

  /** About what an element or a result takes, in bytes. */
  private static final long ELEMENT_BYTES = 128;

  private HoldLimit() {}

  /**
   * Requires that a traversal may hold so many elements at one place.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if they are too many, or if the heap has no
   *     room for more
   */
  public static void require(long size, long maxSize) {
    if ((size & ASKED_EACH - 1) == 0 && size > 0) {
      HeapGauge.ofProcess()
          .requireRoom(ASKED_EACH * ELEMENT_BYTES, "what a traversal holds on a shard");
    }
    if (size > maxSize) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal holds more than "
              + maxSize
              + " elements or results on one shard; expected fewer (narrow it, or raise"
              + " graphmeta.max-frontier)");
    }
  }
}
