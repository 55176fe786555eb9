package io.graphmeta.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which transaction depends on which: a directed graph with three kinds of edges, and its strongly
 * connected components by Tarjan's algorithm (1972), without recursion. Nodes are numbers from 0.
 */
final class DependencyGraph {
  /** Why one transaction stands before another (Adya, 1999). */
  enum Kind {
    /** It wrote the version before. */
    WRITE_WRITE,
    /** It wrote what the other read. */
    WRITE_READ,
    /** It read the version before the one that the other wrote. */
    READ_WRITE
  }

  record Edge(int from, int to, Kind kind, String key) {}

  private final List<List<Edge>> leaving = new ArrayList<>();

  DependencyGraph(int nodes) {
    for (int i = 0; i < nodes; i++) {
      leaving.add(new ArrayList<>(4));
    }
  }

  void add(int from, int to, Kind kind, String key) {
    if (from != to) {
      leaving.get(from).add(new Edge(from, to, kind, key));
    }
  }

  int nodes() {
    return leaving.size();
  }

  List<Edge> leaving(int node) {
    return leaving.get(node);
  }

  /** Which edges count. */
  interface Filter {
    boolean takes(Edge edge);
  }

  /** The components of more than one node. */
  List<List<Integer>> components(Filter filter) {
    return new Search(filter).run();
  }

  /** The shortest way from one node to another over edges that count, or an empty list. */
  List<Edge> path(int from, int to, Filter filter) {
    Map<Integer, Edge> cameBy = new HashMap<>(); // small beside the graph, if the filter is
    Deque<Integer> queue = new ArrayDeque<>(List.of(from));
    while (!queue.isEmpty()) {
      int at = queue.poll();
      for (Edge edge : leaving(at)) {
        if (filter.takes(edge)
            && edge.to() != from
            && cameBy.putIfAbsent(edge.to(), edge) == null) {
          queue.add(edge.to());
        }
      }
    }
    List<Edge> path = new ArrayList<>();
    for (Edge edge = cameBy.get(to); edge != null; edge = cameBy.get(edge.from())) {
      path.add(0, edge);
    }
    return path;
  }

  private final class Search {
    private final Filter filter;
    private final int[] index = new int[nodes()];
    private final int[] low = new int[nodes()];
    private final int[] nextEdge = new int[nodes()];
    private final boolean[] onStack = new boolean[nodes()];
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final Deque<Integer> way = new ArrayDeque<>();
    private final List<List<Integer>> found = new ArrayList<>();
    private int count;

    Search(Filter filter) {
      this.filter = filter;
      Arrays.fill(index, -1);
    }

    List<List<Integer>> run() {
      for (int node = 0; node < nodes(); node++) {
        if (index[node] < 0) {
          enter(node);
          while (!way.isEmpty()) {
            advance(way.peek());
          }
        }
      }
      return found;
    }

    private void enter(int node) {
      index[node] = count;
      low[node] = count++;
      stack.push(node);
      onStack[node] = true;
      way.push(node);
    }

    private void advance(int node) {
      while (nextEdge[node] < leaving(node).size()) {
        Edge edge = leaving(node).get(nextEdge[node]++);
        if (!filter.takes(edge)) {
          continue;
        }
        if (index[edge.to()] < 0) {
          enter(edge.to());
          return;
        }
        if (onStack[edge.to()]) {
          low[node] = Math.min(low[node], index[edge.to()]);
        }
      }
      way.pop();
      if (!way.isEmpty()) {
        low[way.peek()] = Math.min(low[way.peek()], low[node]);
      }
      if (low[node] == index[node]) {
        leave(node);
      }
    }

    private void leave(int root) {
      List<Integer> component = new ArrayList<>();
      int node;
      do {
        node = stack.pop();
        onStack[node] = false;
        component.add(node);
      } while (node != root);
      if (component.size() > 1) {
        found.add(component);
      }
    }
  }
}
