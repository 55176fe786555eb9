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
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties that come with the vertices of a plan, read from several pages of each shard. */
class PlanPropertiesTest {
  private static final int FAN = 3000;
  private static final String LONG_TEXT = "x".repeat(1000);

  private static GraphMetaConfig config(int shards) {
    return GraphMetaConfig.of(
        Map.of(
            Setting.STORAGE.key(),
            "memory",
            Setting.SHARDS.key(),
            shards,
            Setting.PAGE_BYTES.key(),
            1 << 16));
  }

  private static void fill(GraphMetaGraph graph) {
    Vertex hub = graph.addVertex(T.id, "hub", T.label, "job");
    for (int i = 0; i < FAN; i++) {
      Vertex file = graph.addVertex(T.id, "f" + i, T.label, "file", "number", i, "text", LONG_TEXT);
      hub.addEdge("read", file);
      if (i % 3 == 0) {
        hub.addEdge("wrote", file);
      }
    }
    graph.tx().commit();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void eachVertexComesWithItsOwnAndAsOftenAsThereAreWays(int shards) {
    try (GraphDatabase database = GraphDatabases.open(config(shards));
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      fill(graph);
      List<Map<Object, Object>> maps = graph.traversal().V("hub").out().elementMap().toList();
      int[] times = new int[FAN];
      for (Map<Object, Object> map : maps) {
        int number = (Integer) map.get("number");
        assertThat(map)
            .isEqualTo(
                Map.of(T.id, "f" + number, T.label, "file", "number", number, "text", LONG_TEXT));
        times[number]++;
      }
      for (int i = 0; i < FAN; i++) {
        assertThat(times[i]).as("maps of f%d", i).isEqualTo(i % 3 == 0 ? 2 : 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatTheTransactionWritesMeanwhileIsSeen(int shards) {
    try (GraphDatabase database = GraphDatabases.open(config(shards));
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      fill(graph);
      GraphTraversal<Vertex, Map<Object, Object>> maps =
          graph.traversal().V("hub").out("read").valueMap("number");
      assertThat(maps.next()).containsKey("number");
      for (int i = 0; i < FAN; i++) {
        graph.vertices("f" + i).next().property("number", -1);
      }
      List<Object> seen = new ArrayList<>();
      maps.forEachRemaining(map -> seen.add(map.get("number")));
      assertThat(seen).hasSize(FAN - 1).containsOnly(List.of(-1));
      graph.tx().rollback();
    }
  }
}
