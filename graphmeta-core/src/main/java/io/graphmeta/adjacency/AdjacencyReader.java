package io.graphmeta.adjacency;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import org.jspecify.annotations.Nullable;

/**
 * Reads neighbours for one call on one thread, from the cache as far as they are there. Close it.
 */
public final class AdjacencyReader implements AutoCloseable {
  private static final int INTERRUPT_CHECK_MASK = 0x3ff;

  /** Vertices whose misses are sorted together, which bounds the memory for them. */
  private static final int MAX_BATCH = 1 << 18;

  /** Loads after which the cursor is opened anew, so that what it has not seen stays little. */
  private static final int LOADS_PER_CURSOR = 1024;

  private final AdjacencyCache cache;
  private final @Nullable UnitTable table;
  private final @Nullable UnitLoader[] loaders = new UnitLoader[2];
  private final Misses missed = new Misses();

  /** The newest committed stamp that the cursors are known to see, and the newest change. */
  private long knownAtOpening = Long.MIN_VALUE;

  private long changesSeen;
  private int loadsSinceOpening;

  private long hits;
  private long misses;
  private long hitsTold;
  private long missesTold;
  private long edgesRead;
  private long bytesReadAhead;

  AdjacencyReader(AdjacencyCache cache, @Nullable UnitTable table) {
    this.cache = cache;
    this.table = table;
  }

  /**
   * Visits the neighbours of every vertex of {@code keys[from..to)} in one direction, in any order.
   *
   * @param outgoing along the edges, or against them
   * @param labelIds labels of edges, ascending; none for all
   * @param view sees nothing whose outcome is open: its committed stamp is one that a snapshot can
   *     have
   * @throws GraphMetaException {@code CANCELLED} if the thread is interrupted
   */
  public void read(
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    boolean goOn = true;
    for (int begin = from; goOn && begin < to; ) {
      int end = (int) Math.min(to, (long) begin + MAX_BATCH);
      goOn = readBatch(keys, begin, end, outgoing, labelIds, view, visitor);
      begin = end;
    }
    tellStatistics();
  }

  private boolean readBatch(
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    missed.clear();
    try {
      return readHeld(keys, from, to, outgoing, labelIds, view, visitor)
          && (missed.size() == 0 || readMissed(keys, outgoing, view, visitor));
    } finally {
      missed.clear(); // nothing is left for readRest
    }
  }

  private boolean readHeld(
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    return table == null
        ? missAll(keys, from, to, labelIds)
        : labelIds.length < 2
            ? readCached(table, keys, from, to, outgoing, labelIds, view, visitor)
            : readLabels(table, keys, from, to, outgoing, labelIds, view, visitor);
  }

  /**
   * As {@link #read}, of those neighbours that are in the cache. The others are remembered until
   * {@link #readRest}, or {@link #takeRest} of another reader: what several readers have found in
   * parts of one array is to be completed by one, in the order of the store.
   */
  public void readCached(
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    readHeld(keys, from, to, outgoing, labelIds, view, visitor);
  }

  /** Takes over what another reader has not found. */
  public void takeRest(AdjacencyReader other) {
    missed.addAll(other.missed);
    other.missed.clear();
  }

  /** Visits what was not found in the same keys, in the same direction and at the same view. */
  public void readRest(long[] keys, boolean outgoing, ReadView view, NeighbourVisitor visitor) {
    if (missed.size() > 0) {
      readMissed(keys, outgoing, view, visitor);
      missed.clear();
    }
    tellStatistics();
  }

  private boolean missAll(long[] keys, int from, int to, int[] labelIds) {
    for (int i = from; i < to; i++) {
      missed.add(keys[i], i, labelIds.length == 0 ? 0 : labelIds[0]);
      for (int l = 1; l < labelIds.length; l++) {
        missed.add(keys[i], i, labelIds[l]);
      }
    }
    return true;
  }

  /** Reads edges of one label or all. */
  private boolean readCached(
      UnitTable units,
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    long validAt = view.validAt();
    long knownAt = view.knownAt();
    long snapshot = view.snapshot();
    int label = labelIds.length == 0 ? 0 : labelIds[0];
    int tag = Unit.tag(label, outgoing);
    int all = Unit.tag(0, outgoing);
    long found = 0;
    long edges = 0;
    boolean goOn = true;
    for (int i = from; i < to && goOn; i++) {
      if ((i & INTERRUPT_CHECK_MASK) == 0) {
        requireNotInterrupted();
      }
      long[] unit = units.find(keys[i], tag, all, validAt, knownAt);
      if (unit == null || !cache.isShared(keys[i], outgoing, snapshot)) {
        missed.add(keys[i], i, label);
      } else {
        found++;
        edges += unit.length - Unit.HEADER - Unit.segments(unit);
        goOn = visit(unit, label, i, visitor);
      }
    }
    hits += found;
    edgesRead += edges;
    return goOn;
  }

  /** Visits the neighbours by edges of a label, 0 for all. */
  private static boolean visit(long[] unit, int label, int index, NeighbourVisitor visitor) {
    int segments = Unit.segments(unit);
    int begin = Unit.HEADER + segments;
    for (int s = Unit.HEADER; s < Unit.HEADER + segments; s++) {
      int segmentLabel = Unit.labelOf(unit[s]);
      int end = Unit.endOf(unit[s]);
      if ((label == 0 || segmentLabel == label)
          && !visitor.neighbours(index, segmentLabel, unit, begin, end)) {
        return false;
      }
      begin = end;
    }
    return true;
  }

  private boolean readLabels(
      UnitTable units,
      long[] keys,
      int from,
      int to,
      boolean outgoing,
      int[] labelIds,
      ReadView view,
      NeighbourVisitor visitor) {
    int all = Unit.tag(0, outgoing);
    for (int i = from; i < to; i++) {
      if ((i & INTERRUPT_CHECK_MASK) == 0) {
        requireNotInterrupted();
      }
      for (int label : labelIds) {
        int tag = Unit.tag(label, outgoing);
        long[] unit = units.find(keys[i], tag, all, view.validAt(), view.knownAt());
        if (unit == null || !cache.isShared(keys[i], outgoing, view.snapshot())) {
          missed.add(keys[i], i, label);
        } else {
          hits++;
          edgesRead += unit.length - Unit.HEADER - Unit.segments(unit);
          if (!visit(unit, label, i, visitor)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static void requireNotInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
  }

  private boolean readMissed(
      long[] keys, boolean outgoing, ReadView view, NeighbourVisitor visitor) {
    missed.sort();
    @Nullable LoadingAhead ahead = cache.loadAhead(missed, outgoing, view);
    try {
      boolean goOn = true;
      for (int m = 0; goOn && m < missed.size(); m++) {
        int index = missed.index(m);
        int label = missed.label(m);
        misses++;
        long[] unit = ahead == null ? null : ahead.find(m);
        if (unit == null || !cache.isShared(keys[index], outgoing, view.snapshot())) {
          goOn = load(keys[index], label, index, outgoing, view, visitor);
        } else {
          edgesRead += unit.length - Unit.HEADER - Unit.segments(unit);
          goOn = visit(unit, label, index, visitor);
        }
      }
      return goOn;
    } finally {
      if (ahead != null) {
        ahead.end();
        bytesReadAhead += ahead.bytesRead();
      }
    }
  }

  /** Reads a unit from the store, visits it, and keeps it if it can be kept. */
  boolean load(
      long vertex,
      int label,
      int index,
      boolean outgoing,
      ReadView view,
      @Nullable NeighbourVisitor visitor) {
    UnitLoader loader = loader(outgoing, view);
    loader.start(vertex, label, view);
    boolean whole = loader.fill();
    edgesRead += loader.count();
    if (whole && table != null && cache.isShared(vertex, outgoing, view.snapshot())) {
      table.add(loader.unit(), changesSeen);
    }
    if (visitor == null) {
      return true;
    }
    boolean goOn = loader.visit(index, visitor);
    while (goOn && !whole) {
      whole = loader.fill();
      edgesRead += loader.count();
      goOn = loader.visit(index, visitor);
    }
    return goOn;
  }

  private UnitLoader loader(boolean outgoing, ReadView view) {
    if (view.knownAt() > knownAtOpening || ++loadsSinceOpening > LOADS_PER_CURSOR) {
      close();
      knownAtOpening = view.knownAt();
      loadsSinceOpening = 0;
      changesSeen = cache.changes();
    }
    int at = outgoing ? 0 : 1;
    UnitLoader loader = loaders[at];
    if (loader == null) {
      loader = cache.loader(outgoing);
      loaders[at] = loader;
    }
    loader.open();
    return loader;
  }

  /**
   * Makes sure that the neighbours of a vertex are in the cache for a view, if they can be kept.
   *
   * @return false if they were there
   */
  public boolean prefetch(long key, boolean outgoing, int[] labelIds, ReadView view) {
    if (table == null || !cache.isShared(key, outgoing, view.snapshot())) {
      return false;
    }
    boolean loaded = false;
    for (int l = 0; l < Math.max(1, labelIds.length); l++) {
      int label = labelIds.length == 0 ? 0 : labelIds[l];
      int tag = Unit.tag(label, outgoing);
      int all = Unit.tag(0, outgoing);
      if (table.find(key, tag, all, view.validAt(), view.knownAt()) == null) {
        load(key, label, 0, outgoing, view, null);
        loaded = true;
      }
    }
    return loaded;
  }

  private void tellStatistics() {
    cache.count(hits - hitsTold, misses - missesTold);
    hitsTold = hits;
    missesTold = misses;
  }

  /** Units that this reader found in the cache. */
  public long hits() {
    return hits;
  }

  /** Units that this reader was asked for and read from the store. */
  public long misses() {
    return misses;
  }

  /** Edges that this reader went over. */
  public long edgesRead() {
    return edgesRead;
  }

  /** Bytes of keys that this reader read from the store. */
  public long bytesRead() {
    long sum = bytesReadAhead;
    for (UnitLoader loader : loaders) {
      sum += loader == null ? 0 : loader.bytesRead();
    }
    return sum;
  }

  @Override
  public void close() {
    tellStatistics();
    for (UnitLoader loader : loaders) {
      if (loader != null) {
        loader.close();
      }
    }
  }
}
