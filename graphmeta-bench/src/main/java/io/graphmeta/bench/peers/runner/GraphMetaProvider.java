package io.graphmeta.bench.peers.runner;

import java.nio.file.Path;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/**
 * GraphMeta, embedded, with the settings that it has by itself. The system property {@link #ENGINE}
 * names what runs traversals, if not the default.
 */
public final class GraphMetaProvider implements Provider {
  /** System property with a value of the option {@code engine}. */
  public static final String ENGINE = "graphmeta.bench.engine";

  @Override
  public Graph open(Path directory) {
    return GraphFactory.open(
        Map.of(
            Graph.GRAPH,
            "io.graphmeta.gremlin.structure.GraphMetaGraph",
            "graphmeta.directory",
            directory.toString()));
  }

  @Override
  public GraphTraversalSource traversal(Graph graph) {
    String engine = System.getProperty(ENGINE);
    return engine == null ? graph.traversal() : graph.traversal().with("engine", engine);
  }
}
