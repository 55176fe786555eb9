package io.graphmeta.shard.moves;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.protocol.HotPartition;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * About how many entries were added to the vertices that get many, without a read: a table of fixed
 * size, in which a vertex that is not there takes the place, and the count, of the one with the
 * fewest of a few (as in the Space-Saving algorithm, Metwally et al., ICDT 2005). What passes the
 * threshold is to be verified before it is split, and so is each partition that is new: whoever
 * looked at it while its entries came found that there was no such partition yet. Safe for use by
 * many threads.
 */
public final class EntryCounts {
  private static final int SLOTS = 1 << 16;
  private static final int PROBES = 4;
  private static final int MAX_DUE = 4096;

  private final int threshold;

  @GuardedBy("this")
  private final long[] vertices = new long[SLOTS];

  @GuardedBy("this")
  private final int[] counts = new int[SLOTS];

  @GuardedBy("this")
  private final Set<HotPartition> due = new LinkedHashSet<>();

  /** Counts up to a threshold, in entries of a vertex in one direction. */
  public EntryCounts(int threshold) {
    this.threshold = threshold;
  }

  /** Counts the entries that were written. To be called when the splits among them are known. */
  @SuppressWarnings("GuardedBy") // the visitor is called within this call
  public synchronized void changed(RowBatch written) {
    written.forEach(
        (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (family == Family.SPLITS && valueLength > 0) {
            look(BigEndian.getLong(rows, keyAt), SplitRows.isOutgoing(rows, keyAt));
          } else if ((family == Family.OUT || family == Family.IN)
              && valueLength > 0
              && BigEndian.getShort(rows, keyAt + RowKeys.EDGE_KEY_BYTES) == RowKeys.BODY
              && !RowValues.isTombstone(rows, valueAt)) {
            add(BigEndian.getLong(rows, keyAt), family == Family.OUT);
          }
        });
  }

  @GuardedBy("this")
  private void add(long vertex, boolean outgoing) {
    int slot = slot(vertex, outgoing);
    if (++counts[slot] > threshold) {
      counts[slot] = 0;
      look(vertex, outgoing);
    }
  }

  @GuardedBy("this")
  private int slot(long vertex, boolean outgoing) {
    int side = outgoing ? 0 : 1; // each direction has half of the table
    int first = (int) (vertex * 0x9e3779b97f4a7c15L >>> 40) & SLOTS / 2 - 1;
    int least = -1;
    for (int probe = 0; probe < PROBES; probe++) {
      int slot = (first + probe & SLOTS / 2 - 1) * 2 + side;
      if (vertices[slot] == vertex) {
        return slot;
      }
      if (least < 0 || counts[slot] < counts[least]) {
        least = slot;
      }
    }
    vertices[least] = vertex;
    return least;
  }

  /** Notes how many entries a vertex really has. */
  synchronized void verified(long vertex, boolean outgoing, int entries) {
    counts[slot(vertex, outgoing)] = Math.min(entries, threshold);
  }

  /** Wants a vertex to be looked at. */
  synchronized void look(long vertex, boolean outgoing) {
    if (due.size() < MAX_DUE) {
      due.add(new HotPartition(vertex, outgoing, 0));
    }
  }

  /** Those that may have passed the threshold; each is told once. */
  synchronized List<HotPartition> takeDue(int most) {
    List<HotPartition> taken = new ArrayList<>();
    Iterator<HotPartition> next = due.iterator();
    while (next.hasNext() && taken.size() < most) {
      taken.add(next.next());
      next.remove();
    }
    return taken;
  }

  /** Forgets everything, after all rows were removed from the store. */
  public synchronized void clear() {
    Arrays.fill(counts, 0);
    due.clear();
  }
}
