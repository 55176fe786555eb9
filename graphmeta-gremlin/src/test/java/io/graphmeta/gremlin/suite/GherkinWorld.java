package io.graphmeta.gremlin.suite;

import io.cucumber.java.Scenario;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.io.graphml.GraphMLResourceAccess;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONResourceAccess;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoResourceAccess;
import org.jspecify.annotations.Nullable;
import org.junit.AssumptionViolatedException;

/**
 * The graphs of TinkerPop's Gherkin features: those with data are loaded once, the empty one is
 * emptied before each scenario.
 */
public final class GherkinWorld implements World {
  private static final Path ROOT =
      Path.of("target", "gherkin-graphs", String.valueOf(ProcessHandle.current().pid()));

  /** Scenarios that ask for what GraphMeta refuses on purpose, and why. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "g_withStrategiesXOptionsStrategyXmyVar_myValueXX_V",
          "an unknown option of with() is an error",
          "g_VX1_2_3X_repeatXboth_barrierX_emit_timesX2X_path",
          "the order of insertion is not kept (tagged InsertionOrderingRequired)",
          "g_V_playlist_paths",
          "the order of insertion is not kept (tagged InsertionOrderingRequired)");

  private static final Map<GraphData, GraphMetaGraph> LOADED = new EnumMap<>(GraphData.class);
  private static @Nullable GraphMetaGraph empty;

  private static GraphMetaGraph open(String name, VertexProperty.Cardinality cardinality) {
    GraphDatabase database =
        GraphDatabase.open(
            GraphMetaConfig.inDirectory(ROOT.resolve(name)).with(Setting.DURABILITY, "background"));
    return GraphMetaGraph.over(database, cardinality);
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(@Nullable GraphData graphData) {
    if (graphData == null) {
      if (empty == null) {
        empty = open("empty", VertexProperty.Cardinality.single);
      }
      empty.tx().rollback();
      empty.database().clear();
      return empty.traversal();
    }
    GraphMetaGraph graph =
        LOADED.computeIfAbsent(
            graphData,
            data -> {
              GraphMetaGraph created =
                  open(
                      data.name(),
                      data == GraphData.CREW
                          ? VertexProperty.Cardinality.list
                          : VertexProperty.Cardinality.single);
              String resource = data.location().substring(data.location().lastIndexOf('/') + 1);
              Path file = extract(GryoResourceAccess.class, resource, resource);
              created.traversal().io(file.toString()).read().iterate();
              created.tx().commit();
              return created;
            });
    graph.tx().rollback();
    return graph.traversal();
  }

  @Override
  public void beforeEachScenario(Scenario scenario) {
    String reason = REFUSED.get(scenario.getName());
    if (reason != null) {
      throw new AssumptionViolatedException(reason);
    }
  }

  @Override
  public void afterEachScenario() {
    if (empty != null) {
      empty.tx().rollback();
    }
    LOADED.values().forEach(graph -> graph.tx().rollback());
  }

  @Override
  public String convertIdToScript(Object id, Class<? extends Element> type) {
    return id instanceof String ? "\"" + id + "\"" : id.toString();
  }

  /** {@code -Dgraphmeta.gherkin.gvalues=true} passes parameters as variables of the script. */
  @Override
  public boolean useParametersLiterally() {
    return !Boolean.getBoolean("graphmeta.gherkin.gvalues");
  }

  @Override
  public String changePathToDataFile(String pathToFileFromGremlin) {
    String name = pathToFileFromGremlin.substring(pathToFileFromGremlin.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    String stem = name.substring(0, dot);
    return switch (name.substring(dot)) {
      case ".kryo" -> extract(GryoResourceAccess.class, stem + "-v3.kryo", name).toString();
      case ".json" -> extract(GraphSONResourceAccess.class, stem + "-v3.json", name).toString();
      case ".xml" -> extract(GraphMLResourceAccess.class, name, name).toString();
      default -> throw new IllegalArgumentException("no data file " + name);
    };
  }

  private static Path extract(Class<?> beside, String resource, String name) {
    Path file = ROOT.resolve("data").resolve(name);
    try (InputStream content = beside.getResourceAsStream(resource)) {
      if (content == null) {
        throw new IllegalArgumentException("no resource " + resource + " beside " + beside);
      }
      Files.createDirectories(file.getParent());
      Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
      return file.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
