package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code profile()} and {@code explain()} show of a plan. */
class PlanProfileTest {
  private static final int FAN = 5;

  /** A root with {@link #FAN} children, of which each has as many. */
  private static void fill(GraphMetaGraph graph) {
    Vertex root = graph.addVertex(T.id, "root");
    for (int i = 0; i < FAN; i++) {
      Vertex child = graph.addVertex(T.id, "c" + i);
      root.addEdge("to", child);
      for (int j = 0; j < FAN; j++) {
        child.addEdge("to", graph.addVertex(T.id, "g" + i + "-" + j));
      }
    }
    graph.tx().commit();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void profileShowsTheFrontierAndTheEdgesOfEachLevel(int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      fill(graph);
      GraphTraversalSource g = graph.traversal();
      TraversalMetrics metrics = g.V("root").out().dedup().out().dedup().profile().next();
      assertThat(metrics.getMetrics()).hasSize(1);
      Metrics plan = metrics.getMetrics(0);
      assertThat(plan.getName()).contains("V[root] > out > dedup > out > dedup");
      assertThat(plan.getCount(TraversalMetrics.ELEMENT_COUNT_ID)).isEqualTo(FAN * FAN);
      assertThat(plan.getAnnotation("engine")).isEqualTo("prefetch");
      List<Metrics> levels = new ArrayList<>(plan.getNested());
      assertThat(levels).hasSizeGreaterThanOrEqualTo(2);
      assertThat(levels.get(0).getAnnotation("frontier")).isEqualTo(1L);
      assertThat(levels.get(0).getAnnotation("edges")).isEqualTo((long) FAN);
      assertThat(levels.get(1).getAnnotation("frontier")).isEqualTo((long) FAN);
      assertThat(levels.get(1).getAnnotation("edges")).isEqualTo((long) FAN * FAN);
      assertThat(levels.get(1).getAnnotations().keySet()).anyMatch(key -> key.startsWith("shard"));
      assertThat(metrics.toString()).contains("level 1", "frontier");
    }
  }

  @Test
  void explainNamesThePlanAndWhatStayedOutside() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      assertThat(graph.traversal().V("root").out().values("x").sum().explain().toString())
          .contains(
              "GraphMetaPlanStep(V[root] > out > values(x) > sum,prefetch,outside: SumGlobalStep: it");
    }
  }
}
