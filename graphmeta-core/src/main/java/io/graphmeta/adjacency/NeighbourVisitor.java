package io.graphmeta.adjacency;

/** Receives the neighbours of the vertices that an {@link AdjacencyReader} was asked for. */
@FunctionalInterface
public interface NeighbourVisitor {
  /**
   * Neighbours of one vertex by edges of one label; at least one. An edge is an entry, so that
   * parallel edges come as repeated entries. A vertex of many edges may come in several calls for
   * one label.
   *
   * @param index where the vertex stands in the keys that were asked for
   * @param labelId the label of the edges
   * @param others holds the vertex keys at the other ends from {@code from} until before {@code
   *     to}. Read only, and valid during the call
   * @return false to end the reading
   */
  boolean neighbours(int index, int labelId, long[] others, int from, int to);
}
