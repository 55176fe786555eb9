package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyReader;

/**
 * What was read so far.
 *
 * @param edges with their rows or without
 * @param bytes of keys, from the store
 * @param hits lists of neighbours that were found in the cache
 * @param misses lists of neighbours that were read from the store
 */
record ReadCounts(long edges, long bytes, long hits, long misses) {
  /** What a reader has read, and edges with their rows. */
  static ReadCounts of(AdjacencyReader adjacency, long rowEdges) {
    return new ReadCounts(
        adjacency.edgesRead() + rowEdges,
        adjacency.bytesRead(),
        adjacency.hits(),
        adjacency.misses());
  }

  ReadCounts plus(ReadCounts other) {
    return new ReadCounts(
        edges + other.edges, bytes + other.bytes, hits + other.hits, misses + other.misses);
  }
}
