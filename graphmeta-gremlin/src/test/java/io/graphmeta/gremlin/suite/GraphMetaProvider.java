package io.graphmeta.gremlin.suite;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.structure.GraphMetaElements;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
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
public final class GraphMetaProvider extends AbstractGraphProvider {
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
        ROOT.resolve(ProcessHandle.current().pid() + "-" + graphName).toString());
    configuration.put(Setting.DURABILITY.key(), "background");
    boolean needsLists =
        loadGraphWith == LoadGraphWith.GraphData.CREW
            || (test == StarGraphTest.class
                && testMethodName.equals("shouldAttachWithCreateMethod"))
            || (test == DetachedGraphTest.class
                && testMethodName.equals("testAttachableCreateMethod"));
    configuration.put(GraphMetaGraph.DEFAULT_CARDINALITY, needsLists ? "list" : "single");
    return configuration;
  }

  @Override
  public Graph openTestGraph(Configuration configuration) {
    return GraphMetaGraph.over(
        database(configuration),
        VertexProperty.Cardinality.valueOf(
            configuration.getString(GraphMetaGraph.DEFAULT_CARDINALITY)));
  }

  static GraphDatabase database(Configuration configuration) {
    return DATABASES.computeIfAbsent(
        configuration.getString(Setting.DIRECTORY.key()),
        directory ->
            GraphDatabase.open(
                GraphMetaConfig.inDirectory(Path.of(directory))
                    .with(Setting.DURABILITY, "background")));
  }

  @Override
  public void clear(@Nullable Graph graph, @Nullable Configuration configuration) throws Exception {
    if (graph != null) {
      graph.close();
    }
    if (configuration != null && configuration.containsKey(Setting.DIRECTORY.key())) {
      database(configuration).clear();
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<Class> getImplementations() {
    return GraphMetaElements.CLASSES;
  }
}
