package io.graphmeta.gremlin.suite;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * Graphs of GraphMeta as {@link TinkerGraph}s, without plans: what the tests assert of {@code
 * profile()} is measured step by step.
 */
public final class NamedGraphProvider extends GraphMetaProvider {
  @Override
  public Graph openTestGraph(Configuration configuration) {
    return new TinkerGraph((GraphMetaGraph) super.openTestGraph(configuration));
  }

  @Override
  public GraphTraversalSource traversal(Graph graph) {
    return super.traversal(graph).with("engine", "none");
  }
}
