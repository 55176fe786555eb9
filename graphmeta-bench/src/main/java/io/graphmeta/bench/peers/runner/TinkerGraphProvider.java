package io.graphmeta.bench.peers.runner;

import java.nio.file.Path;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/** TinkerGraph, in memory. */
public final class TinkerGraphProvider implements Provider {
  @Override
  public Graph open(Path directory) {
    return GraphFactory.open(
        Map.of(Graph.GRAPH, "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph"));
  }

  @Override
  public boolean isPersistent() {
    return false;
  }
}
