package io.graphmeta.gremlin.structure;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.service.ServiceGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.tx.GraphTransaction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;

/** A graph as its services see it. Safe for use by many threads. */
final class ServiceReads implements ServiceGraph {
  private final GraphMetaGraph graph;

  ServiceReads(GraphMetaGraph graph) {
    this.graph = graph;
  }

  @Override
  public GraphDatabase database() {
    return graph.database();
  }

  @Override
  public ElementReader reader() {
    return graph;
  }

  @Override
  public GraphTransaction transaction() {
    return graph.running().tx();
  }

  @Override
  public @Nullable ReadView viewOf(Element element) {
    if (element instanceof GraphMetaVertex vertex) {
      return vertex.view();
    }
    return element instanceof GraphMetaEdge edge ? edge.view() : null;
  }
}
