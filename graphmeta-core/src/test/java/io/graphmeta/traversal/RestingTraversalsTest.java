package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that run traversals, take some of the results, and close some, leave some and come back
 * to some: what the shards keep is bounded, who comes back soon has all results, and who comes back
 * late is told so.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs that one alone.
 */
final class RestingTraversalsTest {
  private static final int SEEDS = Integer.getInteger("graphmeta.sequences", 3);
  private static final int MOST = 12;
  private static final int VERTICES = 60;
  private static final int DEGREE = 4;
  private static final int RUNS = 80;
  private static final int THREADS = 3;

  /** Counts what any thread begins to do with any traversal. */
  private final AtomicLong moments = new AtomicLong();

  /** One that somebody may come back to. */
  private static final class Left {
    final PlanCursor cursor;
    final long wanted;
    long taken;
    long leftAt;

    Left(PlanCursor cursor, long wanted) {
      this.cursor = cursor;
      this.wanted = wanted;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void whatShardsKeepIsBoundedWhateverIsLeft(int shards) {
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : Long.getLong("graphmeta.first-seed", 1);
    long last = given != null ? given : first + SEEDS - 1;
    for (long seed = first; seed <= last; seed++) {
      try (TestCluster cluster = new TestCluster(shards, seed, 200, 60_000, MOST)) {
        runThreads(cluster, shards, seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed " + seed + " fails; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  private void runThreads(TestCluster cluster, int shards, long seed) {
    List<Long> vertices = graph(cluster);
    SplittableRandom random = new SplittableRandom(seed);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom own = random.split();
      threads.add(CompletableFuture.runAsync(() -> run(cluster, vertices, own)));
    }
    threads.forEach(CompletableFuture::join);
    await(cluster, MOST * shards);
  }

  private void run(TestCluster cluster, List<Long> vertices, SplittableRandom random) {
    List<Left> open = new ArrayList<>();
    try (GraphTransaction tx = cluster.begin()) {
      for (int i = 0; i < RUNS; i++) {
        moments.incrementAndGet();
        Left begun = begun(tx, vertices.get(random.nextInt(VERTICES)), random);
        open.add(begun);
        take(begun, random.nextInt(4));
        if (random.nextInt(4) == 0) {
          moments.incrementAndGet();
          open.remove(open.size() - 1).cursor.close();
        }
        for (int times = random.nextInt(3); times > 0 && !open.isEmpty(); times--) {
          int recent = open.size() - 1 - Math.min(random.nextInt(3 * MOST), open.size() - 1);
          take(open.get(recent), 1 + random.nextInt(30));
        }
      }
    }
  }

  private static Left begun(GraphTransaction tx, long from, SplittableRandom random) {
    int hops = 1 + random.nextInt(3);
    long limit = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(40);
    long all = (long) Math.pow(DEGREE, hops);
    Engine engine = Engine.values()[random.nextInt(Engine.values().length)];
    Demand demand = random.nextInt(4) == 0 ? Demand.ALL : Demand.AS_ASKED;
    PlanCursor cursor =
        tx.run(plan(hops, limit), Seeds.vertices(from), tx.snapshot(), engine, demand);
    return new Left(cursor, Math.min(all, limit));
  }

  /** Takes results, if the traversal is one that may still have them. */
  private void take(Left left, int results) {
    if (left.leftAt < 0) {
      return; // it was ended
    }
    long now = moments.incrementAndGet();
    try {
      for (int i = 0; i < results; i++) {
        if (!left.cursor.next()) {
          assertThat(left.taken).isEqualTo(left.wanted);
          break;
        }
        left.taken += left.cursor.bulk();
      }
    } catch (GraphMetaException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED);
      assertThat(e).hasMessageContaining("graphmeta.open-traversals");
      assertThat(moments.get() - left.leftAt).isGreaterThanOrEqualTo(MOST);
      assertThat(left.taken).isLessThan(left.wanted);
      left.leftAt = -1;
      return;
    }
    left.leftAt = now;
  }

  @ParameterizedTest
  @CsvSource({"1,SYNC", "3,SYNC", "3,PREFETCH", "3,ASYNC"})
  void whoTakesAllThatALimitAllowsKeepsNothing(int shards, Engine engine) {
    try (TestCluster cluster = new TestCluster(shards, 2, 200, 60_000, MOST);
        GraphTransaction tx = cluster.begin()) {
      List<Long> vertices = graph(cluster);
      try (GraphTransaction reading = cluster.begin()) {
        for (long vertex : vertices) {
          PlanCursor run =
              reading.run(plan(2, 1), Seeds.vertices(vertex), reading.snapshot(), engine);
          assertThat(run.next()).isTrue();
          await(cluster, 0);
          assertThat(run.next()).isFalse();
        }
      }
    }
  }

  /** Each vertex leads to the next ones of a ring. */
  private static List<Long> graph(TestCluster cluster) {
    List<Long> vertices = new ArrayList<>();
    try (GraphTransaction tx = cluster.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        vertices.add(tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT));
      }
      for (int i = 0; i < VERTICES * DEGREE; i++) {
        long to = vertices.get((i / DEGREE + 1 + 7 * (i % DEGREE)) % VERTICES);
        tx.addEdge(null, vertices.get(i / DEGREE), "next", to, Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    return vertices;
  }

  private static Plan plan(int hops, long limit) {
    PlanStep out = new PlanStep.Expand(Direction.OUT, List.of(), false);
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX),
        List.of(new PlanStep.Repeat(List.of(out), hops, null, false, null, false)),
        new ResultRange(0, limit),
        new PlanResult.Elements());
  }

  /** Messages that end traversals are late, too. */
  private static void await(TestCluster cluster, int most) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (cluster.openTraversals() > most && System.nanoTime() < deadline) {
      LockSupport.parkNanos(100_000);
    }
    assertThat(cluster.openTraversals()).as("open traversals").isLessThanOrEqualTo(most);
  }
}
