package io.graphmeta.gremlin.suite;

import io.cucumber.java.Scenario;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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

  private static final String INSERTION_ORDER =
      "expects the order in which TinkerGraph iterates (@InsertionOrderingRequired)";

  private static final String UNCHECKED =
      "asks for a check that TinkerPop's own steps leave out when parameters are GValues";

  /**
   * Scenarios that expect what TinkerGraph's hash tables make of the ids of edges; to keep the
   * order of insertion would not give it. Others of that tag pass by the order that the store
   * happens to have.
   */
  private static final Set<String> ORDERED =
      Set.of("g_VX1_2_3X_repeatXboth_barrierX_emit_timesX2X_path", "g_V_playlist_paths");

  private static final Map<Map<String, Object>, GraphDatabase> DATABASES = new HashMap<>();
  private static boolean parametersAreVariables;

  private @Nullable GraphMetaGraph opened;

  /** Whether the parameters of scenarios are variables of the script, and not part of it. */
  static void passParametersAsVariables(boolean asVariables) {
    parametersAreVariables = asVariables;
  }

  private static GraphDatabase open(Map<String, Object> settings) {
    return GraphDatabases.open(GraphMetaConfig.of(settings));
  }

  /** Closes what is open, before what it is a client of ends. */
  static void closeAll() {
    DATABASES.values().forEach(GraphDatabase::close);
    DATABASES.clear();
  }

  private static GraphDatabase loaded(
      Map<String, Object> settings, GraphData data, VertexProperty.Cardinality cardinality) {
    GraphDatabase database = open(settings);
    GraphMetaGraph graph = GraphMetaGraph.over(database, cardinality);
    String resource = data.location().substring(data.location().lastIndexOf('/') + 1);
    Path file = extract(GryoResourceAccess.class, resource, resource);
    graph.traversal().io(file.toString()).read().iterate();
    graph.tx().commit();
    graph.close();
    return database;
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(@Nullable GraphData data) {
    if (opened != null) {
      opened.close();
    }
    VertexProperty.Cardinality cardinality =
        data == GraphData.CREW
            ? VertexProperty.Cardinality.list
            : VertexProperty.Cardinality.single;
    Map<String, Object> settings = Variant.settings(ROOT, data == null ? "empty" : data.name());
    GraphDatabase database =
        DATABASES.computeIfAbsent(
            settings, them -> data == null ? open(them) : loaded(them, data, cardinality));
    if (data == null) {
      Variant.empty(database);
    }
    opened = Variant.graph(database, cardinality, "");
    return opened.traversal();
  }

  @Override
  public void beforeEachScenario(Scenario scenario) {
    String name = scenario.getName();
    String reason = null;
    boolean asksForOrder = scenario.getSourceTagNames().contains("@InsertionOrderingRequired");
    if (ORDERED.contains(name) || (Variant.current() == Variant.SHUFFLED && asksForOrder)) {
      reason = INSERTION_ORDER;
    } else if (Variant.current() == Variant.STRATEGIES_OFF
        && parametersAreVariables
        && name.startsWith("g_mergeE")
        && name.endsWith("_exists_updated_override_prohibited")) {
      reason = UNCHECKED;
    }
    if (reason != null) {
      throw new AssumptionViolatedException(reason);
    }
  }

  @Override
  public void afterEachScenario() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }

  @Override
  public String convertIdToScript(Object id, Class<? extends Element> type) {
    return id instanceof String ? "\"" + id + "\"" : id.toString();
  }

  @Override
  public boolean useParametersLiterally() {
    return !parametersAreVariables;
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
