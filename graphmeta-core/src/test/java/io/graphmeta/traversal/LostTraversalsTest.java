package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.traversal.RandomPlans.Case;
import io.graphmeta.tx.GraphTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random plans whose runs are lost by shards, or with connections: they come to what they must, or
 * end with an error that says to run them again, and that only if a result was returned before.
 */
final class LostTraversalsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.rounds", 6);
  private static final int PLANS = 40;
  private static final int MAX_TRAVERSERS = 20_000;

  /** Fewer than the runs that a client begins. */
  private static final int LOSSES = 4;

  @ParameterizedTest
  @EnumSource(Engine.class)
  void theyAreRunAgainUnlessAResultWasReturned(Engine engine) {
    long first = Long.getLong("graphmeta.seed", System.nanoTime());
    Tally tally = new Tally();
    for (int round = 0; round < ROUNDS; round++) {
      runPlans(first + round, engine, tally);
    }
    System.out.println(engine + ", first seed " + first + ": " + tally);
    assertThat(tally.again).as("run again, -Dgraphmeta.seed=%d", first).isPositive();
  }

  private static final class Tally {
    int compared;
    int again;
    int told;

    @Override
    public String toString() {
      return compared + " plans, " + again + " lost and run again, " + told + " ended for that";
    }
  }

  private static void runPlans(long seed, Engine engine, Tally tally) {
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
            cluster.lose(losses);
            Demand demand = random.nextBoolean() ? Demand.ALL : Demand.AS_ASKED;
            boolean told = isEndedAfterAResult(tx, drawn, view, engine, demand, expected);
            tally.compared++;
            if (told) {
              tally.told++;
            } else if (cluster.lossesLeft() < losses) {
              tally.again++;
            }
          } catch (PlanOracle.TooMuch e) {
            continue;
          } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dgraphmeta.seed=" + seed + ", " + drawn, e);
          } finally {
            cluster.lose(0);
          }
        }
      }
    }
  }

  /** Compares; true if the run ended with an error that it may end with. */
  private static boolean isEndedAfterAResult(
      GraphTransaction tx,
      Case drawn,
      ReadView view,
      Engine engine,
      Demand demand,
      ExpectedResults expected) {
    AtomicBoolean returned = new AtomicBoolean();
    try (PlanCursor run = tx.run(drawn.plan(), drawn.seeds(), view, engine, demand)) {
      expected.requireEqual(watched(run, returned));
      return false;
    } catch (GraphMetaException e) {
      assertThat(e.code().endsOneRun()).as("%s", e).isTrue();
      assertThat(returned).as("%s", e).isTrue();
      return true;
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
