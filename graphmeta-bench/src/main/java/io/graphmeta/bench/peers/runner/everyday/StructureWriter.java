package io.graphmeta.bench.peers.runner.everyday;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Adds by the structure of the graph. A transaction looks for each vertex once. */
final class StructureWriter implements GremlinWriter {
  private final Graph graph;
  private final IntFunction<Object> ids;
  private final Map<Integer, Vertex> seen = new HashMap<>();

  StructureWriter(Graph graph, IntFunction<Object> ids) {
    this.ids = ids;
    this.graph = graph;
  }

  @Override
  public void addVertex(String label, int number, Object... properties) {
    made(label, number, properties);
  }

  private Vertex made(String label, int number, Object[] properties) {
    Object[] all = new Object[4 + properties.length];
    all[0] = T.label;
    all[1] = label;
    all[2] = T.id;
    all[3] = ids.apply(number);
    System.arraycopy(properties, 0, all, 4, properties.length);
    return graph.addVertex(all);
  }

  @Override
  public void addLinked(
      int source,
      String edgeLabel,
      Object[] edgeProperties,
      String label,
      int number,
      Object... properties) {
    Vertex from = vertex(source);
    from.addEdge(edgeLabel, made(label, number, properties), edgeProperties);
  }

  @Override
  public void addEdge(int source, int destination, String label, Object... properties) {
    vertex(source).addEdge(label, vertex(destination), properties);
  }

  private Vertex vertex(int number) {
    Vertex vertex = seen.get(number);
    if (vertex == null) {
      vertex = graph.vertices(ids.apply(number)).next();
      seen.put(number, vertex);
    }
    return vertex;
  }

  @Override
  public void committed() {
    seen.clear();
  }
}
