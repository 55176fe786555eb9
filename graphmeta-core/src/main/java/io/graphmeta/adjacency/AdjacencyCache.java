package io.graphmeta.adjacency;

import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;

/**
 * Neighbours of vertices over the rows of one store. One per server; safe for use by many threads.
 */
public final class AdjacencyCache {
  private final StorageEngine storage;
  private final long maxBytes;

  /**
   * A cache over a store.
   *
   * @param maxBytes the most memory that it takes, in bytes; 0 to keep nothing and read the store
   *     each time
   */
  public AdjacencyCache(StorageEngine storage, long maxBytes) {
    this.storage = storage;
    this.maxBytes = maxBytes;
  }

  /** A reader for one call on one thread. Close it. */
  public AdjacencyReader reader() {
    return new AdjacencyReader(storage);
  }

  /**
   * Takes note of rows that were written to the store or deleted from it. To be called after the
   * store has applied them and before anyone can learn their stamp.
   */
  public void changed(RowBatch written) {}

  /** Forgets everything, after all rows were removed from the store. */
  public void clear() {}

  /** What it holds and what it did. */
  public AdjacencyStatistics statistics() {
    return new AdjacencyStatistics(0, 0, 0, 0, maxBytes, 0, 0, 0);
  }
}
