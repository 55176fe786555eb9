package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.bench.workload.VertexSet;
import io.graphmeta.model.ReadView;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Distinct steps along the edges of a graph, over arrays of longs by themselves and through the
 * cache. For one thread.
 */
final class Walk {
  private static final int[] LABELS = {StoredGraph.LABEL};

  /** Vertex keys by open addressing, and the neighbours of each: the plain loop's graph. */
  private final long[] keys;

  private final long[][] neighbours;
  private final VertexSet even = new VertexSet();
  private final VertexSet odd = new VertexSet();
  private long edgesRead;

  private final IntToLongFunction vertexKey;

  /** A walk over rows that were written without transactions. */
  Walk(RMatGraph graph) {
    this(graph, StoredGraph::vertexKey);
  }

  /** A walk over vertices with other keys. */
  Walk(RMatGraph graph, IntToLongFunction vertexKey) {
    this.vertexKey = vertexKey;
    int[] degrees = new int[graph.vertexCount()];
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      degrees[graph.source(edge)]++;
    }
    keys = new long[4 * graph.vertexCount()];
    neighbours = new long[keys.length][];
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      int at = slot(vertexKey.applyAsLong(vertex));
      keys[at] = vertexKey.applyAsLong(vertex);
      neighbours[at] = new long[degrees[vertex]];
    }
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      long[] of = neighbours[slot(vertexKey.applyAsLong(graph.source(edge)))];
      of[of.length - degrees[graph.source(edge)]--] =
          vertexKey.applyAsLong(graph.destination(edge));
    }
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int at = (int) (key * 0x9E37_79B9_7F4A_7C15L >>> 32) & mask;
    while (keys[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** Vertices at the end of so many steps, by the plain loop. */
  int plain(long start, int steps) {
    VertexSet frontier = even;
    VertexSet next = odd;
    frontier.clear();
    frontier.add(start);
    for (int step = 0; step < steps; step++) {
      next.clear();
      long[] vertices = frontier.keys();
      for (int i = 0; i < frontier.size(); i++) {
        for (long other : neighbours[slot(vertices[i])]) {
          next.add(other);
        }
      }
      VertexSet done = frontier;
      frontier = next;
      next = done;
    }
    return frontier.size();
  }

  /** Vertices at the end of so many steps, through the cache. */
  int cached(AdjacencyCache cache, ReadView view, long start, int steps) {
    VertexSet frontier = even;
    VertexSet next = odd;
    frontier.clear();
    frontier.add(start);
    try (AdjacencyReader reader = cache.reader()) {
      for (int step = 0; step < steps; step++) {
        next.clear();
        VertexSet into = next;
        reader.read(
            frontier.keys(),
            0,
            frontier.size(),
            new NeighbourQuery(true, LABELS, view),
            (index, label, others, from, to) -> {
              for (int i = from; i < to; i++) {
                into.add(others[i]);
              }
              return true;
            });
        next = frontier;
        frontier = into;
      }
      edgesRead += reader.edgesRead();
    }
    return frontier.size();
  }

  /** Edges that walks through a cache went over so far. */
  long edgesRead() {
    return edgesRead;
  }

  /** The vertex from which so many steps reach a number of vertices most nearly, of some. */
  long startReaching(int steps, int wanted, RMatGraph graph) {
    long best = 0;
    int distance = Integer.MAX_VALUE;
    for (int vertex = 0; vertex < Math.min(400, graph.vertexCount()); vertex++) {
      int reached = plain(vertexKey.applyAsLong(vertex), steps);
      if (Math.abs(reached - wanted) < distance) {
        distance = Math.abs(reached - wanted);
        best = vertexKey.applyAsLong(vertex);
      }
    }
    return best;
  }

  @Override
  public String toString() {
    return "walk over " + Arrays.stream(keys).filter(key -> key != 0).count() + " vertices";
  }
}
