package io.graphmeta.bench.peers.runner;

import java.nio.file.Path;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/** GraphMeta, embedded, with the settings that it has by itself. */
public class GraphMetaProvider implements Provider {
  @Override
  public Graph open(Path directory) {
    return GraphFactory.open(
        Map.of(
            Graph.GRAPH,
            "io.graphmeta.gremlin.structure.GraphMetaGraph",
            "graphmeta.directory",
            directory.toString()));
  }
}
