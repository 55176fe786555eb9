package io.graphmeta.adjacency;

import io.graphmeta.model.ReadView;
import org.jspecify.annotations.Nullable;

/**
 * Reads neighbours from the store, and keeps them as units where they can be kept. Belongs to one
 * thread. Close it.
 */
final class StoredNeighbours implements AutoCloseable {
  /** Loads after which the cursor is opened anew, so that what it has not seen stays little. */
  private static final int LOADS_PER_CURSOR = 1024;

  private final SharedUnits units;
  private final @Nullable UnitLoader[] loaders = new UnitLoader[2];

  /** The newest committed stamp that the cursors are known to see, and the newest change. */
  private long knownAtOpening = Long.MIN_VALUE;

  private long changesSeen;
  private int loadsSinceOpening;
  private long edgesRead;

  StoredNeighbours(SharedUnits units) {
    this.units = units;
  }

  /**
   * Reads the neighbours of a vertex and keeps them if they can be kept.
   *
   * @param label of the edges, whatever the labels of the query are; 0 for all
   */
  void load(long vertex, int label, NeighbourQuery query) {
    UnitLoader loader = loader(query);
    read(loader, vertex, label, query);
  }

  /**
   * As {@link #load}, and visits the neighbours.
   *
   * @param index by which the visitor knows the vertex
   * @return false if the visitor ended the reading
   */
  boolean visit(long vertex, int label, int index, NeighbourQuery query, NeighbourVisitor visitor) {
    UnitLoader loader = loader(query);
    boolean whole = read(loader, vertex, label, query);
    boolean goOn = loader.visit(index, visitor);
    while (goOn && !whole) {
      whole = loader.fill();
      edgesRead += loader.count();
      goOn = loader.visit(index, visitor);
    }
    return goOn;
  }

  /** Reads a unit, or the first part of one that is too large to be kept; true if it is whole. */
  private boolean read(UnitLoader loader, long vertex, int label, NeighbourQuery query) {
    ReadView view = query.view();
    loader.start(vertex, label, view);
    boolean whole = loader.fill();
    edgesRead += loader.count();
    UnitTable table = units.table;
    if (whole && table != null && units.isShared(vertex, query.outgoing(), view.snapshot())) {
      table.add(loader.unit(), changesSeen);
    }
    return whole;
  }

  private UnitLoader loader(NeighbourQuery query) {
    long knownAt = query.view().knownAt();
    if (knownAt > knownAtOpening || ++loadsSinceOpening > LOADS_PER_CURSOR) {
      close();
      knownAtOpening = knownAt;
      loadsSinceOpening = 0;
      changesSeen = units.newestChange();
    }
    int at = query.outgoing() ? 0 : 1;
    UnitLoader loader = loaders[at];
    if (loader == null) {
      loader = units.loader(query.outgoing());
      loaders[at] = loader;
    }
    loader.open();
    return loader;
  }

  /** Edges that were read, those of units that were not visited included. */
  long edgesRead() {
    return edgesRead;
  }

  /** Bytes of keys that were read. */
  long bytesRead() {
    long sum = 0;
    for (UnitLoader loader : loaders) {
      sum += loader == null ? 0 : loader.bytesRead();
    }
    return sum;
  }

  /** Closes the cursors; they are opened again when they are needed. */
  @Override
  public void close() {
    for (UnitLoader loader : loaders) {
      if (loader != null) {
        loader.close();
      }
    }
  }
}
