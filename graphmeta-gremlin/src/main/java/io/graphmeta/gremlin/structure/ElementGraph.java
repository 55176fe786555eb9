package io.graphmeta.gremlin.structure;

import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.model.EdgeKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/**
 * A graph as its elements see it: the transaction that they read and write in, and how values and
 * ids are stored. Each graph has one, by which elements know whether they are of the same graph.
 * Safe for use by many threads.
 */
final class ElementGraph {
  /** Makes an edge that has just been added. */
  interface NewEdge {
    Edge of(
        ElementGraph graph,
        EdgeKey key,
        @Nullable String givenId,
        String label,
        Vertex out,
        Vertex in);
  }

  private final Graph graph;
  private final ElementReader reader;
  private final RunningTransaction transaction;
  private final JavaTypes types;
  private final VertexProperty.Cardinality defaultCardinality;
  private final long maxFrontier;
  private final NewEdge newEdge;

  ElementGraph(
      Graph graph,
      ElementReader reader,
      RunningTransaction transaction,
      JavaTypes types,
      VertexProperty.Cardinality defaultCardinality,
      long maxFrontier,
      NewEdge newEdge) {
    this.graph = graph;
    this.reader = reader;
    this.transaction = transaction;
    this.types = types;
    this.defaultCardinality = defaultCardinality;
    this.maxFrontier = maxFrontier;
    this.newEdge = newEdge;
  }

  /** The graph as TinkerPop knows it. */
  Graph graph() {
    return graph;
  }

  /** The batched reads of the graph. */
  ElementReader reader() {
    return reader;
  }

  /** The running transaction: of this thread, opened if need be, or the one that is shared. */
  OpenTransaction running() {
    return transaction.running();
  }

  /** The types that can be stored. */
  JavaTypes types() {
    return types;
  }

  /** The cardinality of vertex properties that are set without one. */
  VertexProperty.Cardinality defaultCardinality() {
    return defaultCardinality;
  }

  /** The most elements that are gathered before the first of them is used. */
  long maxFrontier() {
    return maxFrontier;
  }

  /** An edge that has just been added. */
  Edge newEdge(EdgeKey key, @Nullable String givenId, String label, Vertex out, Vertex in) {
    return newEdge.of(this, key, givenId, label, out, in);
  }

  /**
   * The properties of a new element: the last value of each key; keys without a value are left out.
   */
  Map<String, Object> properties(Object... keyValues) {
    Map<String, Object> properties = new LinkedHashMap<>(keyValues.length);
    for (int i = 0; i < keyValues.length; i += 2) {
      if (keyValues[i] instanceof T) {
        continue;
      }
      String key = (String) keyValues[i];
      Object value = keyValues[i + 1];
      ElementHelper.validateProperty(key, value);
      if (value == null) {
        properties.remove(key);
      } else {
        properties.put(key, StructureErrors.stored(types, key, value));
      }
    }
    return properties;
  }
}
