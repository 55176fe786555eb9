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
  private final GraphDatabase database;
  private final ElementGraph graph;

  ServiceReads(GraphDatabase database, ElementGraph graph) {
    this.database = database;
    this.graph = graph;
  }

  @Override
  public GraphDatabase database() {
    return database;
  }

  @Override
  public ElementReader reader() {
    return graph.reader();
  }

  @Override
  public GraphTransaction transaction() {
    return graph.running().tx();
  }

  @Override
  public @Nullable ReadView viewOf(Element element) {
    return element instanceof GraphMetaElement<?> own ? own.view() : null;
  }
}
