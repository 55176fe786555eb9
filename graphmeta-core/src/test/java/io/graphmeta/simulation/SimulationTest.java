package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.simulation.Simulation.Outcome;
import org.junit.jupiter.api.Test;

/**
 * Plays seeds. {@code -Dgraphmeta.seeds=N} plays N of them, {@code -Dgraphmeta.first-seed=S} from
 * another one on, {@code -Dgraphmeta.seed=S} one of them.
 */
final class SimulationTest {

  @Test
  void everySeedKeepsTheInvariants() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one != null ? one : Long.getLong("graphmeta.first-seed", 1);
    long count = one != null ? 1 : Long.getLong("graphmeta.seeds", 200);
    Outcome sum = SeedRunner.playAll(first, count, () -> Sabotage.NONE);
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

  @Test
  void aSeedPlaysTheSameRunEveryTime() {
    SeedRunner runner = new SeedRunner();
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(runner.fingerprint(seed, Sabotage.NONE))
          .as("seed %d", seed)
          .isEqualTo(runner.fingerprint(seed, Sabotage.NONE));
    }
  }
}
