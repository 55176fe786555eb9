package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;

/** What is told of a vertex whose edges lie on four shards. */
class PlacementServiceTest {
  private static final String PLACEMENT = "graphmeta.placement";

  @Test
  void theEdgesOfASplitVertexAreToldWhereTheyLie() {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, 4).with(Setting.SPLIT_THRESHOLD, 8);
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      GraphTraversalSource g = graph.traversal();
      Vertex hub = g.addV("directory").property(T.id, "hub").next();
      for (int i = 0; i < 200; i++) {
        hub.addEdge("contains", g.addV("file").property(T.id, i).next());
      }
      graph.tx().commit();
      List<Map<String, Object>> rows = rows(g.call(PLACEMENT));
      assertThat(rows.subList(0, 6))
          .extracting("of")
          .containsExactly("graph", "shard", "shard", "shard", "shard", "vertex");
      Map<String, Object> hottest = rows.get(5);
      assertThat(hottest).containsEntry("id", "hub").containsEntry("outEntries", 200L);
      List<?> out = (List<?>) hottest.get("out");
      assertThat(out).hasSize(4);
      long entries = 0;
      for (Object each : out) {
        entries += (Long) ((Map<?, ?>) each).get("entries");
      }
      assertThat(entries).isEqualTo(200);
      assertThat(((Map<?, ?>) out.get(0)).get("shard")).isEqualTo(hottest.get("home"));
      assertThat(((Map<?, ?>) out.get(1)).get("since")).isInstanceOf(OffsetDateTime.class);
      assertThat(rows(g.call(PLACEMENT, Map.of("ids", List.of("hub", 7)))))
          .extracting("id")
          .containsExactly("hub", 7);
      assertThat(rows.subList(1, 5))
          .allSatisfy(row -> assertThat((Long) row.get("outEntries")).isPositive());
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Traversal<?, ?> traversal) {
    return (List<Map<String, Object>>) (List<?>) traversal.toList();
  }
}
