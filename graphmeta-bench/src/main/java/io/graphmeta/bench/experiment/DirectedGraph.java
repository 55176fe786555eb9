package io.graphmeta.bench.experiment;

import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.error.GraphMetaException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * A directed multigraph as arrays: the edges of a vertex are those from one offset to the next, in
 * the order in which they were added. Immutable.
 */
final class DirectedGraph {
  private final int[] offsets;
  private final int[] others;
  private final int[] reverseOffsets;
  private final int[] reverseOthers;

  private DirectedGraph(int[] offsets, int[] others, int[] reverseOffsets, int[] reverseOthers) {
    this.offsets = offsets;
    this.others = others;
    this.reverseOffsets = reverseOffsets;
    this.reverseOthers = reverseOthers;
  }

  /** The graph of edges given by their two ends, in the order of their insertion. */
  static DirectedGraph of(int vertices, int[] sources, int[] destinations) {
    int[] offsets = offsets(vertices, sources);
    int[] reverseOffsets = offsets(vertices, destinations);
    return new DirectedGraph(
        offsets,
        grouped(offsets, sources, destinations),
        reverseOffsets,
        grouped(reverseOffsets, destinations, sources));
  }

  static DirectedGraph of(RMatGraph graph) {
    int[] sources = new int[graph.edgeCount()];
    int[] destinations = new int[graph.edgeCount()];
    Arrays.setAll(sources, graph::source);
    Arrays.setAll(destinations, graph::destination);
    return of(graph.vertexCount(), sources, destinations);
  }

  /** Reads lines of two numbers; those that start with # are comments. */
  static DirectedGraph read(Path file) throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    int[] sources = new int[1 << 10];
    int[] destinations = new int[1 << 10];
    int edges = 0;
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String line; (line = reader.readLine()) != null; ) {
        if (line.startsWith("#") || line.isBlank()) {
          continue;
        }
        StringTokenizer ends = new StringTokenizer(line);
        if (ends.countTokens() != 2) {
          throw GraphMetaException.invalid(
              "Line '" + line + "' of " + file + "; expected the two ends of an edge");
        }
        if (edges == sources.length) {
          sources = Arrays.copyOf(sources, 2 * edges);
          destinations = Arrays.copyOf(destinations, 2 * edges);
        }
        sources[edges] = numbers.computeIfAbsent(ends.nextToken(), id -> numbers.size());
        destinations[edges++] = numbers.computeIfAbsent(ends.nextToken(), id -> numbers.size());
      }
    }
    return of(numbers.size(), Arrays.copyOf(sources, edges), Arrays.copyOf(destinations, edges));
  }

  private static int[] offsets(int vertices, int[] from) {
    int[] offsets = new int[vertices + 1];
    for (int vertex : from) {
      offsets[vertex + 1]++;
    }
    Arrays.parallelPrefix(offsets, Integer::sum);
    return offsets;
  }

  private static int[] grouped(int[] offsets, int[] from, int[] to) {
    int[] next = offsets.clone();
    int[] grouped = new int[to.length];
    for (int edge = 0; edge < to.length; edge++) {
      grouped[next[from[edge]]++] = to[edge];
    }
    return grouped;
  }

  /** The same graph with all edges turned round. */
  DirectedGraph reversed() {
    return new DirectedGraph(reverseOffsets, reverseOthers, offsets, others);
  }

  int vertexCount() {
    return offsets.length - 1;
  }

  int edgeCount() {
    return others.length;
  }

  /** The first edge of a vertex; the last is before the first of the next vertex. */
  int firstEdge(int vertex) {
    return offsets[vertex];
  }

  int degree(int vertex) {
    return offsets[vertex + 1] - offsets[vertex];
  }

  /** The vertex that an edge leads to. */
  int other(int edge) {
    return others[edge];
  }

  /** An edge leads to a vertex from one of some others. */
  boolean isReachedFrom(int vertex, boolean[] some) {
    for (int edge = reverseOffsets[vertex]; edge < reverseOffsets[vertex + 1]; edge++) {
      if (some[reverseOthers[edge]]) {
        return true;
      }
    }
    return false;
  }
}
