package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.ReadView;
import io.graphmeta.traversal.PlanOracle.Traverser;
import io.graphmeta.traversal.RandomPlans.Case;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random plans over random graphs, now and in the past, compared with the {@link PlanOracle}.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs that graph and its plans alone. A
 * build runs the same seeds each time; {@code -Dgraphmeta.first-seed=N -Dgraphmeta.sequences=N}
 * runs others.
 */
class PlanModelTest {
  private static final int GRAPHS = Integer.getInteger("graphmeta.sequences", 24);
  private static final int PLANS = 40;
  private static final int MAX_TRAVERSERS = 20_000;

  /** Elements in the first slice: few, so that there are many slices, or more than there are. */
  private static final int[] SLICES = {1, 2, 7, 64};

  @ParameterizedTest
  @CsvSource({
    "1, SYNC, false",
    "4, SYNC, false",
    "1, SYNC, true",
    "4, SYNC, true",
    "4, PREFETCH, false",
    "4, ASYNC, false"
  })
  void inMemory(int shards, Engine engine, boolean paths) {
    run(GRAPHS, engine, paths, seed -> memory(shards));
  }

  @ParameterizedTest
  @CsvSource({
    "1, SYNC, false",
    "4, SYNC, false",
    "1, SYNC, true",
    "4, SYNC, true",
    "4, PREFETCH, false",
    "4, ASYNC, false"
  })
  void asBytesThroughThreadsOfTheShard(int shards, Engine engine, boolean paths) {
    run(
        GRAPHS / 4,
        engine,
        paths,
        seed -> memory(shards).with(Setting.ENCODE_MESSAGES, true).with(Setting.SHARD_THREADS, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "1, SYNC, false",
    "4, SYNC, false",
    "1, SYNC, true",
    "4, SYNC, true",
    "4, PREFETCH, false",
    "4, ASYNC, false"
  })
  void onDisk(int shards, Engine engine, boolean paths, @TempDir Path directory) {
    run(
        Math.max(1, GRAPHS / 20),
        engine,
        paths,
        seed ->
            GraphMetaConfig.inDirectory(directory.resolve("graph-" + seed))
                .with(Setting.SHARDS, shards)
                .with(Setting.DURABILITY, "background"));
  }

  @ParameterizedTest
  @CsvSource({
    "4, SYNC, false",
    "3, SYNC, true",
    "5, PREFETCH, false",
    "4, ASYNC, false",
  })
  void withTheEdgesOfEachVertexOnAllShards(int shards, Engine engine, boolean paths) {
    run(
        Math.max(1, GRAPHS / 2),
        engine,
        paths,
        seed -> memory(shards).with(Setting.PLACEMENT, "vertex-cut"));
  }

  @ParameterizedTest
  @CsvSource({"1, SYNC, false", "4, SYNC, false", "4, PREFETCH, false", "4, ASYNC, false"})
  void withStepsSharedBySeveralThreads(int shards, Engine engine, boolean paths) {
    run(GRAPHS / 4, engine, paths, seed -> sharedSteps(shards));
  }

  /** Vertices begin split, and are split further while plans are run. */
  @ParameterizedTest
  @CsvSource({
    "4, dido, SYNC, false",
    "3, dido, SYNC, true",
    "5, dido, PREFETCH, false",
    "4, dido, ASYNC, false",
    "4, giga, PREFETCH, false",
    "3, giga, SYNC, true",
  })
  void whileVerticesAreSplit(int shards, String placement, Engine engine, boolean paths) {
    run(
        Math.max(1, GRAPHS / 2),
        engine,
        paths,
        seed -> memory(shards).with(Setting.PLACEMENT, placement).with(Setting.SPLIT_THRESHOLD, 2));
  }

  private static GraphMetaConfig memory(int shards) {
    return GraphMetaConfig.inMemory().with(Setting.SHARDS, shards);
  }

  private static GraphMetaConfig sharedSteps(int shards) {
    return memory(shards).with(Setting.TRAVERSAL_THREADS, 3).with(Setting.SHARED_STEP_ELEMENTS, 2);
  }

  private interface Configs {
    GraphMetaConfig of(long seed);
  }

  private static void run(int graphs, Engine engine, boolean paths, Configs configs) {
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : Long.getLong("graphmeta.first-seed", 1);
    long last = given != null ? given : first + graphs - 1;
    int compared = 0;
    for (long seed = first; seed <= last; seed++) {
      // Small pages, so that whatever is answered in pages goes over several.
      GraphMetaConfig config =
          configs
              .of(seed)
              .with(Setting.PAGE_BYTES, 1024)
              .with(Setting.SLICE_ELEMENTS, SLICES[(int) (seed % SLICES.length)]);
      try (GraphDatabase database = GraphDatabases.open(config)) {
        compared += new Comparison(seed, engine, paths, database).run();
      }
    }
    assertThat(compared).as("plans compared").isGreaterThan((int) (last - first + 1) * PLANS / 2);
  }

  /** The plans of one graph. */
  private static final class Comparison {
    private final long seed;
    private final Engine engine;
    private final boolean paths;
    private final GraphDatabase database;
    private final Random random;

    Comparison(long seed, Engine engine, boolean paths, GraphDatabase database) {
      this.seed = seed;
      this.engine = engine;
      this.paths = paths;
      this.database = database;
      this.random = new Random(seed);
    }

    int run() {
      List<ReadView> views = new ArrayList<>(RandomGraph.fill(database::begin, random));
      int compared = 0;
      try (GraphTransaction tx = database.begin()) {
        views.add(tx.snapshot());
        views.add(tx.snapshot());
        for (int i = 0; i < PLANS; i++) {
          if (i == PLANS / 2) {
            database.splitNow();
          }
          ReadView view = views.get(random.nextInt(views.size()));
          GraphImage image = GraphImage.read(tx, view);
          Case drawn = new RandomPlans(random, image, paths).next();
          PlanOracle oracle = new PlanOracle(image, MAX_TRAVERSERS);
          List<Traverser> expected;
          try {
            expected = oracle.run(drawn.plan(), drawn.seeds());
          } catch (PlanOracle.TooMuch e) {
            continue;
          }
          compare(tx, view, image, oracle, drawn, expected);
          compared++;
        }
      }
      return compared;
    }

    private void compare(
        GraphTransaction tx,
        ReadView view,
        GraphImage image,
        PlanOracle oracle,
        Case drawn,
        List<Traverser> expected) {
      Demand demand = random.nextBoolean() ? Demand.ALL : Demand.AS_ASKED;
      try (PlanCursor run = tx.run(drawn.plan(), drawn.seeds(), view, engine, demand)) {
        new ExpectedResults(drawn.plan(), image, oracle, expected).requireEqual(run);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed "
                + seed
                + " fails with engine "
                + engine
                + ", demand "
                + demand
                + " and "
                + database.config().get(Setting.SHARDS)
                + " shards; replay with -Dgraphmeta.seed="
                + seed
                + "\n  "
                + drawn
                + "\n  as of "
                + view,
            e);
      }
    }
  }

  @Test
  void aSeedDrawsTheSamePlansEveryTime() {
    List<String> once = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      try (GraphDatabase database = GraphDatabases.open(memory(1));
          GraphTransaction tx = database.begin()) {
        Random random = new Random(7);
        RandomPlans plans = new RandomPlans(random, GraphImage.read(tx, tx.snapshot()), true);
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          drawn.add(plans.next().toString());
        }
        if (time == 0) {
          once = drawn;
        }
        assertThat(drawn).isEqualTo(once);
      }
    }
  }
}
