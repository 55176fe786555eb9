package io.graphmeta.adjacency;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.recording.NeighbourReadEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads neighbours for one call on one thread, from the cache as far as they are there. Close it.
 */
public final class AdjacencyReader implements AutoCloseable {
  private static final int INTERRUPT_CHECK_MASK = 0x3ff;

  /** Vertices whose misses are sorted together, which bounds the memory for them. */
  private static final int MAX_BATCH = 1 << 18;

  private final SharedUnits units;
  private final @Nullable UnitTable table;
  private final StoredNeighbours stored;
  private final Misses missed = new Misses();

  private long hits;
  private long misses;
  private long hitsTold;
  private long missesTold;

  /** Edges of units, without those that were read from the store. */
  private long edgesOfUnits;

  private long bytesReadAhead;

  AdjacencyReader(SharedUnits units) {
    this.units = units;
    this.table = units.table;
    this.stored = new StoredNeighbours(units);
  }

  /**
   * Visits those neighbours of every vertex of {@code keys[from..to)} that are wanted, in any
   * order.
   *
   * @throws GraphMetaException {@code CANCELLED} if the thread is interrupted
   */
  public void read(long[] keys, int from, int to, NeighbourQuery query, NeighbourVisitor visitor) {
    boolean goOn = true;
    for (int begin = from; goOn && begin < to; ) {
      int end = (int) Math.min(to, (long) begin + MAX_BATCH);
      goOn = readBatch(keys, begin, end, query, visitor);
      begin = end;
    }
    tellStatistics();
  }

  private boolean readBatch(
      long[] keys, int from, int to, NeighbourQuery query, NeighbourVisitor visitor) {
    missed.clear();
    try {
      return readHeld(keys, from, to, query, visitor)
          && (missed.size() == 0 || readMissed(keys, query, visitor));
    } finally {
      missed.clear(); // nothing is left for readRest
    }
  }

  private boolean readHeld(
      long[] keys, int from, int to, NeighbourQuery query, NeighbourVisitor visitor) {
    return table == null
        ? missAll(keys, from, to, query.labelIds())
        : query.labelIds().length < 2
            ? readUnits(table, keys, from, to, query, visitor)
            : readLabels(table, keys, from, to, query, visitor);
  }

  /**
   * As {@link #read}, of the neighbours that are in the cache. The vertices whose neighbours are
   * not are remembered until {@link #readRest}, or {@link #takeRest} of another reader: what
   * several readers have missed in parts of one array is read by one of them, in the order of the
   * store.
   */
  public void readCached(
      long[] keys, int from, int to, NeighbourQuery query, NeighbourVisitor visitor) {
    readHeld(keys, from, to, query, visitor);
  }

  /** Takes over what another reader has not found. */
  public void takeRest(AdjacencyReader other) {
    missed.addAll(other.missed);
    other.missed.clear();
  }

  /** Visits what was not found of the same query in the same keys. */
  public void readRest(long[] keys, NeighbourQuery query, NeighbourVisitor visitor) {
    if (missed.size() > 0) {
      readMissed(keys, query, visitor);
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

  /** Visits the edges of one label or all. */
  private boolean readUnits(
      UnitTable found,
      long[] keys,
      int from,
      int to,
      NeighbourQuery query,
      NeighbourVisitor visitor) {
    boolean outgoing = query.outgoing();
    long validAt = query.view().validAt();
    long knownAt = query.view().knownAt();
    long snapshot = query.view().snapshot();
    int label = query.labelIds().length == 0 ? 0 : query.labelIds()[0];
    int tag = Unit.tag(label, outgoing);
    int all = Unit.tag(0, outgoing);
    long count = 0;
    long edges = 0;
    boolean goOn = true;
    for (int i = from; i < to && goOn; i++) {
      if ((i & INTERRUPT_CHECK_MASK) == 0) {
        requireNotInterrupted();
      }
      long[] unit = found.find(keys[i], tag, all, validAt, knownAt);
      if (unit == null || !units.isShared(keys[i], outgoing, snapshot)) {
        missed.add(keys[i], i, label);
      } else {
        count++;
        edges += unit.length - Unit.HEADER - Unit.segments(unit);
        goOn = visit(unit, label, i, visitor);
      }
    }
    hits += count;
    edgesOfUnits += edges;
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
      UnitTable found,
      long[] keys,
      int from,
      int to,
      NeighbourQuery query,
      NeighbourVisitor visitor) {
    boolean outgoing = query.outgoing();
    ReadView view = query.view();
    int all = Unit.tag(0, outgoing);
    for (int i = from; i < to; i++) {
      if ((i & INTERRUPT_CHECK_MASK) == 0) {
        requireNotInterrupted();
      }
      for (int label : query.labelIds()) {
        int tag = Unit.tag(label, outgoing);
        long[] unit = found.find(keys[i], tag, all, view.validAt(), view.knownAt());
        if (unit == null || !units.isShared(keys[i], outgoing, view.snapshot())) {
          missed.add(keys[i], i, label);
        } else {
          hits++;
          edgesOfUnits += unit.length - Unit.HEADER - Unit.segments(unit);
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

  private boolean readMissed(long[] keys, NeighbourQuery query, NeighbourVisitor visitor) {
    NeighbourReadEvent event = NeighbourReadEvent.begun();
    long missesBefore = misses;
    long edgesBefore = stored.edgesRead();
    long bytesBefore = bytesRead();
    missed.sort();
    long snapshot = query.view().snapshot();
    @Nullable LoadingAhead ahead = LoadingAhead.begin(units, missed, query);
    try {
      boolean goOn = true;
      for (int m = 0; goOn && m < missed.size(); m++) {
        int index = missed.index(m);
        int label = missed.label(m);
        misses++;
        long[] unit = ahead == null ? null : ahead.find(m);
        if (unit == null || !units.isShared(keys[index], query.outgoing(), snapshot)) {
          goOn = stored.visit(keys[index], label, index, query, visitor);
        } else {
          edgesOfUnits += unit.length - Unit.HEADER - Unit.segments(unit);
          goOn = visit(unit, label, index, visitor);
        }
      }
      return goOn;
    } finally {
      if (ahead != null) {
        ahead.end();
        bytesReadAhead += ahead.bytesRead();
      }
      event.done(
          units.shard(),
          query.outgoing(),
          misses - missesBefore,
          stored.edgesRead() - edgesBefore,
          bytesRead() - bytesBefore);
    }
  }

  /**
   * Makes sure that the neighbours of a vertex are in the cache, if they can be kept.
   *
   * @return false if they were there, or cannot be kept
   */
  public boolean prefetch(long key, NeighbourQuery query) {
    boolean outgoing = query.outgoing();
    ReadView view = query.view();
    if (table == null || !units.isShared(key, outgoing, view.snapshot())) {
      return false;
    }
    int[] labelIds = query.labelIds();
    boolean loaded = false;
    for (int l = 0; l < Math.max(1, labelIds.length); l++) {
      int label = labelIds.length == 0 ? 0 : labelIds[l];
      int tag = Unit.tag(label, outgoing);
      int all = Unit.tag(0, outgoing);
      if (table.find(key, tag, all, view.validAt(), view.knownAt()) == null) {
        stored.load(key, label, query);
        loaded = true;
      }
    }
    return loaded;
  }

  private void tellStatistics() {
    units.count(hits - hitsTold, misses - missesTold);
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
    return edgesOfUnits + stored.edgesRead();
  }

  /** Bytes of keys that this reader read from the store. */
  public long bytesRead() {
    return bytesReadAhead + stored.bytesRead();
  }

  @Override
  public void close() {
    tellStatistics();
    stored.close();
  }
}
