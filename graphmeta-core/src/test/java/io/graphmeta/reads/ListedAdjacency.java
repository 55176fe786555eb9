package io.graphmeta.reads;

import io.graphmeta.model.EdgeRecord;
import java.util.List;

/** Edges of a frontier from a list, for cursors that are made of others. */
final class ListedAdjacency implements AdjacencyCursor {
  /** An edge and the position of its vertex in the frontier. */
  record Entry(int index, EdgeRecord edge) {}

  private final List<Entry> entries;
  private final boolean outgoing;
  private int at = -1;
  private boolean closed;

  ListedAdjacency(List<Entry> entries, boolean outgoing) {
    this.entries = entries;
    this.outgoing = outgoing;
  }

  /** How many edges were taken from it. */
  int taken() {
    return Math.min(at + 1, entries.size());
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public boolean next() {
    return ++at < entries.size();
  }

  @Override
  public int frontierIndex() {
    return entries.get(at).index;
  }

  @Override
  public long otherVertex() {
    return outgoing ? edge().key().in() : edge().key().out();
  }

  @Override
  public boolean outgoing() {
    return outgoing;
  }

  @Override
  public EdgeRecord edge() {
    return entries.get(at).edge;
  }

  @Override
  public void close() {
    closed = true;
  }
}
