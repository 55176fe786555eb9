package io.graphmeta.gremlin.suite;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaElements;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.AbstractGraphProvider;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedGraphTest;
import org.apache.tinkerpop.gremlin.structure.util.star.StarGraphTest;
import org.jspecify.annotations.Nullable;

/**
 * Graphs for the suites. One database for each directory stays open for the whole run and is
 * emptied between tests, because opening one takes longer than most tests.
 */
public class GraphMetaProvider extends AbstractGraphProvider {
  private static final Path ROOT =
      Path.of("target", "suite-graphs", String.valueOf(ProcessHandle.current().pid()));

  private static final Map<Map<String, Object>, GraphDatabase> DATABASES = new HashMap<>();

  @Override
  public Map<String, Object> getBaseConfiguration(
      String graphName,
      Class<?> test,
      String testMethodName,
      LoadGraphWith.@Nullable GraphData loadGraphWith) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put(Graph.GRAPH, GraphMetaGraph.class.getName());
    configuration.putAll(Variant.settings(ROOT, graphName));
    boolean needsLists =
        loadGraphWith == LoadGraphWith.GraphData.CREW
            || (test == StarGraphTest.class
                && testMethodName.equals("shouldAttachWithCreateMethod"))
            || (test == DetachedGraphTest.class
                && testMethodName.equals("testAttachableCreateMethod"));
    configuration.put(GraphMetaGraph.JAVA_TYPES, javaTypes());
    configuration.put(GraphMetaGraph.DEFAULT_CARDINALITY, needsLists ? "list" : "single");
    return configuration;
  }

  /** What is stored beside the types of all drivers, as the configuration says it. */
  String javaTypes() {
    return "";
  }

  @Override
  public Graph openTestGraph(Configuration configuration) {
    return Variant.graph(
        database(configuration),
        VertexProperty.Cardinality.valueOf(
            configuration.getString(GraphMetaGraph.DEFAULT_CARDINALITY)),
        javaTypes());
  }

  static GraphDatabase database(Configuration configuration) {
    return DATABASES.computeIfAbsent(settings(configuration), GraphMetaProvider::open);
  }

  private static GraphDatabase open(Map<String, Object> settings) {
    return GraphDatabases.open(GraphMetaConfig.of(settings));
  }

  /** What of a configuration is for the database. */
  private static Map<String, Object> settings(Configuration configuration) {
    Map<String, Object> settings = new HashMap<>();
    configuration
        .getKeys()
        .forEachRemaining(
            key -> {
              if (key.startsWith("graphmeta.")) {
                settings.put(key, configuration.getProperty(key));
              }
            });
    return settings;
  }

  /** Closes what is open, before what it is a client of ends. */
  static void closeAll() {
    DATABASES.values().forEach(GraphDatabase::close);
    DATABASES.clear();
  }

  @Override
  public void clear(@Nullable Graph graph, @Nullable Configuration configuration) throws Exception {
    if (graph != null) {
      graph.close();
    }
    if (configuration == null) {
      return;
    }
    Map<String, Object> settings = settings(configuration);
    if (settings.containsKey(Setting.DIRECTORY.key())
        || settings.containsKey(Setting.CLUSTER.key())) {
      clear(settings);
    }
  }

  /** Some tests open the database themselves, so what is not open is not left open either. */
  private static void clear(Map<String, Object> settings) {
    GraphDatabase open = DATABASES.get(settings);
    String directory = (String) settings.get(Setting.DIRECTORY.key());
    if (open != null) {
      Variant.empty(open);
    } else if (directory == null || Files.exists(Path.of(directory))) {
      try (GraphDatabase opened = open(settings)) {
        Variant.empty(opened);
      }
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<Class> getImplementations() {
    return GraphMetaElements.CLASSES;
  }
}
