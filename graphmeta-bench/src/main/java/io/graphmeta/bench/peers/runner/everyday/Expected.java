package io.graphmeta.bench.peers.runner.everyday;

import io.graphmeta.bench.peers.runner.GraphFile;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What reads of the graph file have to come to, and which vertices are read. Immutable. */
final class Expected {
  /** Vertices that paths begin at: those of the scanned ones with the most walks. */
  private static final int PATH_STARTS = 8;

  private final GraphFile graph;
  private final GraphFile.OutEdges out;
  private final int[] pathStarts;
  private final long[] paths;

  Expected(GraphFile graph) {
    this.graph = graph;
    out = graph.outEdges();
    pathStarts =
        IntStream.of(graph.scanned())
            .boxed()
            .sorted(Comparator.comparingLong(vertex -> -walks(vertex)))
            .limit(PATH_STARTS)
            .mapToInt(Integer::intValue)
            .toArray();
    paths = IntStream.of(pathStarts).mapToLong(start -> paths(new int[] {start}, 0)).toArray();
  }

  GraphFile graph() {
    return graph;
  }

  private IntStream neighbours(int vertex) {
    return Arrays.stream(out.edges(), out.firsts()[vertex], out.firsts()[vertex + 1])
        .map(edge -> graph.destinations()[edge]);
  }

  private long walks(int start) {
    return neighbours(start).flatMap(this::neighbours).mapToLong(this::degree).sum();
  }

  /** Paths that go on from one, and from as many as were found before; none beyond the limit. */
  private long paths(int[] path, long before) {
    if (path.length > Workload.PATH_STEPS) {
      return before + 1;
    }
    long found = before;
    for (int next : neighbours(path[path.length - 1]).toArray()) {
      if (found < Workload.PATH_LIMIT && IntStream.of(path).noneMatch(vertex -> vertex == next)) {
        int[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = next;
        found = paths(longer, found);
      }
    }
    return found;
  }

  /** A vertex that edges leave, of any degree: the source of an edge as often as any vertex. */
  int anyVertex(SplittableRandom random) {
    return random.nextBoolean()
        ? random.nextInt(graph.vertexCount())
        : graph.sources()[random.nextInt(graph.edgeCount())];
  }

  /** Edges that leave a vertex. */
  int degree(int vertex) {
    return out.firsts()[vertex + 1] - out.firsts()[vertex];
  }

  /** What looking at the texts of all edges that leave a vertex comes to. */
  long edgeLooks(int vertex) {
    long sum = 0;
    for (int at = out.firsts()[vertex]; at < out.firsts()[vertex + 1]; at++) {
      sum += Data.edgeLook(out.edges()[at]);
    }
    return sum;
  }

  /** One of the vertices that paths begin at, by its place. */
  int pathStart(int place) {
    return pathStarts[place % pathStarts.length];
  }

  /** How many paths a search finds that begins at a place. */
  long pathsFrom(int place) {
    return paths[place % paths.length];
  }
}
