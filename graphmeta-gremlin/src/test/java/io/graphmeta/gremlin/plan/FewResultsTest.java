package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Traversals of which few results are wanted, on a graph that they would reach all of. What is
 * asked of the cache of the shards is counted: neighbours and rows, found there or not.
 */
class FewResultsTest {
  private static final int VERTICES = 2_000;
  private static final int DEGREE = 10;

  /** Questions for neighbours and rows: some slices of each shard, and the results. */
  private static final int MOST_READ = 600;

  private static final Map<String, Function<GraphTraversalSource, Object>> FEW =
      new LinkedHashMap<>();

  private static GraphTraversal<?, Vertex> steps(GraphTraversalSource g) {
    return g.V("v0").out().out().out().out();
  }

  static {
    FEW.put("next", g -> steps(g).next());
    FEW.put("hasNext", g -> steps(g).hasNext());
    FEW.put("tryNext", g -> g.V("v0").repeat(__.out()).times(4).tryNext());
    FEW.put("next of values", g -> steps(g).values("name").next());
    FEW.put("next of paths", g -> steps(g).path().next());
    FEW.put("limit", g -> steps(g).limit(5).toList());
    FEW.put("range", g -> steps(g).range(3, 8).toList());
    FEW.put("tail", g -> steps(g).tail(5).toList());
    FEW.put("count of few", g -> steps(g).limit(5).count().next());
    FEW.put("labels of few", g -> steps(g).limit(5).label().toList());
    FEW.put(
        "paths", g -> g.V("v0").repeat(__.out().simplePath()).times(4).path().limit(5).toList());
    FEW.put("from all", g -> g.V().hasLabel("file").out().out().limit(5).toList());
    FEW.put("of all", g -> g.V().hasLabel("file").limit(5).toList());
  }

  private static long read(GraphDatabase database) {
    return database.status().stream()
        .map(shard -> shard.adjacency())
        .mapToLong(cache -> cache.hits() + cache.misses() + cache.rowHits() + cache.rowMisses())
        .sum();
  }

  private static void fill(GraphMetaGraph graph) {
    List<Vertex> vertices = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(graph.addVertex(T.id, "v" + i, T.label, "file", "name", "n" + i));
    }
    for (Vertex vertex : vertices) {
      for (int i = 0; i < DEGREE; i++) {
        vertex.addEdge("to", vertices.get(random.nextInt(VERTICES)));
      }
    }
    graph.tx().commit();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void fewResultsAreReadForAndNotTheGraph(int shards) {
    try (GraphDatabase database =
            GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards));
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      fill(graph);
      for (String engine : List.of("sync", "prefetch", "async")) {
        GraphTraversalSource g = graph.traversal().with("engine", engine);
        FEW.forEach(
            (name, few) -> {
              boolean unlimited = name.contains("ext");
              if (unlimited && engine.equals("async") && shards > 1) {
                return; // has no slices
              }
              long before = read(database);
              assertThat(few.apply(g)).isNotNull();
              graph.tx().rollback();
              assertThat(read(database) - before)
                  .as("read for %s by engine %s on %s shards", name, engine, shards)
                  .isLessThan(MOST_READ);
            });
      }
    }
  }
}
