package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.simulation.Simulation.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Plays seeds. {@code -Dgraphmeta.seeds=N} plays N of them, {@code -Dgraphmeta.first-seed=S} from
 * another one on, {@code -Dgraphmeta.seed=S} one of them.
 */
final class SimulationTest {

  @Test
  void everySeedKeepsTheInvariants() throws InterruptedException {
    Long one = Long.getLong("graphmeta.seed");
    long first = one != null ? one : Long.getLong("graphmeta.first-seed", 1);
    long count = one != null ? 1 : Long.getLong("graphmeta.seeds", 200);
    AtomicLong next = new AtomicLong(first);
    Outcome[] sums = new Outcome[Math.min(2, Runtime.getRuntime().availableProcessors())];
    Throwable[] failures = new Throwable[sums.length];
    long start = System.nanoTime();
    List<Thread> threads =
        IntStream.range(0, sums.length)
            .mapToObj(
                t ->
                    new Thread(
                        () -> {
                          try {
                            sums[t] = play(next, first + count);
                          } catch (RuntimeException | Error e) {
                            failures[t] = e;
                            next.set(first + count);
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    for (Throwable failure : failures) {
      if (failure instanceof Error error) {
        throw error;
      }
      assertThat(failure).isNull();
    }
    Outcome sum = sums[0];
    for (int t = 1; t < sums.length; t++) {
      sum = sum.plus(sums[t]);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf(
        "%d seeds in %d ms, %d seeds per minute: %s%n",
        count, millis, count * 60_000 / Math.max(1, millis), sum);
    if (one == null) {
      assertThat(sum.acknowledged())
          .as("commits acknowledged")
          .isGreaterThan(sum.transactions() / 10);
      assertThat(sum.traversals()).as("traversals").isGreaterThan((int) (5 * count));
      assertThat(sum.failedTraversals())
          .as("traversals without an answer")
          .isLessThan(sum.traversals() / 5);
      assertThat(sum.portFaults()).as("faults at ports").isGreaterThan((int) (count / 10));
      assertThat(sum.indexes().asked())
          .as("questions that an index has answered")
          .isGreaterThan((int) (5 * count));
      assertThat(sum.indexes().ordered()).as("of them in an order").isGreaterThan((int) count / 4);
      assertThat(sum.indexes().counted()).as("counts of indexes").isGreaterThan((int) count / 4);
      assertThat(sum.leaders().changes()).as("leaders changed").isGreaterThan((int) count / 20);
      assertThat(sum.leaders().asked()).as("former leaders asked").isGreaterThan((int) count / 2);
      assertThat(sum.breaks()).as("connections that broke").isGreaterThan((int) count);
    }
  }

  private static Outcome play(AtomicLong next, long end) {
    SeedRunner runner = new SeedRunner();
    Outcome sum = Outcome.NONE;
    for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
      sum = sum.plus(runner.run(seed));
    }
    return sum;
  }

  @Test
  void aSeedPlaysTheSameRunEveryTime() {
    SeedRunner runner = new SeedRunner();
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(runner.fingerprint(seed)).as("seed %d", seed).isEqualTo(runner.fingerprint(seed));
    }
  }
}
