package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphVariableHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * The variables of a graph, kept in the database. They are read and written in the transaction of
 * the caller, and take the values that properties take. Safe for use by many threads.
 */
final class GraphMetaVariables implements Graph.Variables {
  private final ElementGraph graph;

  GraphMetaVariables(ElementGraph graph) {
    this.graph = graph;
  }

  @Override
  public Set<String> keys() {
    OpenTransaction running = graph.running();
    return running.tx().variables(running.snapshot()).keySet();
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <R> Optional<R> get(String key) {
    OpenTransaction running = graph.running();
    Object stored = running.tx().variables(running.snapshot()).get(key);
    return stored == null ? Optional.empty() : Optional.of((R) graph.types().given(stored));
  }

  @Override
  public void set(String key, Object value) {
    GraphVariableHelper.validateVariable(key, value);
    Object stored;
    try {
      stored = graph.types().stored(key, value);
    } catch (GraphMetaException e) {
      throw Graph.Variables.Exceptions.dataTypeOfVariableValueNotSupported(value, e);
    }
    graph.running().tx().setVariable(key, stored);
  }

  @Override
  public void remove(String key) {
    graph.running().tx().removeVariable(key);
  }

  @Override
  public String toString() {
    return StringFactory.graphVariablesString(this);
  }
}
