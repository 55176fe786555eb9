package io.graphmeta.gremlin.structure;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.tx.GraphTransaction;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/** The classes of the provider, for TinkerPop's test suites. */
public final class GraphMetaElements {
  @SuppressWarnings("rawtypes")
  public static final Set<Class> CLASSES =
      Set.of(
          GraphMetaGraph.class,
          GraphMetaVertex.class,
          GraphMetaEdge.class,
          GraphMetaVertexProperty.class,
          GraphMetaProperty.class);

  private GraphMetaElements() {}

  /** A graph whose transactions of the engine come from elsewhere. */
  public static GraphMetaGraph graph(
      GraphDatabase database,
      VertexProperty.Cardinality cardinality,
      String javaTypes,
      Supplier<GraphTransaction> begin) {
    return GraphMetaGraph.over(database, cardinality, javaTypes, begin);
  }
}
