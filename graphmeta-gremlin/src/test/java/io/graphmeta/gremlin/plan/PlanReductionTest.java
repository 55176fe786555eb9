package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.process.step.GraphMetaPlanStep;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.plan.PlanResult;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums, means and extremes of values of all types, on one shard and on several. */
class PlanReductionTest {
  private static final short SHORT = Short.MAX_VALUE;

  /** Values of which no sum depends on the order they are added in. */
  private static final List<List<Object>> VALUES =
      List.of(
          List.of(),
          List.of((short) 1, (short) 2, (short) 2),
          List.of(SHORT, SHORT, SHORT),
          List.of(1, 2, 2, 5),
          List.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 7),
          List.of(1L, 2L, 1L << 40),
          List.of(Long.MAX_VALUE, Long.MAX_VALUE),
          List.of(Long.MIN_VALUE, -1L, -1L),
          List.of((short) 1, 2, 3L),
          List.of((short) 1, 2, 0.5),
          List.of(0.5, 0.25, 0.25, -1.5),
          List.of(-0.0, -0.0),
          List.of(Double.MAX_VALUE, Double.MAX_VALUE),
          List.of(Double.POSITIVE_INFINITY, 1.0),
          List.of(0.5f, 1.5f, 1.5f),
          List.of(Float.MAX_VALUE, Float.MAX_VALUE),
          List.of(0.5f, 0.5),
          List.of(1, 0.5f),
          List.of(BigInteger.ONE.shiftLeft(100), BigInteger.TWO),
          List.of(BigInteger.ONE.shiftLeft(100), 3L, 4),
          List.of("b", "a", "a", "c"),
          List.of(true, false, true),
          List.of(new Date(1), new Date(2)),
          List.of(new UUID(1, 2), new UUID(-1, 2)),
          List.of(
              OffsetDateTime.parse("2026-11-21T10:00:00+01:00"),
              OffsetDateTime.parse("2026-11-21T08:00:00Z")),
          List.of("a", 1),
          List.of(List.of(1), List.of(2)),
          List.of(List.of(1)),
          Collections.nCopies(1000, 1 << 30),
          Collections.nCopies(1000, 0.125));

  private static void fill(Graph graph, List<Object> values) {
    Vertex hub = graph.addVertex(T.id, "hub", T.label, "job");
    for (int i = 0; i < values.size(); i++) {
      Vertex vertex = graph.addVertex(T.id, "v" + i, T.label, "file", "value", values.get(i));
      // Twice, so that each value comes with a number.
      hub.addEdge("read", vertex, "value", values.get(i));
      hub.addEdge("wrote", vertex);
    }
    hub.addEdge("read", graph.addVertex(T.id, "none", T.label, "file"));
  }

  private static List<GraphTraversal<?, ?>> reductions(GraphTraversalSource g) {
    List<GraphTraversal<?, ?>> all = new ArrayList<>();
    for (int way = 0; way < 3; way++) {
      for (int what = 0; what < 4; what++) {
        GraphTraversal<?, Object> values =
            way == 0
                ? g.V("hub").out().values("value")
                : way == 1
                    ? g.V("hub").outE().values("value")
                    : g.V().hasLabel("file").values("value");
        all.add(
            switch (what) {
              case 0 -> values.sum();
              case 1 -> values.mean();
              case 2 -> max(values);
              default -> min(values);
            });
      }
    }
    return all;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static GraphTraversal<?, ?> max(GraphTraversal<?, Object> values) {
    return ((GraphTraversal) values).max();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static GraphTraversal<?, ?> min(GraphTraversal<?, Object> values) {
    return ((GraphTraversal) values).min();
  }

  /** The result and its type, or the type of the error. */
  private static String outcome(GraphTraversal<?, ?> traversal) {
    try {
      return Results.counted(traversal).toString();
    } catch (RuntimeException e) {
      return e.getClass().getName();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aRangeBeforeValuesCountsElements(int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      Vertex hub = graph.addVertex(T.id, "hub", T.label, "job");
      for (int i = 0; i < 3; i++) {
        Vertex vertex = graph.addVertex(T.label, "file");
        vertex.property(VertexProperty.Cardinality.list, "tag", "a");
        vertex.property(VertexProperty.Cardinality.list, "tag", "b");
        hub.addEdge("read", vertex);
      }
      graph.tx().commit();
      GraphTraversalSource g = graph.traversal();
      assertThat(g.V("hub").out().limit(2).values("tag").toList())
          .containsExactlyInAnyOrder("a", "b", "a", "b");
      assertThat(g.V("hub").out().limit(2).values("tag").max().toList()).containsExactly("b");
      assertThat(g.V("hub").out().skip(1).values("tag").count().toList()).containsExactly(4L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void plansReduceAsGremlinDoes(int shards) {
    for (List<Object> values : VALUES) {
      GraphMetaConfig config =
          GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards));
      try (TinkerGraph model = TinkerGraph.open();
          GraphDatabase database = GraphDatabases.open(config);
          GraphMetaGraph graph = GraphMetaGraph.over(database)) {
        fill(model, values);
        fill(graph, values);
        graph.tx().commit();
        List<GraphTraversal<?, ?>> expected = reductions(model.traversal());
        List<GraphTraversal<?, ?>> actual = reductions(graph.traversal());
        for (int i = 0; i < expected.size(); i++) {
          String as = expected.get(i) + " of " + values.stream().limit(10).toList();
          assertThat(outcome(actual.get(i))).as(as).isEqualTo(outcome(expected.get(i)));
          assertThat(actual.get(i).asAdmin().getStartStep())
              .as(as)
              .isInstanceOfSatisfying(
                  GraphMetaPlanStep.class,
                  step -> assertThat(step.plan().result()).isInstanceOf(PlanResult.Reduced.class));
        }
      }
    }
  }
}
