package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.protocol.LevelWork;
import java.util.function.LongSupplier;

/** Measures one level: what it read and how long it took. Belongs to one thread. */
final class LevelMeter {
  private final AdjacencyReader adjacency;
  private final LongSupplier rowEdges;
  private final long started = System.nanoTime();
  private final long edges;
  private final long bytes;
  private final long hits;
  private final long misses;
  private long leftOutNanos;

  /**
   * Begins to measure.
   *
   * @param rowEdges edges that were read with their rows, so far
   */
  LevelMeter(AdjacencyReader adjacency, LongSupplier rowEdges) {
    this.adjacency = adjacency;
    this.rowEdges = rowEdges;
    this.edges = adjacency.edgesRead() + rowEdges.getAsLong();
    this.bytes = adjacency.bytesRead();
    this.hits = adjacency.hits();
    this.misses = adjacency.misses();
  }

  /** Sends as another one does, in time that is not measured: others may be at work in it. */
  ServerTraversal.Onward withoutTheTimeOf(ServerTraversal.Onward to) {
    return (server, level, parts) -> {
      long start = System.nanoTime();
      to.send(server, level, parts);
      leftOutNanos += System.nanoTime() - start;
    };
  }

  /** What was done since. */
  LevelWork read(long frontier, long messages) {
    return new LevelWork(
        frontier,
        adjacency.edgesRead() + rowEdges.getAsLong() - edges,
        adjacency.bytesRead() - bytes,
        messages,
        adjacency.hits() - hits,
        adjacency.misses() - misses,
        0,
        0,
        System.nanoTime() - started - leftOutNanos,
        0);
  }
}
