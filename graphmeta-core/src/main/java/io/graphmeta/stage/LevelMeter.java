package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.protocol.LevelWork;

/** Measures one level: what it read and how long it took. Belongs to one thread. */
final class LevelMeter {
  private final AdjacencyReader adjacency;
  private final LevelRun run;
  private final long started = System.nanoTime();
  private final long edges;
  private final long bytes;
  private final long hits;
  private final long misses;

  /** Begins to measure. */
  LevelMeter(AdjacencyReader adjacency, LevelRun run) {
    this.adjacency = adjacency;
    this.run = run;
    this.edges = adjacency.edgesRead() + run.rowEdges();
    this.bytes = adjacency.bytesRead();
    this.hits = adjacency.hits();
    this.misses = adjacency.misses();
  }

  /** What was done since. */
  LevelWork read(long frontier, long messages) {
    return new LevelWork(
        frontier,
        adjacency.edgesRead() + run.rowEdges() - edges,
        adjacency.bytesRead() - bytes,
        messages,
        adjacency.hits() - hits,
        adjacency.misses() - misses,
        0,
        0,
        System.nanoTime() - started,
        0);
  }
}
