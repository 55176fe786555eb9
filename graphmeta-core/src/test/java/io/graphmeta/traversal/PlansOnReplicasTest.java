package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.node.FollowedShards;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.PlanOracle.Traverser;
import io.graphmeta.traversal.RandomPlans.Case;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random plans over the past of random graphs, run on replicas that follow, compared with the
 * {@link PlanOracle}; while vertices are split, which sends plans to those that lead.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs that graph and its plans alone,
 * {@code -Dgraphmeta.first-seed=N -Dgraphmeta.sequences=N} others.
 */
@Timeout(300)
class PlansOnReplicasTest {
  private static final int GRAPHS = Integer.getInteger("graphmeta.sequences", 3);
  private static final int PLANS = 40;
  private static final int MAX_TRAVERSERS = 20_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"SYNC, false", "SYNC, true", "PREFETCH, false", "ASYNC, false"})
  void theyTellWhatTheOracleTells(Engine engine, boolean paths) throws Exception {
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : Long.getLong("graphmeta.first-seed", 1);
    long last = given != null ? given : first + GRAPHS - 1;
    for (long seed = first; seed <= last; seed++) {
      boolean splits = seed % 2 == 0;
      GraphMetaConfig config =
          GraphMetaConfig.inDirectory(directory.resolve("graph-" + seed))
              .with(Setting.SHARDS, 3)
              .with(Setting.PAGE_BYTES, 1024)
              .with(Setting.SLICE_ELEMENTS, seed % 3 == 0 ? 1 : 5)
              .with(Setting.PLACEMENT, splits ? "dido" : "vertex-cut")
              .with(Setting.SPLIT_THRESHOLD, 4);
      try (FollowedShards shards =
          new FollowedShards(directory.resolve("stores-" + seed), config, seed)) {
        compare(shards, seed, engine, paths, splits);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dgraphmeta.seed=" + seed + ", " + engine, e);
      }
    }
  }

  private static void compare(
      FollowedShards shards, long seed, Engine engine, boolean paths, boolean splits)
      throws InterruptedException {
    Random random = new Random(seed);
    List<ReadView> past = new ArrayList<>(RandomGraph.fill(shards::begin, random));
    if (splits) {
      shards.splitNow();
    }
    int compared = 0;
    for (int i = 0; i < PLANS; i++) {
      if (i % (PLANS / 4) == 0) {
        shards.restartFollowers();
        awaitPast(shards); // behind the splits, so that replicas answer
      }
      try (GraphTransaction tx = shards.begin()) {
        ReadView view = past.get(random.nextInt(past.size()));
        compared += compare(tx, view, random, engine, paths) ? 1 : 0;
      }
      if (splits && i == PLANS / 2) {
        growHub(shards);
        shards.splitNow();
      }
    }
    assertThat(compared).as("plans compared").isGreaterThan(PLANS / 2);
    assertThat(shards.begun()).as("plans begun on replicas").isGreaterThanOrEqualTo(compared / 2);
    assertThat(shards.answered()).as("messages that replicas answered").isGreaterThan(compared);
    if (!splits) {
      assertThat(shards.refused()).as("messages that replicas refused").isZero();
    }
    assertThat(shards.openTraversals()).as("traversals that were left").isZero();
  }

  /** Gives a vertex so many edges that it is split. */
  private static void growHub(FollowedShards shards) {
    try (GraphTransaction tx = shards.begin()) {
      long hub = GraphImage.read(tx, tx.snapshot()).vertices().get(0);
      for (int i = 0; i < 40; i++) {
        long job = tx.addVertex(null, "job", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, job, RandomGraph.EDGE_LABELS.get(0), hub, Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  /** Waits until replicas have all up to now. */
  private static void awaitPast(FollowedShards shards) throws InterruptedException {
    try (GraphTransaction tx = shards.begin()) {
      tx.addVertex(null, "mark", Map.of(), Stamp.AT_COMMIT);
      shards.awaitSettled(tx.commit());
    }
  }

  private static boolean compare(
      GraphTransaction tx, ReadView view, Random random, Engine engine, boolean paths) {
    GraphImage image = GraphImage.read(tx, view);
    Case drawn = new RandomPlans(random, image, paths).next();
    PlanOracle oracle = new PlanOracle(image, MAX_TRAVERSERS);
    List<Traverser> expected;
    try {
      expected = oracle.run(drawn.plan(), drawn.seeds());
    } catch (PlanOracle.TooMuch e) {
      return false;
    }
    Demand demand = random.nextBoolean() ? Demand.ALL : Demand.AS_ASKED;
    try (PlanCursor run = tx.run(drawn.plan(), drawn.seeds(), view, engine, demand)) {
      new ExpectedResults(drawn.plan(), image, oracle, expected).requireEqual(run);
      return true;
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.TRAVERSAL_LOST) { // a vertex was split when results had come
        return false;
      }
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(drawn + " as of " + view + ", " + demand, e);
    }
  }
}
