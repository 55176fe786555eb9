package io.graphmeta.gremlin.structure;

import java.util.Set;

/** The classes of the provider, for TinkerPop's test suites. */
public final class GraphMetaElements {
  @SuppressWarnings("rawtypes")
  public static final Set<Class> CLASSES =
      Set.of(
          GraphMetaGraph.class,
          GraphMetaVertex.class,
          GraphMetaEdge.class,
          GraphMetaVertexProperty.class,
          GraphMetaEdgeProperty.class,
          GraphMetaMetaProperty.class);

  private GraphMetaElements() {}
}
