package io.graphmeta.shard.moves;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of entries that were moved away: kept for a while, for readers whose snapshots are from
 * before, and then removed. Those of an earlier run are removed soon, since its readers are gone.
 *
 * <p>Only rows are removed that no reader from the resolved stamp on takes: at and below it the
 * outcome of each split is known, and a split without an outcome lies above it. And only where this
 * shard holds a partition of the vertex by then: where it does not, the rows that it has are being
 * copied here. Safe for use by many threads.
 */
public final class MovedRows {
  private static final int REMOVED_AT_ONCE = 4096;
  private static final int SIDES_AT_ONCE = 256;

  private final SplitTable splits;
  private final EntryMoves moves;
  private final long keptMillis;

  @GuardedBy("this")
  private final Deque<Moved> kept = new ArrayDeque<>();

  /** A time by the clock of the ticks; known from the first tick on. */
  @GuardedBy("this")
  private long nowMillis = Long.MIN_VALUE;

  /**
   * The rows that were moved away, with the ones that a store has of an earlier run.
   *
   * @param keptMillis how long rows are kept, in milliseconds
   */
  public MovedRows(SplitTable splits, EntryMoves moves, long keptMillis) {
    this.splits = splits;
    this.moves = moves;
    this.keptMillis = keptMillis;
    long newest = splits.newest();
    List<Moved> ofEarlierRun = new ArrayList<>();
    splits.forEach(
        (vertex, outgoing) ->
            ofEarlierRun.add(new Moved(vertex, outgoing, newest, Long.MIN_VALUE)));
    kept.addAll(ofEarlierRun);
  }

  /**
   * Entries of a vertex that were moved.
   *
   * @param stamp of the split
   * @param dueMillis by the clock of the ticks; the highest number if it is not known yet
   */
  private record Moved(long vertex, boolean outgoing, long stamp, long dueMillis) {
    Moved dueBy(long millis) {
      return new Moved(vertex, outgoing, stamp, Math.min(dueMillis, millis));
    }
  }

  /** Takes note of splits. */
  public void changed(RowBatch written) {
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
    long due = nowMillis == Long.MIN_VALUE ? Long.MAX_VALUE : nowMillis + keptMillis;
    kept.add(new Moved(vertex, outgoing, stamp, due));
  }

  /** Removes a part of what has been kept for long enough. */
  public void tick(long millis, long resolved, ReplicationLog log) {
    int rows = REMOVED_AT_ONCE;
    for (int sides = 0; sides < SIDES_AT_ONCE && rows > 0; sides++) {
      Moved due = due(millis, resolved);
      if (due == null) {
        return;
      }
      int removed = remove(due, resolved, rows, log);
      if (removed < rows) {
        forget(due);
      }
      rows -= removed;
    }
  }

  /** What has been kept longest, if its time has come. */
  private synchronized @Nullable Moved due(long millis, long resolved) {
    if (nowMillis == Long.MIN_VALUE) {
      List<Moved> all = kept.stream().map(each -> each.dueBy(millis + keptMillis)).toList();
      kept.clear();
      kept.addAll(all);
    }
    nowMillis = millis;
    Moved oldest = kept.peek();
    return oldest == null || oldest.dueMillis() > millis || oldest.stamp() > resolved
        ? null
        : oldest;
  }

  private int remove(Moved due, long resolved, int most, ReplicationLog log) {
    int mine = splits.places().partitionOn(due.vertex(), splits.shard());
    if (!splits.state(due.vertex(), due.outgoing()).at(resolved).has(mine)) {
      return 0;
    }
    splits.keepNoLonger(due.vertex(), due.outgoing(), resolved);
    return moves.remove(due.vertex(), due.outgoing(), resolved, most, log);
  }

  private synchronized void forget(Moved removed) {
    if (removed.equals(kept.peek())) {
      kept.remove();
    }
  }

  /** Forgets everything, after all rows were removed from the store. */
  public synchronized void clear() {
    kept.clear();
  }
}
