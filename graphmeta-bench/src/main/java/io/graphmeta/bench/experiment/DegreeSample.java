package io.graphmeta.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One vertex of each degree above 0 that a graph has, drawn at random.
 *
 * @param vertices number of vertices of the degree
 */
record DegreeSample(int degree, int vertices, int vertex) {
  /** The samples in the order of their degrees. */
  static List<DegreeSample> draw(DirectedGraph graph, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Integer, DegreeSample> drawn = new TreeMap<>();
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      int degree = graph.degree(vertex);
      if (degree > 0) {
        DegreeSample before = drawn.get(degree);
        int count = before == null ? 1 : before.vertices + 1;
        int kept = before == null || random.nextInt(count) == 0 ? vertex : before.vertex;
        drawn.put(degree, new DegreeSample(degree, count, kept));
      }
    }
    return new ArrayList<>(drawn.values());
  }
}
