package io.graphmeta.bench.peers.runner;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/**
 * GraphMeta, embedded, with the settings that it has by itself but for those of the system property
 * {@link #SETTINGS}. The system property {@link #ENGINE} names what runs traversals, if not the
 * default.
 */
public final class GraphMetaProvider implements Provider {
  /** System property with a value of the option {@code engine}. */
  public static final String ENGINE = "graphmeta.bench.engine";

  /** System property with settings: {@code name=value}, a comma between. */
  public static final String SETTINGS = "graphmeta.bench.settings";

  @Override
  public Graph open(Path directory) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put(Graph.GRAPH, "io.graphmeta.gremlin.structure.GraphMetaGraph");
    configuration.put("graphmeta.directory", directory.toString());
    String settings = System.getProperty(SETTINGS, "");
    for (String setting : settings.isEmpty() ? new String[0] : settings.split(",")) {
      int equals = setting.indexOf('=');
      configuration.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return GraphFactory.open(configuration);
  }

  @Override
  public GraphTraversalSource traversal(Graph graph) {
    String engine = System.getProperty(ENGINE);
    return engine == null ? graph.traversal() : graph.traversal().with("engine", engine);
  }
}
