package io.graphmeta.adjacency;

import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the readers of one {@link AdjacencyCache} share: the table of the units, who may use them,
 * the store that they are read from, and the counts of hits. Safe for use by many threads.
 */
final class SharedUnits {
  /** Neighbours that are read at once where nothing is kept. */
  private static final int UNCACHED_OTHERS = 1 << 16;

  /** The units; null if nothing is kept. */
  final @Nullable UnitTable table;

  private final StorageEngine storage;
  private final SplitTable splits;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder rowHits = new LongAdder();
  private final LongAdder rowMisses = new LongAdder();
  private volatile @Nullable Executor loaders;
  private volatile long newestChange;

  SharedUnits(StorageEngine storage, SplitTable splits, long maxBytes) {
    this.storage = storage;
    this.splits = splits;
    this.table = maxBytes == 0 ? null : new UnitTable(maxBytes);
  }

  /**
   * Whether units of a vertex are of the same entries as a reader with a snapshot is to see: there
   * was no split of the vertex since. To be asked after a unit was found, and before one is added.
   */
  boolean isShared(long vertex, boolean outgoing, long snapshot) {
    return snapshot >= splits.newest() || snapshot >= splits.state(vertex, outgoing).newest();
  }

  /** The number of the shard. */
  int shard() {
    return splits.shard();
  }

  /** The number of the newest change: a cursor that is opened afterwards sees what it wrote. */
  long newestChange() {
    return newestChange;
  }

  /** Sets the number of the newest change, which only grows. Called by one thread at a time. */
  void changed(long number) {
    newestChange = number;
  }

  /** Reads units from the store. */
  UnitLoader loader(boolean outgoing) {
    int most = table == null ? UNCACHED_OTHERS : (int) Math.max(64, table.maxUnitBytes() / 8);
    return new UnitLoader(storage, splits, outgoing, most);
  }

  /** Threads that load ahead of a reader, or null. */
  @Nullable Executor loaders() {
    return loaders;
  }

  /** Gives threads that load ahead of a reader. */
  void loadAheadOn(Executor threads) {
    loaders = threads;
  }

  /** Counts what a reader of neighbours found, and what it did not find. */
  void count(long found, long missed) {
    if (found > 0) {
      hits.add(found);
    }
    if (missed > 0) {
      misses.add(missed);
    }
  }

  /** Counts what a reader of rows found, and what it did not find. */
  void countRows(long found, long missed) {
    if (found > 0) {
      rowHits.add(found);
    }
    if (missed > 0) {
      rowMisses.add(missed);
    }
  }

  AdjacencyStatistics statistics() {
    return table == null
        ? new AdjacencyStatistics(
            hits.sum(), misses.sum(), rowHits.sum(), rowMisses.sum(), 0, 0, 0, 0, 0, 0)
        : table.statistics(hits.sum(), misses.sum(), rowHits.sum(), rowMisses.sum());
  }
}
