package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each part of a plan means, on a graph small enough to see it. */
final class PlanCursorTest {
  private static final PlanSource GIVEN = new PlanSource.Given(ElementKind.VERTEX);
  private static final PlanStep OUT = new PlanStep.Expand(Direction.OUT, List.of(), false);
  private static final PlanStep OUT_EDGES = new PlanStep.Expand(Direction.OUT, List.of(), true);

  private long a;
  private long b;
  private long c;
  private long d;

  /** Two ways from a to d, over b and c; two edges from a to b; a loop at d. */
  private GraphTransaction begin(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      a = tx.addVertex("a", "file", Map.of("size", 1), Stamp.AT_COMMIT);
      b = tx.addVertex("b", "job", Map.of("size", 2), Stamp.AT_COMMIT);
      c = tx.addVertex("c", "job", Map.of("size", 3), Stamp.AT_COMMIT);
      d = tx.addVertex("d", "file", Map.of("size", 4), Stamp.AT_COMMIT);
      tx.addEdge(null, a, "read", b, Map.of("n", 1), Stamp.AT_COMMIT);
      tx.addEdge(null, a, "read", b, Map.of("n", 2), Stamp.AT_COMMIT);
      tx.addEdge(null, a, "read", c, Map.of("n", 3), Stamp.AT_COMMIT);
      tx.addEdge(null, b, "wrote", d, Map.of("n", 4), Stamp.AT_COMMIT);
      tx.addEdge(null, c, "wrote", d, Map.of("n", 5), Stamp.AT_COMMIT);
      tx.addEdge(null, d, "wrote", d, Map.of("n", 6), Stamp.AT_COMMIT);
      tx.commit();
    }
    return database.begin();
  }

  private static GraphDatabase database(int shards) {
    return GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards));
  }

  private static Plan plan(PlanResult result, PlanStep... steps) {
    return new Plan(GIVEN, List.of(steps), ResultRange.ALL, result);
  }

  private static Map<Long, Long> vertices(GraphTransaction tx, Plan plan, Seeds seeds) {
    Map<Long, Long> found = new TreeMap<>();
    try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), Engine.SYNC)) {
      while (run.next()) {
        found.merge(run.vertex(), run.bulk(), Long::sum);
      }
    }
    return found;
  }

  private static long count(GraphTransaction tx, Plan plan, Seeds seeds) {
    try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), Engine.SYNC)) {
      assertThat(run.next()).isTrue();
      long count = run.bulk();
      assertThat(run.next()).isFalse();
      return count;
    }
  }

  private static Map<List<Object>, Long> values(
      GraphTransaction tx, Plan plan, Seeds seeds, int columns) {
    Map<List<Object>, Long> found = new HashMap<>();
    try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), Engine.SYNC)) {
      while (run.next()) {
        List<Object> tuple = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
          tuple.add(run.value(column));
        }
        assertThat(found.put(tuple, run.bulk())).isNull();
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void waysAreCounted(int shards) {
    try (GraphDatabase database = database(shards);
        GraphTransaction tx = begin(database)) {
      Seeds seeds = Seeds.vertices(a);
      PlanResult elements = new PlanResult.Elements();
      assertThat(vertices(tx, plan(elements, OUT), seeds)).isEqualTo(Map.of(b, 2L, c, 1L));
      assertThat(vertices(tx, plan(elements, OUT, OUT), seeds)).isEqualTo(Map.of(d, 3L));
      assertThat(vertices(tx, plan(elements, OUT, new PlanStep.Dedup(), OUT), seeds))
          .isEqualTo(Map.of(d, 2L));
      assertThat(count(tx, plan(new PlanResult.Count(), OUT, OUT), seeds)).isEqualTo(3);
      assertThat(count(tx, plan(new PlanResult.Count(), OUT_EDGES), seeds)).isEqualTo(3);
      assertThat(
              count(
                  tx,
                  plan(new PlanResult.Count(), OUT, OUT, new PlanStep.Dedup()),
                  Seeds.vertices(a, a, b)))
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void conditionsAreAskedAtHome(int shards) {
    try (GraphDatabase database = database(shards);
        GraphTransaction tx = begin(database)) {
      Seeds seeds = Seeds.vertices(a);
      PlanStep large =
          new PlanStep.Filter(
              new Condition.Property(
                  "size", new ValueTest.Compare(ValueTest.Comparison.GREATER, 2)));
      PlanStep later =
          new PlanStep.Filter(
              new Condition.Property("n", new ValueTest.Compare(ValueTest.Comparison.GREATER, 1)));
      PlanResult elements = new PlanResult.Elements();
      assertThat(vertices(tx, plan(elements, OUT, large), seeds)).isEqualTo(Map.of(c, 1L));
      assertThat(
              vertices(
                  tx,
                  plan(elements, OUT_EDGES, later, new PlanStep.EdgeEnd(PlanStep.End.OTHER)),
                  seeds))
          .isEqualTo(Map.of(b, 1L, c, 1L));
      PlanStep inEdges = new PlanStep.Expand(Direction.IN, List.of(), true);
      assertThat(
              vertices(
                  tx,
                  plan(elements, inEdges, later, new PlanStep.EdgeEnd(PlanStep.End.OUT)),
                  Seeds.vertices(b, d)))
          .isEqualTo(Map.of(a, 1L, b, 1L, c, 1L, d, 1L));
      assertThat(
              vertices(
                  tx,
                  plan(
                      elements,
                      OUT,
                      new PlanStep.Filter(new Condition.Not(new Condition.LabelIn(Set.of("job"))))),
                  seeds))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void loopsEmitAndLeave(int shards) {
    try (GraphDatabase database = database(shards);
        GraphTransaction tx = begin(database)) {
      Seeds seeds = Seeds.vertices(a);
      PlanResult elements = new PlanResult.Elements();
      PlanStep.Repeat times = new PlanStep.Repeat(List.of(OUT), 3, null, false, null, false);
      assertThat(vertices(tx, plan(elements, times), seeds)).isEqualTo(Map.of(d, 3L));
      PlanStep.Repeat emitting =
          new PlanStep.Repeat(List.of(OUT), 2, null, false, new Condition.Always(), true);
      assertThat(vertices(tx, plan(elements, emitting), seeds))
          .isEqualTo(Map.of(a, 1L, b, 2L, c, 1L, d, 3L));
      PlanStep.Repeat reachable =
          new PlanStep.Repeat(
              List.of(OUT, new PlanStep.Dedup()), 0, null, false, new Condition.Always(), false);
      assertThat(vertices(tx, plan(elements, reachable), seeds))
          .isEqualTo(Map.of(b, 1L, c, 1L, d, 1L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void valuesAreGroupedAndOrdered(int shards) {
    try (GraphDatabase database = database(shards);
        GraphTransaction tx = begin(database)) {
      Plan scan =
          new Plan(
              new PlanSource.Scan(ElementKind.VERTEX, List.of()),
              List.of(OUT),
              ResultRange.ALL,
              new PlanResult.Values(
                  List.of(new Projection.Label(), new Projection.FirstValue("size"))));
      assertThat(values(tx, scan, Seeds.NONE, 2))
          .isEqualTo(
              Map.of(
                  List.<Object>of("job", 2), 2L,
                  List.<Object>of("job", 3), 1L,
                  List.<Object>of("file", 4), 3L));
      Plan top =
          plan(
              new PlanResult.Top(List.of(new PlanResult.Ordering("size", true)), 2),
              new PlanStep.Repeat(List.of(OUT), 2, null, false, new Condition.Always(), true));
      try (PlanCursor run = tx.run(top, Seeds.vertices(a), tx.snapshot(), Engine.SYNC)) {
        assertThat(run.next()).isTrue();
        assertThat(run.vertex()).isEqualTo(d);
        assertThat(run.bulk()).isEqualTo(2);
        assertThat(run.next()).isFalse();
      }
    }
  }

  @Test
  void aRangeOfElementsCannotBeToldBySeveralValuesOfOne() {
    try (GraphDatabase database = database(1);
        GraphTransaction tx = begin(database)) {
      Plan values =
          new Plan(
              GIVEN,
              List.of(),
              new ResultRange(0, 2),
              new PlanResult.Values(List.of(new Projection.EachValue("size"))));
      assertThatThrownBy(() -> vertices(tx, values, Seeds.vertices(a)))
          .hasMessageContaining("EachValue[key=size]")
          .hasMessageContaining("expected all");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void rangesEndEarly(int shards) {
    try (GraphDatabase database = database(shards);
        GraphTransaction tx = begin(database)) {
      Plan endless =
          new Plan(
              GIVEN,
              List.of(
                  new PlanStep.Repeat(List.of(OUT), 0, null, false, new Condition.Always(), false)),
              new ResultRange(2, 1000),
              new PlanResult.Elements());
      assertThat(
              vertices(tx, endless, Seeds.vertices(a)).values().stream()
                  .mapToLong(Long::longValue)
                  .sum())
          .isEqualTo(998);
    }
  }
}
