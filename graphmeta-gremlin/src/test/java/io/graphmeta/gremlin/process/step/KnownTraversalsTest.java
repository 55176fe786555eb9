package io.graphmeta.gremlin.process.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.process.strategy.GraphMetaStepStrategy;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Traversals whose steps are known from another of their shape, beside the same ones rewritten by
 * all strategies. {@code -Dgraphmeta.seed=N} plays one seed.
 */
class KnownTraversalsTest {
  private static final int VERTICES = 12;
  private static final int EDGES = 40;
  private static final int TRAVERSALS = 6_000;
  private static final String[] LABELS = {"reads", "writes"};
  private static final String[] KEYS = {"name", "size", "weight"};

  private GraphDatabase database;
  private GraphMetaGraph graph;

  @BeforeEach
  void open() {
    database =
        GraphDatabases.open(
            GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 2)));
    graph = GraphMetaGraph.over(database);
    Random random = new Random(1);
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(graph.addVertex(T.id, "v" + i, T.label, "file", "name", "n" + i, "size", i % 3));
    }
    for (int i = 0; i < EDGES; i++) {
      vertices
          .get(random.nextInt(VERTICES))
          .addEdge(
              LABELS[i % 2], vertices.get(random.nextInt(VERTICES)), T.id, "e" + i, "weight", i);
    }
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  /** A traversal of a seed, from one source or another. */
  private static GraphTraversal<?, ?> traversal(GraphTraversalSource g, long seed) {
    Random random = new Random(seed);
    boolean fromVertices = random.nextInt(5) > 0;
    Object[] ids = new Object[1 + random.nextInt(3)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = fromVertices ? "v" + random.nextInt(VERTICES + 1) : "e" + random.nextInt(EDGES + 1);
    }
    GraphTraversal<?, ?> traversal = fromVertices ? g.V(ids) : g.E(ids);
    boolean atVertices = fromVertices;
    for (int step = random.nextInt(4); step > 0; step--) {
      if (atVertices) {
        atVertices = fromVertex(traversal, random);
      } else {
        atVertices = fromEdge(traversal, random);
      }
      if (random.nextInt(20) == 0) {
        traversal.as("a");
      }
    }
    end(traversal, random);
    return traversal;
  }

  private static boolean fromVertex(GraphTraversal<?, ?> traversal, Random random) {
    String[] labels = Arrays.copyOf(LABELS, random.nextInt(3));
    switch (random.nextInt(8)) {
      case 0, 1 -> traversal.out(labels);
      case 2 -> traversal.in(labels);
      case 3 -> traversal.both(labels);
      case 4 -> traversal.dedup();
      case 5 -> traversal.hasLabel("file");
      default -> {
        traversal.toE(Direction.values()[random.nextInt(3)], labels);
        return false;
      }
    }
    return true;
  }

  private static boolean fromEdge(GraphTraversal<?, ?> traversal, Random random) {
    switch (random.nextInt(5)) {
      case 0 -> traversal.inV();
      case 1 -> traversal.outV();
      case 2 -> traversal.bothV();
      default -> {
        traversal.has("weight", random.nextInt(EDGES));
        return false;
      }
    }
    return true;
  }

  private static void end(GraphTraversal<?, ?> traversal, Random random) {
    String[] keys = Arrays.copyOf(KEYS, random.nextInt(4));
    switch (random.nextInt(14)) {
      case 0, 1 -> traversal.count();
      case 2 -> traversal.values(keys);
      case 3 -> traversal.properties(keys);
      case 4 -> traversal.valueMap(keys);
      case 5 -> traversal.valueMap(keys).with(WithOptions.tokens);
      case 6 -> traversal.valueMap(keys).by(__.unfold());
      case 7 -> traversal.elementMap(keys);
      case 8 -> traversal.id();
      case 9 -> traversal.label();
      case 10 -> traversal.dedup().by(T.label).count();
      case 11 -> traversal.path();
      case 12 -> traversal.count().as("b").select("b");
      default -> {
        if (random.nextBoolean()) {
          traversal.dedup();
        }
      }
    }
  }

  private static String applied(GraphTraversal<?, ?> traversal) {
    traversal.asAdmin().applyStrategies();
    return traversal.toString();
  }

  private static List<String> sorted(GraphTraversal<?, ?> traversal) {
    return traversal.toStream().map(String::valueOf).sorted().toList();
  }

  @Test
  void aKnownShapeHasTheStepsThatTheStrategiesMake() {
    long first = Long.getLong("graphmeta.seed", 1);
    long last = Long.getLong("graphmeta.seed") == null ? TRAVERSALS : first;
    for (int round = 0; round < 2; round++) {
      for (long seed = first; seed <= last; seed++) {
        String as = "seed " + seed + ": " + traversal(graph.traversal(), seed);
        GraphMetaGraph fresh = GraphMetaGraph.over(database);
        String made = applied(traversal(fresh.traversal(), seed));
        assertThat(applied(traversal(graph.traversal(), seed))).as(as).isEqualTo(made);
      }
    }
    assertThat(graph.knownTraversals().size()).isBetween(50, KnownTraversals.MOST);
  }

  @Test
  void resultsAreThoseOfGremlinInATransactionWithWritesToo() {
    GraphTraversalSource plain = graph.traversal().withoutStrategies(GraphMetaStepStrategy.class);
    long first = Long.getLong("graphmeta.seed", 1);
    long last = Long.getLong("graphmeta.seed") == null ? TRAVERSALS / 3 : first;
    for (long seed = first; seed <= last; seed++) {
      Random random = new Random(seed);
      boolean writes = random.nextInt(3) == 0;
      if (writes) {
        Vertex source = graph.vertices("v" + random.nextInt(VERTICES)).next();
        Vertex destination = graph.vertices("v" + random.nextInt(VERTICES)).next();
        source.addEdge(LABELS[random.nextInt(2)], destination, "weight", random.nextInt(EDGES));
        source.property(VertexProperty.Cardinality.single, "size", random.nextInt(9));
      }
      assertThat(sorted(traversal(graph.traversal(), seed)))
          .as("seed %d, writes %s: %s", seed, writes, traversal(plain, seed))
          .isEqualTo(sorted(traversal(plain, seed)));
      if (random.nextBoolean()) {
        graph.tx().rollback();
      } else {
        graph.tx().commit();
      }
    }
  }

  @Test
  void otherStrategiesAreAppliedEachTime() {
    GraphTraversalSource g = graph.traversal();
    String known = applied(g.V("v1").out().out().values("name"));
    assertThat(applied(g.V("v1").out().out().values("name"))).isEqualTo(known);
    assertThat(applied(g.withoutStrategies(GraphMetaStepStrategy.class).V("v1").out().out().id()))
        .contains("VertexStep(OUT")
        .doesNotContain("GraphMeta");
    assertThat(
            applied(
                g.withStrategies(ReadOnlyStrategy.instance())
                    .withoutStrategies(LazyBarrierStrategy.class)
                    .with("engine", "none")
                    .V("v1")
                    .out()
                    .out()
                    .values("name")))
        .doesNotContain("PlanStep", "Barrier");
    assertThat(applied(g.with("asOf", 0).V("v1").out().out().values("name"))).contains("past");
    assertThat(g.with("asOf", 0).V("v1").out().count().next()).isZero();
    assertThat(g.V("v1").out().count().next()).isPositive();
    assertThatThrownBy(
            () -> g.withStrategies(ReadOnlyStrategy.instance()).V("v1").property("a", 1).iterate())
        .isInstanceOf(IllegalStateException.class);
    assertThat(g.V("v1").out().count().explain().toString())
        .contains("LazyBarrierStrategy", "GraphMetaPlanStep");
    assertThat(g.withSack(1).V("v1").out().sack().toList()).isNotEmpty().containsOnly(1);
  }

  @Test
  void theNumberOfShapesIsLimited() {
    for (int i = 0; i < 3 * KnownTraversals.MOST; i++) {
      assertThat(graph.traversal().V("v1").both().limit(i).toList()).hasSizeLessThanOrEqualTo(i);
      assertThat(graph.knownTraversals().size()).isLessThanOrEqualTo(KnownTraversals.MOST);
    }
  }

  @Test
  void stepsThatAreKeptHoldNoIds() {
    graph.traversal().V("v1", "v2").out().count().next();
    graph.traversal().V("v1", "v2").values("name").toList();
    assertThat(graph.knownTraversals().toString()).contains("[]").doesNotContain("v1");
  }
}
