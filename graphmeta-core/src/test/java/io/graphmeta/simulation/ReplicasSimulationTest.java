package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.simulation.ReplicaBugs.InReplicas;
import io.graphmeta.simulation.Simulation.Outcome;
import org.junit.jupiter.api.Test;

/**
 * Plays seeds in worlds in which each shard has replicas, whose leaders change and which move from
 * node to node. {@code -Dgraphmeta.seeds=N}, {@code -Dgraphmeta.first-seed=S} and {@code
 * -Dgraphmeta.seed=S} as for {@link SimulationTest}.
 */
final class ReplicasSimulationTest {

  @Test
  void everySeedKeepsTheInvariants() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one != null ? one : Long.getLong("graphmeta.first-seed", 1);
    long count = one != null ? 1 : Long.getLong("graphmeta.seeds", 200);
    Outcome sum = SeedRunner.playAll(first, count, InReplicas::new);
    if (one == null) {
      assertThat(sum.acknowledged())
          .as("commits acknowledged")
          .isGreaterThan(sum.transactions() / 10);
      assertThat(sum.overShards()).as("over several shards").isGreaterThan((int) (3 * count));
      assertThat(sum.traversals()).as("traversals").isGreaterThan((int) (5 * count));
      assertThat(sum.leaders().changes()).as("leaders changed").isGreaterThan((int) (5 * count));
      assertThat(sum.leaders().asked()).as("former leaders asked").isGreaterThan((int) count);
      assertThat(sum.leaders().followed())
          .as("answers of replicas that follow")
          .isGreaterThan((int) (5 * count));
      assertThat(sum.leaders().moves()).as("replicas moved").isGreaterThan((int) count / 2);
    }
  }

  @Test
  void aSeedPlaysTheSameRunEveryTime() {
    SeedRunner runner = new SeedRunner();
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(runner.fingerprint(seed, new InReplicas()))
          .as("seed %d", seed)
          .isEqualTo(runner.fingerprint(seed, new InReplicas()));
    }
  }
}
