package io.graphmeta.gremlin.suite;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
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
  private static final Path ROOT = Path.of("target", "suite-graphs");
  private static final Map<String, GraphDatabase> DATABASES = new HashMap<>();

  @Override
  public Map<String, Object> getBaseConfiguration(
      String graphName,
      Class<?> test,
      String testMethodName,
      LoadGraphWith.@Nullable GraphData loadGraphWith) {
    Map<String, Object> configuration = new HashMap<>();
    configuration.put(Graph.GRAPH, GraphMetaGraph.class.getName());
    configuration.put(
        Setting.DIRECTORY.key(),
        ROOT.resolve(ProcessHandle.current().pid() + "-" + Variant.shards() + "-" + graphName)
            .toString());
    Variant.settings().forEach((setting, value) -> configuration.put(setting.key(), value));
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
    return DATABASES.computeIfAbsent(
        configuration.getString(Setting.DIRECTORY.key()), GraphMetaProvider::open);
  }

  private static GraphDatabase open(String directory) {
    return Variant.open(Path.of(directory));
  }

  @Override
  public void clear(@Nullable Graph graph, @Nullable Configuration configuration) throws Exception {
    if (graph != null) {
      graph.close();
    }
    if (configuration != null && configuration.containsKey(Setting.DIRECTORY.key())) {
      clear(configuration.getString(Setting.DIRECTORY.key()));
    }
  }

  /** Some tests open the directory themselves, so what is not open is not left open either. */
  private static void clear(String directory) {
    GraphDatabase open = DATABASES.get(directory);
    if (open != null) {
      open.clear();
    } else if (Files.exists(Path.of(directory))) {
      try (GraphDatabase opened = open(directory)) {
        opened.clear();
      }
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<Class> getImplementations() {
    return GraphMetaElements.CLASSES;
  }
}
