package io.graphmeta.shard;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Rows of entries that were moved away: kept for a while, for readers whose snapshots are from
 * before, and then removed. Those of an earlier run are removed soon, since its readers are gone.
 *
 * <p>Only rows are removed that no reader from the resolved stamp on takes: at and below it the
 * outcome of each split is known, and a split that could still be given up lies above it. And only
 * where this server holds a partition of the vertex by then: where it does not, what it has is on
 * its way here. Safe for use by many threads.
 */
final class MovedRows {
  private static final int REMOVED_AT_ONCE = 4096;

  private final SplitTable splits;
  private final EntryMoves moves;
  private final long keptMillis;
  private final Deque<Moved> kept = new ArrayDeque<>();

  /** A time by the clock of the ticks; known from the first tick on. */
  private long nowMillis = Long.MIN_VALUE;

  MovedRows(SplitTable splits, EntryMoves moves, long keptMillis) {
    this.splits = splits;
    this.moves = moves;
    this.keptMillis = keptMillis;
    long newest = splits.newest();
    splits.forEach((vertex, outgoing) -> kept.add(new Moved(vertex, outgoing, newest, 0)));
  }

  /**
   * Entries of a vertex that were moved.
   *
   * @param stamp of the split
   */
  private record Moved(long vertex, boolean outgoing, long stamp, long dueMillis) {}

  /** Takes note of splits. */
  void changed(RowBatch written) {
    written.forEach(
        (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (family == Family.SPLITS && SplitRows.isMove(valueLength)) {
            add(
                BigEndian.getLong(rows, keyAt),
                SplitRows.isOutgoing(rows, keyAt),
                SplitRows.stamp(rows, keyAt, keyLength));
          }
        });
  }

  private synchronized void add(long vertex, boolean outgoing, long stamp) {
    long now = nowMillis == Long.MIN_VALUE ? 0 : nowMillis;
    kept.add(new Moved(vertex, outgoing, stamp, now + keptMillis));
  }

  /** Removes a part of what has been kept for long enough. */
  void tick(long millis, long resolved, ReplicationLog log) {
    Moved due;
    synchronized (this) {
      nowMillis = millis;
      due = kept.peek();
      if (due == null || due.dueMillis() > millis || due.stamp() > resolved) {
        return;
      }
      kept.remove();
    }
    int mine = splits.places().partitionOn(due.vertex(), splits.server());
    if (!splits.state(due.vertex(), due.outgoing()).at(resolved).has(mine)) {
      return;
    }
    splits.keepNoLonger(due.vertex(), due.outgoing(), resolved);
    int removed = moves.remove(due.vertex(), due.outgoing(), resolved, REMOVED_AT_ONCE, log);
    if (removed == REMOVED_AT_ONCE) {
      synchronized (this) {
        kept.addFirst(due);
      }
    }
  }

  synchronized void clear() {
    kept.clear();
  }
}
