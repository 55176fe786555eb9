package io.graphmeta.storage.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.TreeMap;

/**
 * The sequences at which cursors of a store read: what one of them can see is kept. Knows too
 * whether the store is open, since cursors end with it. Safe for use by many threads.
 */
final class OpenCursors {
  /** Number of open cursors by the sequence at which they read. */
  @GuardedBy("this")
  private final TreeMap<Long, Integer> counts = new TreeMap<>();

  private volatile boolean storeClosed;

  /** A cursor that reads at a sequence was opened. */
  synchronized void opened(long sequence) {
    counts.merge(sequence, 1, Integer::sum);
  }

  /** A cursor that read at a sequence was closed. */
  synchronized void closed(long sequence) {
    counts.computeIfPresent(sequence, (s, count) -> count == 1 ? null : count - 1);
  }

  /** The least sequence at which a cursor reads; without cursors the one of a new reader. */
  synchronized long oldest(long newest) {
    return counts.isEmpty() ? newest : counts.firstKey();
  }

  /** The store is closed, and its cursors with it. */
  void closeStore() {
    storeClosed = true;
  }

  /** Fails with {@code CLOSED} if the store is closed. */
  void requireStoreOpen() {
    if (storeClosed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The store in memory is closed");
    }
  }
}
