package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.RandomPlans.Case;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the Flight Recorder tells of traversals, beside what their profiles tell.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone.
 */
class RecordedLevelsTest {
  private static final int SHARDS = 4;
  private static final int GRAPHS = Integer.getInteger("graphmeta.sequences", 3);
  private static final int PLANS = 25;
  private static final int VERTICES = 1200;
  private static final int EDGES = 4800;
  private static final int SEEDS = 100;

  @TempDir Path directory;

  /** What a shard did at a level; without its number where there are no levels. */
  private record Level(
      int shard,
      int level,
      long taken,
      long sent,
      long edges,
      long bytes,
      long hits,
      long misses) {}

  private interface Work {
    void run();
  }

  private List<RecordedEvent> record(Work work) {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().startsWith("graphmeta."))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      assertThat(file.toFile().delete()).isTrue();
    }
  }

  private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }

  private static List<Level> recorded(List<RecordedEvent> events, Engine engine) {
    return named("graphmeta.Level", events).stream()
        .map(
            event ->
                new Level(
                    event.getInt("shard"),
                    engine == Engine.ASYNC ? 0 : event.getInt("level"),
                    event.getLong("taken"),
                    event.getLong("sent"),
                    event.getLong("edges"),
                    event.getLong("bytes"),
                    event.getLong("hits"),
                    event.getLong("misses")))
        .toList();
  }

  private static List<Level> told(TraversalProfile profile, Engine engine) {
    return profile.parts().stream()
        .map(
            part ->
                new Level(
                    part.shard(),
                    engine == Engine.ASYNC ? 0 : part.level(),
                    part.frontier(),
                    part.messages(),
                    part.edges(),
                    part.bytes(),
                    part.cacheHits(),
                    part.cacheMisses()))
        .toList();
  }

  private static long[] seeds() {
    Long given = Long.getLong("graphmeta.seed");
    return given != null
        ? new long[] {given}
        : IntStream.rangeClosed(1, GRAPHS).mapToLong(seed -> seed).toArray();
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void levelsOfRandomPlansAreThoseOfTheirProfiles(Engine engine) {
    for (long seed : seeds()) {
      int delay = seed % 2 == 0 ? 2000 : TestCluster.NONE_IS_LATE;
      // The only shard runs all levels at one go.
      int shards = seed % 3 == 0 ? 1 : SHARDS;
      try (TestCluster cluster = new TestCluster(shards, seed, delay, 60_000)) {
        Random random = new Random(seed);
        RandomGraph.fill(cluster::begin, random);
        List<Level> told = new ArrayList<>();
        List<RecordedEvent> events = record(() -> told.addAll(runPlans(cluster, random, engine)));
        assertThat(recorded(events, engine))
            .as("levels of %s, -Dgraphmeta.seed=%d", engine, seed)
            .containsExactlyInAnyOrderElementsOf(told);
        if (engine != Engine.PREFETCH) {
          assertThat(named("graphmeta.ReadAhead", events)).isEmpty();
        }
      }
    }
  }

  private static List<Level> runPlans(TestCluster cluster, Random random, Engine engine) {
    List<Level> told = new ArrayList<>();
    try (GraphTransaction tx = cluster.begin()) {
      GraphImage image = GraphImage.read(tx, tx.snapshot());
      for (int i = 0; i < PLANS; i++) {
        Case drawn = new RandomPlans(random, image, false).next();
        try {
          new PlanOracle(image, 20_000).run(drawn.plan(), drawn.seeds());
        } catch (PlanOracle.TooMuch e) {
          continue;
        }
        try (PlanCursor run =
            tx.run(drawn.plan(), drawn.seeds(), tx.snapshot(), engine, Demand.ALL)) {
          told.addAll(told(run.profile(), engine));
        }
      }
    }
    return told;
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void everyShardRecordsEveryLevelAndOnlyPrefetchingReadsAhead(Engine engine) {
    for (long seed : seeds()) {
      Random random = new Random(seed);
      int steps = 2 + random.nextInt(4);
      GraphMetaConfig config =
          GraphMetaConfig.inDirectory(directory.resolve("graph-" + seed))
              .with(Setting.SHARDS, SHARDS)
              .with(Setting.TRAVERSAL_THREADS, 2);
      long[] start = load(config, random);
      try (GraphDatabase database = GraphDatabases.open(config);
          GraphTransaction tx = database.begin()) {
        List<TraversalProfile> profiles = new ArrayList<>();
        List<RecordedEvent> events =
            record(
                () -> {
                  try (PlanCursor run =
                      tx.run(plan(steps), Seeds.vertices(start), tx.snapshot(), engine)) {
                    profiles.add(run.profile());
                  }
                });
        String what = engine + " of " + steps + " steps, -Dgraphmeta.seed=" + seed;
        requireLevels(what, events, profiles.get(0), steps);
        requireReads(what, events, profiles.get(0));
      }
    }
  }

  private static void requireLevels(
      String what, List<RecordedEvent> events, TraversalProfile profile, int steps) {
    for (int shard = 0; shard < SHARDS; shard++) {
      Set<Integer> levels = new TreeSet<>();
      for (RecordedEvent event : named("graphmeta.Level", events)) {
        if (event.getInt("shard") == shard) {
          levels.add(event.getInt("level"));
          assertThat(event.getDuration().toNanos()).as(what).isPositive();
        }
      }
      Set<Integer> all =
          profile.engine() == Engine.ASYNC
              ? Set.of(0)
              : new TreeSet<>(IntStream.rangeClosed(0, steps).boxed().toList());
      assertThat(levels).as("levels of shard %d, %s", shard, what).isEqualTo(all);
    }
    assertThat(
            named("graphmeta.Level", events).stream()
                .map(event -> event.getLong("client") + "/" + event.getLong("traversal"))
                .distinct())
        .as("traversals, " + what)
        .hasSize(1);
  }

  private static void requireReads(
      String what, List<RecordedEvent> events, TraversalProfile profile) {
    long misses = profile.parts().stream().mapToLong(TraversalProfile.Part::cacheMisses).sum();
    assertThat(sum("lists", named("graphmeta.NeighbourRead", events)))
        .as("lists read, " + what)
        .isEqualTo(misses)
        .isPositive();
    List<RecordedEvent> aheads = named("graphmeta.ReadAhead", events);
    if (profile.engine() == Engine.PREFETCH) {
      // What was read last may be recorded when its thread has left it, which nobody waits for.
      assertThat(sum("vertices", aheads)).as("vertices read ahead, " + what).isPositive();
    } else {
      assertThat(aheads).as("reads ahead, " + what).isEmpty();
    }
    // The last step asks for a property of what was reached.
    assertThat(
            named("graphmeta.RowRead", events).stream()
                .filter(event -> event.getString("family").equals("ATTRIBUTES"))
                .map(event -> event.getInt("shard"))
                .distinct())
        .as("shards that read rows of vertices, " + what)
        .hasSize(SHARDS);
  }

  private static long sum(String field, List<RecordedEvent> events) {
    return events.stream().mapToLong(event -> event.getLong(field)).sum();
  }

  private static Plan plan(int steps) {
    List<PlanStep> all = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      all.add(new PlanStep.Expand(Direction.OUT, List.of(), false));
      all.add(new PlanStep.Dedup());
    }
    all.add(
        new PlanStep.Filter(
            new Condition.Property(
                "number", new ValueTest.Compare(ValueTest.Comparison.GREATER_OR_EQUAL, 0))));
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX), all, ResultRange.ALL, new PlanResult.Count());
  }

  /** Loads a random graph, and closes it, so that nothing of it is in a cache. */
  private static long[] load(GraphMetaConfig config, Random random) {
    long[] keys = new long[VERTICES];
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphTransaction tx = database.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        keys[i] = tx.addVertex(null, "file", Map.of("number", i), Stamp.AT_COMMIT);
      }
      for (int i = 0; i < EDGES; i++) {
        long from = keys[random.nextInt(VERTICES)];
        tx.addEdge(null, from, "next", keys[random.nextInt(VERTICES)], Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    return random.ints(0, VERTICES).distinct().limit(SEEDS).mapToLong(i -> keys[i]).toArray();
  }
}
