package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What paths cost, and where they end, on graphs in which there are more of them than can be. */
class PathCursorTest {
  private static final int SIZE = 60;

  /** A graph in which every vertex leads to every other. */
  private static List<Long> complete(GraphDatabase database) {
    List<Long> vertices = new ArrayList<>();
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < SIZE; i++) {
        vertices.add(tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT));
      }
      for (long out : vertices) {
        for (long in : vertices) {
          if (in != out) {
            tx.addEdge(null, out, "to", in, Map.of(), Stamp.AT_COMMIT);
          }
        }
      }
      tx.commit();
    }
    return vertices;
  }

  /** All paths without a vertex twice, of any length. */
  private static Plan simplePaths(ResultRange range, PlanResult result) {
    PlanStep out = new PlanStep.Expand(Direction.OUT, List.of(), false);
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX),
        List.of(
            new PlanStep.Repeat(
                List.of(out, new PlanStep.DistinctPath(true)),
                0,
                null,
                false,
                new Condition.Always(),
                false)),
        range,
        result);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void fewPathsOfVeryManyCostFewEdges(int shards) {
    try (GraphDatabase database =
        GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards))) {
      List<Long> vertices = complete(database);
      Plan plan = simplePaths(new ResultRange(0, 10), new PlanResult.Paths());
      try (GraphTransaction tx = database.begin();
          PlanCursor run =
              tx.run(plan, Seeds.vertices(vertices.get(0)), tx.snapshot(), Engine.SYNC)) {
        int found = 0;
        while (run.next()) {
          List<Object> path = run.path();
          assertThat(new HashSet<>(path)).hasSameSizeAs(path).hasSizeGreaterThan(1);
          found++;
        }
        assertThat(found).isEqualTo(10);
        long edges = run.profile().parts().stream().mapToLong(TraversalProfile.Part::edges).sum();
        assertThat(edges).as("edges read").isBetween(1L, SIZE * SIZE / 2L);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aPathSharesItsBeginningWithTheOneBefore(int shards) {
    try (GraphDatabase database =
        GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards))) {
      List<Long> vertices = complete(database);
      Plan plan = simplePaths(new ResultRange(3, 5_000), new PlanResult.Paths());
      try (GraphTransaction tx = database.begin();
          PlanCursor run =
              tx.run(plan, Seeds.vertices(vertices.get(0)), tx.snapshot(), Engine.SYNC)) {
        List<Object> before = List.of();
        int elements = 0;
        int told = 0;
        while (run.next()) {
          int shared = run.pathShared();
          List<Object> path = new ArrayList<>(before.subList(0, shared));
          path.addAll(run.path(shared));
          assertThat(path).isEqualTo(run.path());
          elements += path.size();
          told += path.size() - shared;
          before = path;
        }
        assertThat(told).as("of %s elements of paths not shared", elements).isLessThan(20_000);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void moreEndsOfPathsThanAClientMayKeepAreRefused(int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, shards).with(Setting.MAX_FRONTIER, 20_000);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Long> vertices = complete(database);
      Plan plan = simplePaths(ResultRange.ALL, new PlanResult.Count());
      try (GraphTransaction tx = database.begin();
          PlanCursor run =
              tx.run(plan, Seeds.vertices(vertices.get(0)), tx.snapshot(), Engine.SYNC)) {
        assertThatThrownBy(run::next)
            .isInstanceOf(GraphMetaException.class)
            .hasMessageContaining("20000 ends of paths")
            .extracting(e -> ((GraphMetaException) e).code())
            .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aVertexWithMoreEdgesThanAPageIsFollowedToTheEnd(int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, shards).with(Setting.PAGE_BYTES, 1024);
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphTransaction writing = database.begin()) {
      long hub = writing.addVertex("hub", "file", Map.of(), Stamp.AT_COMMIT);
      for (int i = 0; i < 1000; i++) {
        long leaf = writing.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
        writing.addEdge(null, hub, "to", leaf, Map.of(), Stamp.AT_COMMIT);
      }
      writing.commit();
      try (GraphTransaction tx = database.begin();
          PlanCursor run =
              tx.run(
                  simplePaths(ResultRange.ALL, new PlanResult.Paths()),
                  Seeds.vertices(hub),
                  tx.snapshot(),
                  Engine.SYNC)) {
        HashSet<List<Object>> paths = new HashSet<>();
        while (run.next()) {
          assertThat(paths.add(run.path())).isTrue();
        }
        assertThat(paths).hasSize(1000);
      }
    }
  }
}
