package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.traversal.RandomPlans.Case;
import io.graphmeta.tx.GraphTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random plans whose runs are lost by shards, or with connections: they come to what they must, or
 * end with an error that says to run them again, and that only if a result was returned before.
 * Others are refused by a shard at any moment. No shard keeps anything of a run that failed, though
 * nobody closes it.
 */
final class LostTraversalsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.rounds", 6);
  private static final int PLANS = 40;
  private static final int MAX_TRAVERSERS = 20_000;

  /** Fewer than the runs that a client begins. */
  private static final int LOSSES = 4;

  /** How long ends of traversals are waited for, which are late as all messages are. */
  private static final int ENDS_MILLIS = 20_000;

  @ParameterizedTest
  @EnumSource(Engine.class)
  void theyAreRunAgainUnlessAResultWasReturned(Engine engine) {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    Tally tally = runPlans(first, engine, TestCluster::lose);
    assertThat(tally.again).as("run again, -Dgraphmeta.seed=%d", first).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void whatIsRefusedIsEndedAtTheShards(Engine engine) {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    Tally tally = runPlans(first, engine, TestCluster::refuse);
    assertThat(tally.refused).as("refused, -Dgraphmeta.seed=%d", first).isPositive();
  }

  /** Lets a cluster fail so many times. */
  private interface Fault extends ObjIntConsumer<TestCluster> {}

  private static final class Tally {
    int compared;
    int again;
    int told;
    int refused;

    @Override
    public String toString() {
      return compared
          + " plans, "
          + again
          + " lost and run again, "
          + told
          + " ended for that, "
          + refused
          + " refused";
    }
  }

  private static Tally runPlans(long first, Engine engine, Fault fault) {
    Tally tally = new Tally();
    for (int round = 0; round < ROUNDS; round++) {
      runPlans(first + round, engine, fault, tally);
    }
    System.out.println(engine + ", first seed " + first + ": " + tally);
    return tally;
  }

  private static void runPlans(long seed, Engine engine, Fault fault, Tally tally) {
    Random random = new Random(seed);
    try (TestCluster cluster = new TestCluster(4, seed, 200, 10_000)) {
      List<ReadView> views = new ArrayList<>(RandomGraph.fill(cluster::begin, random));
      try (GraphTransaction tx = cluster.begin()) {
        views.add(tx.snapshot());
        for (int i = 0; i < PLANS; i++) {
          ReadView view = views.get(random.nextInt(views.size()));
          GraphImage image = GraphImage.read(tx, view);
          Case drawn = new RandomPlans(random, image, i % 4 == 0).next();
          PlanOracle oracle = new PlanOracle(image, MAX_TRAVERSERS);
          try {
            ExpectedResults expected =
                new ExpectedResults(
                    drawn.plan(), image, oracle, oracle.run(drawn.plan(), drawn.seeds()));
            int losses = random.nextInt(LOSSES + 1);
            fault.accept(cluster, losses);
            Demand demand = random.nextBoolean() ? Demand.ALL : Demand.AS_ASKED;
            @Nullable ErrorCode error = errorOf(tx, drawn, view, engine, demand, expected);
            tally.compared++;
            if (error == ErrorCode.LIMIT_EXCEEDED) {
              tally.refused++;
            } else if (error != null) {
              tally.told++;
            } else if (cluster.lossesLeft() < losses) {
              tally.again++;
            }
            requireNoneOpen(cluster);
          } catch (PlanOracle.TooMuch e) {
            continue;
          } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dgraphmeta.seed=" + seed + ", " + drawn, e);
          } finally {
            fault.accept(cluster, 0);
          }
        }
      }
    }
  }

  /** Compares; the error that the run ended with, if it may end with one. Closes no such run. */
  private static @Nullable ErrorCode errorOf(
      GraphTransaction tx,
      Case drawn,
      ReadView view,
      Engine engine,
      Demand demand,
      ExpectedResults expected) {
    AtomicBoolean returned = new AtomicBoolean();
    PlanCursor run = null;
    try {
      run = tx.run(drawn.plan(), drawn.seeds(), view, engine, demand);
      expected.requireEqual(watched(run, returned));
      run.close();
      return null;
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.LIMIT_EXCEEDED) {
        assertThat(e.code().endsOneRun()).as("%s", e).isTrue();
        assertThat(returned).as("%s", e).isTrue();
      }
      PlanCursor failed = run;
      if (failed != null) {
        assertThatThrownBy(failed::next)
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                again -> assertThat(again.code()).isEqualTo(ErrorCode.CLOSED));
      }
      return e.code();
    }
  }

  private static void requireNoneOpen(TestCluster cluster) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ENDS_MILLIS);
    while (cluster.isBusy()) {
      assertThat(System.nanoTime())
          .as("shards keep %d traversals", cluster.openTraversals())
          .isLessThan(deadline);
      LockSupport.parkNanos(100_000);
    }
  }

  private static PlanCursor watched(PlanCursor run, AtomicBoolean returned) {
    return (PlanCursor)
        Proxy.newProxyInstance(
            PlanCursor.class.getClassLoader(),
            new Class<?>[] {PlanCursor.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(run, arguments);
                if (method.getName().equals("next") && (Boolean) result) {
                  returned.set(true);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
