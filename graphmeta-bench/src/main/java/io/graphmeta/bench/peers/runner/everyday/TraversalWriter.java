package io.graphmeta.bench.peers.runner.everyday;

import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/** Adds by a traversal for each vertex or edge, or for both together. */
final class TraversalWriter implements GremlinWriter {
  private static final String SOURCE = "source";

  private final GraphTraversalSource g;
  private final IntFunction<Object> ids;

  TraversalWriter(GraphTraversalSource g, IntFunction<Object> ids) {
    this.ids = ids;
    this.g = g;
  }

  @Override
  public void addVertex(String label, int number, Object... properties) {
    with(g.addV(label).property(T.id, ids.apply(number)), properties).iterate();
  }

  @Override
  public void addLinked(
      int source,
      String edgeLabel,
      Object[] edgeProperties,
      String label,
      int number,
      Object... properties) {
    GraphTraversal<?, ?> vertex =
        with(
            g.V(ids.apply(source)).as(SOURCE).addV(label).property(T.id, ids.apply(number)),
            properties);
    with(vertex.addE(edgeLabel).from(SOURCE), edgeProperties).iterate();
  }

  @Override
  public void addEdge(int source, int destination, String label, Object... properties) {
    with(g.V(ids.apply(source)).addE(label).to(__.V(ids.apply(destination))), properties).iterate();
  }

  private static GraphTraversal<?, ?> with(GraphTraversal<?, ?> traversal, Object[] properties) {
    GraphTraversal<?, ?> all = traversal;
    for (int i = 0; i < properties.length; i += 2) {
      all = all.property(properties[i], properties[i + 1]);
    }
    return all;
  }

  @Override
  public void committed() {
    // Each traversal looks for its vertices anew.
  }
}
