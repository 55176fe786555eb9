package io.graphmeta.gremlin.suite;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;

/** Graphs of GraphMeta as {@link TinkerGraph}s. */
public final class NamedGraphProvider extends GraphMetaProvider {
  @Override
  public Graph openTestGraph(Configuration configuration) {
    return new TinkerGraph((GraphMetaGraph) super.openTestGraph(configuration));
  }
}
