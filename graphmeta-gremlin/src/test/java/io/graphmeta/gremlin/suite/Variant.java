package io.graphmeta.gremlin.suite;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.process.strategy.GraphMetaStrategies;
import io.graphmeta.gremlin.structure.GraphMetaElements;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
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
  FOUR_SHARDS("four shards");

  /** {@code -Dgraphmeta.seed=N} shuffles in another way. */
  static final long SEED = Long.getLong("graphmeta.seed", 20261121L);

  /** {@code -Dgraphmeta.suite-placement=giga} places edges in another way on four shards. */
  static final String PLACEMENT = System.getProperty("graphmeta.suite-placement", "dido");

  private static Variant current = STRATEGIES_ON;
  private static Random random = new Random(SEED);

  private final String title;

  Variant(String title) {
    this.title = title;
  }

  static Variant current() {
    return current;
  }

  /** Number of shards of a database of the current variant. */
  static int shards() {
    return current == FOUR_SHARDS ? 4 : 1;
  }

  /** The settings of a database of the current variant. */
  static Map<Setting, String> settings() {
    return current == FOUR_SHARDS
        ? Map.of(
            Setting.DURABILITY, "background",
            Setting.SHARDS, "4",
            Setting.SPLIT_THRESHOLD, "2",
            Setting.PLACEMENT, PLACEMENT)
        : Map.of(Setting.DURABILITY, "background");
  }

  /** A database of the current variant. */
  static GraphDatabase open(Path directory) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory);
    for (Map.Entry<Setting, String> setting : settings().entrySet()) {
      config = config.with(setting.getKey(), setting.getValue());
    }
    return GraphDatabases.open(config);
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
          case STRATEGIES_ON, STRATEGIES_OFF -> database::begin;
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
