package io.graphmeta.server.gremlin;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.script.Bindings;
import javax.script.SimpleBindings;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * What Gremlin Server is told of graphs: nothing. Queries reach the served {@code g} only through
 * the {@link Evaluator}, so that no part of Gremlin Server can evaluate past the guards. Public,
 * with this constructor, because Gremlin Server makes it by its name.
 */
public final class ServedGraphs implements GraphManager {
  /** Made by Gremlin Server. */
  public ServedGraphs(Settings settings) {}

  @Override
  public Set<String> getGraphNames() {
    return Set.of();
  }

  @Override
  public Graph getGraph(String graphName) {
    throw none();
  }

  @Override
  public void putGraph(String graphName, Graph graph) {
    throw none();
  }

  @Override
  public Set<String> getTraversalSourceNames() {
    return Set.of();
  }

  @Override
  public TraversalSource getTraversalSource(String name) {
    throw none();
  }

  @Override
  public void putTraversalSource(String name, TraversalSource source) {
    throw none();
  }

  @Override
  public TraversalSource removeTraversalSource(String name) {
    throw none();
  }

  @Override
  public Bindings getAsBindings() {
    return new SimpleBindings(Map.of());
  }

  @Override
  public void rollbackAll() {}

  @Override
  public void rollback(Set<String> names) {}

  @Override
  public void commitAll() {}

  @Override
  public void commit(Set<String> names) {}

  @Override
  public Graph openGraph(String graphName, Function<String, Graph> supplier) {
    throw none();
  }

  @Override
  public Graph removeGraph(String graphName) {
    throw none();
  }

  private static UnsupportedOperationException none() {
    return new UnsupportedOperationException("Graphs are not served by Gremlin Server's own means");
  }
}
