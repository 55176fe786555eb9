package io.graphmeta.gremlin.structure;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.service.ServiceGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.tx.GraphTransaction;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;

/** A graph as its services see it. Safe for use by many threads. */
final class ServiceReads implements ServiceGraph {
  private final GraphDatabase database;
  private final ElementGraph graph;
  private final Supplier<String> token;

  /**
   * @param token tells what the calling thread has seen
   */
  ServiceReads(GraphDatabase database, ElementGraph graph, Supplier<String> token) {
    this.database = database;
    this.graph = graph;
    this.token = token;
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
  public String sessionToken() {
    return token.get();
  }

  @Override
  public @Nullable ReadView viewOf(Element element) {
    return element instanceof GraphMetaElement<?> own ? own.view() : null;
  }
}
