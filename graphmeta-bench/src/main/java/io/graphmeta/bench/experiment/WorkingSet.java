package io.graphmeta.bench.experiment;

import java.util.Arrays;

/** The distinct vertices that a step starts from. For one thread. */
final class WorkingSet {
  private final boolean[] has;
  private final int[] vertices;
  private int size;
  private int edges;

  /** An empty set of vertices of a graph. */
  WorkingSet(DirectedGraph graph) {
    has = new boolean[graph.vertexCount()];
    vertices = new int[graph.vertexCount()];
  }

  int size() {
    return size;
  }

  int vertex(int position) {
    return vertices[position];
  }

  boolean has(int vertex) {
    return has[vertex];
  }

  /** Number of edges that leave its vertices. */
  int edges() {
    return edges;
  }

  void clear() {
    Arrays.fill(has, false);
    size = 0;
    edges = 0;
  }

  void add(DirectedGraph graph, int vertex) {
    if (!has[vertex]) {
      has[vertex] = true;
      vertices[size++] = vertex;
      edges += graph.degree(vertex);
    }
  }

  /** Becomes what the edges of another set lead to. */
  void becomeNext(DirectedGraph graph, WorkingSet from) {
    clear();
    if (from.edges < graph.edgeCount() / 16) {
      for (int i = 0; i < from.size; i++) {
        int first = graph.firstEdge(from.vertices[i]);
        for (int edge = first; edge < first + graph.degree(from.vertices[i]); edge++) {
          add(graph, graph.other(edge));
        }
      }
    } else { // most vertices are found among the first edges that lead to them
      for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
        if (graph.isReachedFrom(vertex, from.has)) {
          add(graph, vertex);
        }
      }
    }
  }
}
