package io.graphmeta.bench.peers.mark;

import io.graphmeta.bench.peers.runner.GraphFile;
import java.nio.file.Path;

/**
 * Arrays of longs in memory, one for each vertex, found by the number of the vertex: what a cache
 * of adjacency could come to at best.
 */
public final class LongsSubject extends LoopSubject {
  private long[][] neighbours = {};
  private int[][] weightsOf = {};
  private byte[][] labelsOf = {};
  private GraphFile file =
      new GraphFile(
          new byte[0],
          new int[0],
          new int[0],
          new int[0],
          new int[0],
          new byte[0],
          new int[0],
          0,
          new int[0]);

  /** An empty one. */
  public LongsSubject() {}

  @Override
  public void load(GraphFile graph, Path directory) {
    // There is nothing that stays.
  }

  @Override
  public void open(GraphFile graph, Path directory) {
    begin(graph);
    file = graph;
    GraphFile.OutEdges out = graph.outEdges();
    neighbours = new long[graph.vertexCount()][];
    weightsOf = new int[graph.vertexCount()][];
    labelsOf = new byte[graph.vertexCount()][];
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      int first = out.firsts()[vertex];
      int count = out.firsts()[vertex + 1] - first;
      neighbours[vertex] = new long[count];
      weightsOf[vertex] = new int[count];
      labelsOf[vertex] = new byte[count];
      for (int i = 0; i < count; i++) {
        int edge = out.edges()[first + i];
        neighbours[vertex][i] = graph.destinations()[edge];
        weightsOf[vertex][i] = graph.weights()[edge];
        labelsOf[vertex][i] = graph.edgeLabels()[edge];
      }
    }
  }

  @Override
  public void close() {
    neighbours = new long[0][];
    weightsOf = new int[0][];
    labelsOf = new byte[0][];
  }

  @Override
  protected void expand(long vertex, boolean withWeights) {
    destinations = neighbours[(int) vertex];
    weights = weightsOf[(int) vertex];
    labels = labelsOf[(int) vertex];
    found = destinations.length;
  }

  @Override
  protected String owner(long vertex) {
    return GraphFile.ownerText(file.owners()[(int) vertex]);
  }

  @Override
  protected int size(long vertex) {
    return file.sizes()[(int) vertex];
  }

  @Override
  protected byte label(long vertex) {
    return file.vertexLabels()[(int) vertex];
  }
}
