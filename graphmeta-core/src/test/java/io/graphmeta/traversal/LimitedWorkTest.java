package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What traversals cost of which few results are wanted, on a graph that they would reach all of:
 * counted in edges read and elements gone on with, not in time.
 */
class LimitedWorkTest {
  private static final int VERTICES = 6_000;
  private static final int VERTICES_A_COMMIT = 500;
  private static final int DEGREE = 12;
  private static final int STEPS = 4;
  private static final PlanStep OUT = new PlanStep.Expand(Direction.OUT, List.of(), false);
  private static final PlanSource GIVEN = new PlanSource.Given(ElementKind.VERTEX);
  private static final PlanSource ALL = new PlanSource.Scan(ElementKind.VERTEX, List.of("file"));
  private static final List<Integer> LIMITS = List.of(1, 10, 200, 2_000);

  /** Each vertex leads to some others, so that four steps lead to all of them. */
  private static GraphDatabase graph(int shards, List<Long> vertices) {
    GraphDatabase database =
        GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards));
    Random random = new Random(1);
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        vertices.add(tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT));
      }
      tx.commit();
    }
    for (int from = 0; from < VERTICES; from += VERTICES_A_COMMIT) {
      try (GraphTransaction tx = database.begin()) {
        for (long vertex : vertices.subList(from, from + VERTICES_A_COMMIT)) {
          for (int i = 0; i < DEGREE; i++) {
            long other = vertices.get(random.nextInt(VERTICES));
            tx.addEdge(null, vertex, "to", other, Map.of(), Stamp.AT_COMMIT);
          }
        }
        tx.commit();
      }
    }
    return database;
  }

  private static Plan plan(PlanSource source, int steps, long limit, PlanResult result) {
    List<PlanStep> all = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      all.add(OUT);
    }
    return new Plan(source, all, new ResultRange(0, limit), result);
  }

  private static long edges(PlanCursor run) {
    return run.profile().parts().stream().mapToLong(TraversalProfile.Part::edges).sum();
  }

  private static long elements(PlanCursor run) {
    return run.profile().parts().stream().mapToLong(TraversalProfile.Part::frontier).sum();
  }

  /**
   * Edges that some results may cost: a first slice of each shard at each step, and a few times the
   * results with their ways, for the slices behind it are larger.
   */
  private static long mostEdges(int shards, long results) {
    return (long) DEGREE * shards * 16 * STEPS + 5 * STEPS * results;
  }

  @ParameterizedTest
  @CsvSource({
    "1, SYNC",
    "4, SYNC",
    "1, PREFETCH",
    "4, PREFETCH",
    "1, ASYNC",
    "4, ASYNC",
  })
  void resultsCostWhatTheyAreAndNotTheGraph(int shards, Engine engine) {
    List<Long> vertices = new ArrayList<>();
    List<PlanResult> results =
        List.of(
            new PlanResult.Elements(),
            new PlanResult.Count(),
            new PlanResult.Paths(),
            new PlanResult.Values(List.of(new Projection.Label())));
    try (GraphDatabase database = graph(shards, vertices);
        GraphTransaction tx = database.begin()) {
      for (PlanResult result : results) {
        for (int limit : LIMITS) {
          for (PlanSource source : List.of(GIVEN, ALL)) {
            Seeds seeds = source == GIVEN ? Seeds.vertices(vertices.get(0)) : Seeds.NONE;
            Plan plan = plan(source, STEPS, limit, result);
            try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), engine)) {
              long found = 0;
              while (run.next()) {
                found += run.bulk();
              }
              assertThat(found).as("results of %s", plan).isEqualTo(limit);
              assertThat(edges(run))
                  .as("edges of %s on %s shards, %s", plan, shards, engine)
                  .isLessThan(mostEdges(shards, limit));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, SYNC", "4, SYNC", "1, PREFETCH", "4, PREFETCH"})
  void theFirstResultCostsFewEdgesAndTheRestAllOfThem(int shards, Engine engine) {
    List<Long> vertices = new ArrayList<>();
    try (GraphDatabase database = graph(shards, vertices);
        GraphTransaction tx = database.begin()) {
      Plan plan = plan(GIVEN, STEPS, Long.MAX_VALUE, new PlanResult.Elements());
      Seeds seeds = Seeds.vertices(vertices.get(0));
      Map<Long, Long> all = new HashMap<>();
      long edgesOfAll;
      try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), engine)) {
        while (run.next()) {
          all.merge(run.vertex(), run.bulk(), Long::sum);
        }
        edgesOfAll = edges(run);
      }
      Map<Long, Long> asked = new HashMap<>();
      try (PlanCursor run = tx.run(plan, seeds, tx.snapshot(), engine, Demand.AS_ASKED)) {
        assertThat(run.next()).isTrue();
        assertThat(edges(run)).as("edges before the first").isLessThan(mostEdges(shards, 16));
        do {
          asked.merge(run.vertex(), run.bulk(), Long::sum);
        } while (run.next());
        assertThat(edges(run)).as("edges of all").isLessThan(2 * edgesOfAll);
      }
      assertThat(asked).isEqualTo(all);
      assertThat(all.values().stream().mapToLong(ways -> ways).sum())
          .isEqualTo((long) Math.pow(DEGREE, STEPS));
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "4"})
  void aScanEndsWithItsFirstPages(int shards) {
    List<Long> vertices = new ArrayList<>();
    try (GraphDatabase database = graph(shards, vertices);
        GraphTransaction tx = database.begin()) {
      Plan plan = plan(ALL, 1, 10, new PlanResult.Elements());
      try (PlanCursor run = tx.run(plan, Seeds.NONE, tx.snapshot(), Engine.SYNC)) {
        while (run.next()) {
          assertThat(run.bulk()).isPositive();
        }
        assertThat(elements(run)).as("elements gone on with").isLessThan(16L * 2 * shards + 1);
      }
    }
  }
}
