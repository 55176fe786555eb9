package io.graphmeta.reads;

import io.graphmeta.model.EdgeRecord;

/**
 * The edges of a frontier, in the order of the frontier, read page by page. Belongs to the thread
 * of its transaction; ends with the transaction. Positioned before the first edge.
 */
public interface AdjacencyCursor extends AutoCloseable {
  /** Moves to the next edge; false at the end. */
  boolean next();

  /** The position in the frontier of the vertex that this edge belongs to. */
  int frontierIndex();

  /** The key of the vertex at the other end. */
  long otherVertex();

  /** True when the edge leaves the vertex of the frontier, false when it enters it. */
  boolean outgoing();

  /** The edge; with its properties if the expansion asked for them, else with none. */
  EdgeRecord edge();

  @Override
  void close();
}
