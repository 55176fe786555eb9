package io.graphmeta.gremlin.suite;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.strategy.GraphMetaStrategies;
import io.graphmeta.gremlin.structure.GraphMetaElements;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies.GlobalCache;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/** The ways in which the suites run the provider. One at a time, since TinkerPop's cache is one. */
enum Variant {
  /** As users have it. */
  STRATEGIES_ON("strategies on"),
  /** Without the strategies of the provider: TinkerPop's own steps on the structure alone. */
  STRATEGIES_OFF("strategies off"),
  /** As users have it, with everything that has no promised order in a random one. */
  SHUFFLED("shuffled"),
  /** As users have it, over four shards in the process, with all vertices being split. */
  FOUR_SHARDS("four shards"),
  /** As users have it, as clients of clusters of processes, which somebody else has started. */
  CLUSTER("cluster");

  /** {@code -Dgraphmeta.seed=N} shuffles in another way. */
  static final long SEED = Long.getLong("graphmeta.seed", 20261121L);

  /** {@code -Dgraphmeta.suite-placement=giga} places edges in another way on four shards. */
  static final String PLACEMENT = System.getProperty("graphmeta.suite-placement", "dido");

  private static final String BACKGROUND = "background";

  private static Variant current = STRATEGIES_ON;
  private static Function<String, Map<String, Object>> clusters = name -> Map.of();
  private static Random random = new Random(SEED);

  private final String title;

  Variant(String title) {
    this.title = title;
  }

  static Variant current() {
    return current;
  }

  /** How a client finds the cluster of the graph of a name. */
  static void findClustersBy(Function<String, Map<String, Object>> found) {
    clusters = found;
  }

  /**
   * The settings of the database of a graph of the current variant.
   *
   * @param root below which it lies if it is one of this process
   */
  static Map<String, Object> settings(Path root, String graphName) {
    if (current == CLUSTER) {
      return clusters.apply(graphName);
    }
    Map<String, Object> settings = new HashMap<>();
    String shards = current == FOUR_SHARDS ? "4" : "1";
    settings.put(Setting.DIRECTORY.key(), root.resolve(graphName + "-" + shards).toString());
    settings.put(Setting.DURABILITY.key(), BACKGROUND);
    if (current == FOUR_SHARDS) {
      settings.put(Setting.SHARDS.key(), shards);
      settings.put(Setting.SPLIT_THRESHOLD.key(), "2");
      settings.put(Setting.PLACEMENT.key(), PLACEMENT);
    }
    return settings;
  }

  /** Removes what a database holds. A cluster keeps the history of it. */
  static void empty(GraphDatabase database) {
    if (current != CLUSTER) {
      database.clear();
      return;
    }
    try (GraphTransaction tx = database.begin()) {
      List<Long> all = new ArrayList<>();
      try (ElementCursor<VertexRecord> vertices = tx.scanVertices(Set.of(), tx.snapshot())) {
        for (VertexRecord next = vertices.next(); next != null; next = vertices.next()) {
          all.add(next.key());
        }
      }
      all.forEach(vertex -> tx.removeVertex(vertex, Stamp.AT_COMMIT));
      tx.variables(tx.snapshot()).keySet().forEach(tx::removeVariable);
      tx.commit();
    }
  }

  /** Makes graphs that are opened from now on, and traversals of any, be of this variant. */
  void begin() {
    current = this;
    random = new Random(SEED);
    TraversalStrategies strategies =
        this == STRATEGIES_OFF
            ? GlobalCache.getStrategies(Graph.class).clone()
            : GraphMetaStrategies.standard();
    GlobalCache.registerStrategies(GraphMetaGraph.class, strategies);
    GlobalCache.registerStrategies(TinkerGraph.class, strategies);
  }

  /** A graph of the current variant. */
  static GraphMetaGraph graph(
      GraphDatabase database, VertexProperty.Cardinality cardinality, String javaTypes) {
    Supplier<GraphTransaction> begin =
        switch (current) {
          case SHUFFLED -> () -> ShuffledReads.of(database.begin(), random);
          case FOUR_SHARDS -> () -> beginWhenSplit(database);
          case STRATEGIES_ON, STRATEGIES_OFF, CLUSTER ->
              IndexedGraphs.WANTED ? () -> IndexedGraphs.begin(database) : database::begin;
        };
    return GraphMetaElements.graph(database, cardinality, javaTypes, begin);
  }

  /**
   * Splits come first, because a transaction that changes an edge which was moved after it began is
   * to be run again, and tests run theirs once.
   */
  private static GraphTransaction beginWhenSplit(GraphDatabase database) {
    database.splitNow();
    return database.begin();
  }

  @Override
  public String toString() {
    return title;
  }
}
