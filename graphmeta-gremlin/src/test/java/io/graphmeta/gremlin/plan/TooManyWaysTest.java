package io.graphmeta.gremlin.plan;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More ways than a long counts: ten vertices, each with an edge to every one, have 10^21 paths of
 * twenty edges. What does not ask for their number is right; what does is told that there is none.
 */
class TooManyWaysTest {
  private static final int VERTICES = 10;
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private GraphMetaGraph graph(int shards) {
    GraphDatabase database =
        GraphDatabases.open(
            GraphMetaConfig.of(
                Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards)));
    GraphMetaGraph graph = GraphMetaGraph.over(database);
    open.add(graph);
    open.add(database);
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(graph.addVertex(T.id, "v" + i, "n", i));
    }
    for (Vertex from : vertices) {
      for (Vertex to : vertices) {
        from.addEdge("e", to);
      }
    }
    graph.tx().commit();
    return graph;
  }

  private static Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> answered() {
    Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> all = new LinkedHashMap<>();
    all.put("10 dedup, count", s -> s.V().repeat(out()).times(20).dedup().count());
    all.put("10 dedup, limit", s -> s.V().repeat(out()).times(20).limit(10).count());
    all.put("0 min", s -> s.V().repeat(out()).times(20).values("n").min());
    all.put("9 max", s -> s.V().repeat(out()).times(20).values("n").max());
    return all;
  }

  private static Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> refused(
      List<Integer> lengths) {
    Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> all = new LinkedHashMap<>();
    for (int rounds : lengths) {
      String name = rounds + " ";
      all.put(name + "count", s -> s.V().repeat(out()).times(rounds).count());
      all.put(name + "groupCount", s -> s.V().repeat(out()).times(rounds).groupCount());
      all.put(name + "by id", s -> s.V().repeat(out()).times(rounds).groupCount().by(T.id));
      all.put(name + "sum", s -> s.V().repeat(out()).times(rounds).values("n").sum());
      all.put(name + "mean", s -> s.V().repeat(out()).times(rounds).values("n").mean());
      all.put(name + "skip", s -> s.V().repeat(out()).times(rounds).skip(5).count());
    }
    return all;
  }

  /** Sums that grow out of a long are refused by Gremlin's own step. */
  private static void isRefused(Throwable thrown) {
    if (thrown instanceof GraphMetaException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.COUNT_OVERFLOW);
    } else {
      assertThat(thrown).isInstanceOf(ArithmeticException.class).hasMessage("long overflow");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void noNumberWrapsRound(int shards) {
    GraphTraversalSource source = graph(shards).traversal();
    for (String engine : List.of("sync", "prefetch", "async")) {
      GraphTraversalSource g = source.with("engine", engine);
      answered()
          .forEach(
              (name, traversal) ->
                  assertThat(((Number) traversal.apply(g).next()).longValue())
                      .as("%s on %d shards, %s", name, shards, engine)
                      .isEqualTo(Long.parseLong(name.substring(0, name.indexOf(' ')))));
      refused(engine.equals("async") ? List.of(18) : List.of(18, 31))
          .forEach(
              (name, traversal) ->
                  assertThatThrownBy(
                          () -> traversal.apply(g).next(),
                          "%s on %d shards, %s",
                          name,
                          shards,
                          engine)
                      .as("%s on %d shards, %s", name, shards, engine)
                      .satisfies(TooManyWaysTest::isRefused));
    }
  }

  /** A transaction with writes of its own is answered by Gremlin's steps, which no shard helps. */
  @Test
  void noNumberWrapsRoundBesideOwnWrites() {
    GraphMetaGraph graph = graph(1);
    graph.addVertex(T.id, "own");
    GraphTraversalSource g = graph.traversal();
    refused(List.of(18, 19, 20, 31, 70))
        .forEach(
            (name, traversal) ->
                assertThatThrownBy(() -> traversal.apply(g).next(), name)
                    .as(name)
                    .satisfies(TooManyWaysTest::isRefused));
    assertThat(g.V().repeat(out()).times(17).groupCount().next().values())
        .hasSize(VERTICES)
        .containsOnly(100_000_000_000_000_000L);
    assertThat(g.V().repeat(out()).times(17).skip(5).count().next())
        .isEqualTo(1_000_000_000_000_000_000L - 5);
    assertThat(g.V().repeat(out()).times(17).limit(7).count().next()).isEqualTo(7);
    assertThatThrownBy(() -> g.V().repeat(both()).times(70).count().next())
        .satisfies(TooManyWaysTest::isRefused);
    assertThatThrownBy(() -> g.inject(Long.MAX_VALUE, 1L).sum().next())
        .satisfies(TooManyWaysTest::isRefused);
  }
}
