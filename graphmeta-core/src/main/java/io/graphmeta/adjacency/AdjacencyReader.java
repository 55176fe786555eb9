package io.graphmeta.adjacency;

import io.graphmeta.model.ReadView;
import io.graphmeta.storage.StorageEngine;
import org.jspecify.annotations.Nullable;

/** Reads neighbours for one call on one thread. */
public final class AdjacencyReader implements AutoCloseable {
  private final StorageEngine storage;
  private final @Nullable UnitLoader[] loaders = new UnitLoader[2];
  private long misses;

  AdjacencyReader(StorageEngine storage) {
    this.storage = storage;
  }

  /**
   * Visits the neighbours of every vertex of {@code keys[from..to)} in one direction, in any order.
   *
   * @param outgoing along the edges, or against them
   * @param labelIds labels of edges, ascending; none for all
   * @param view its committed stamp is one that a snapshot can have
   * @throws io.graphmeta.error.GraphMetaException {@code CANCELLED} if the thread is interrupted
   */
  public void read(
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    UnitLoader loader = loader(outgoing);
    for (int i = from; i < to; i++) {
      misses++;
      for (int l = 0; l < Math.max(1, labelIds.length); l++) {
        int label = labelIds.length == 0 ? 0 : labelIds[l];
        if (!loader.read(keys[i], label, view, i, visitor)) {
          return;
        }
      }
    }
  }

  /**
   * Makes sure that the neighbours of a vertex are in the cache for a view.
   *
   * @return false if they were there
   */
  public boolean prefetch(long key, boolean outgoing, int[] labelIds, ReadView view) {
    return true;
  }

  private UnitLoader loader(boolean outgoing) {
    int at = outgoing ? 0 : 1;
    UnitLoader loader = loaders[at];
    if (loader == null) {
      loader = new UnitLoader(storage, outgoing);
      loaders[at] = loader;
    }
    return loader;
  }

  /** Vertices found in the cache by this reader. */
  public long hits() {
    return 0;
  }

  /** Vertices that this reader had to read from the store. */
  public long misses() {
    return misses;
  }

  /** Edges that this reader visited or loaded. */
  public long edgesRead() {
    long sum = 0;
    for (UnitLoader loader : loaders) {
      sum += loader == null ? 0 : loader.edgesRead();
    }
    return sum;
  }

  /** Bytes of rows that this reader read from the store. */
  public long bytesRead() {
    long sum = 0;
    for (UnitLoader loader : loaders) {
      sum += loader == null ? 0 : loader.bytesRead();
    }
    return sum;
  }

  @Override
  public void close() {
    for (UnitLoader loader : loaders) {
      if (loader != null) {
        loader.close();
      }
    }
  }
}
