package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The degree of a vertex that is split over all shards: each shard counts what it has and sends the
 * number. Messages are counted (pages are small, so that edges would take many), and rows that are
 * read.
 */
class DegreeCountsTest {
  private static final int SHARDS = 4;
  private static final int DEGREE = 600;

  private final GraphDatabase database =
      GraphDatabases.open(
          GraphMetaConfig.inMemory()
              .with(Setting.SHARDS, SHARDS)
              .with(Setting.SPLIT_THRESHOLD, 16)
              .with(Setting.PAGE_BYTES, 1024));
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void fill() {
    Vertex hub = graph.addVertex(T.id, "hub");
    for (int i = 0; i < DEGREE; i++) {
      Vertex leaf = graph.addVertex(T.id, "leaf" + i);
      hub.addEdge(i % 3 == 0 ? "contains" : "links", leaf, "weight", i);
      leaf.addEdge("back", hub);
    }
    graph.tx().commit();
    database.splitNow();
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  private Map<String, Function<GraphTraversal<Vertex, Vertex>, GraphTraversal<?, Long>>> degrees() {
    return Map.of(
        "outE", from -> from.outE().count(),
        "out", from -> from.out().count(),
        "inE", from -> from.inE().count(),
        "in", from -> from.in().count(),
        "contains", from -> from.outE("contains").count(),
        "both", from -> from.bothE().count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"outE", "out", "inE", "in", "contains", "both"})
  void oneNumberComesFromEachShard(String degree) {
    var count = degrees().get(degree);
    assertThat(count).isNotNull();
    long expected = degree.equals("contains") ? DEGREE / 3 : DEGREE;
    expected *= degree.equals("both") ? 2 : 1;
    assertThat(count.apply(g.V("hub")).next()).isEqualTo(expected);
    Map<String, Long> before = database.callsSent();
    assertThat(count.apply(g.V("hub")).next()).isEqualTo(expected);
    Map<String, Long> sent = new HashMap<>(database.callsSent());
    before.forEach((kind, calls) -> sent.merge(kind, -calls, Long::sum));
    // Asked now and then by who splits vertices, and by shards that keep house.
    sent.keySet().removeAll(Set.of("ReadHot", "ReadWatermark", "Inquire", "Resolve"));
    sent.values().removeIf(calls -> calls == 0);
    assertThat(sent.keySet())
        .as("nothing is read but the id, and by the plan")
        .isSubsetOf(
            "Incarnations",
            "StartTraversal",
            "Deliver",
            "RunLevel",
            "FetchResults",
            "EndTraversal");
    assertThat(sent.values())
        .as("not more messages with more edges: " + sent)
        .allMatch(calls -> calls <= SHARDS);

    Metrics plan = count.apply(g.V("hub")).profile().next().getMetrics(0);
    long edges = 0;
    for (Metrics level : plan.getNested()) {
      edges += (Long) level.getAnnotation("edges");
      assertThat(level.getAnnotation("bytes")).as("bytes of rows read").isEqualTo(0L);
    }
    assertThat(edges).isEqualTo(expected);
  }
}
