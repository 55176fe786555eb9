package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.simulation.SeedRunner.FailedSeed;
import io.graphmeta.simulation.Simulation.Outcome;
import io.graphmeta.simulation.Violation.Invariant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants defects at the ports and expects that the simulation finds each within some seeds, by an
 * invariant that the defect breaks. {@code -Dgraphmeta.planted-seeds=N} tries more seeds.
 */
final class PlantedBugsTest {
  private static final int SEEDS = Integer.getInteger("graphmeta.planted-seeds", 600);
  private static final int MANY_SEEDS = 5_000;
  private static final int CONTROL_SEEDS = Integer.getInteger("graphmeta.control-seeds", 30);

  private final SeedRunner runner = new SeedRunner();

  static Stream<PlantedBug> bugs() {
    return Stream.of(
            DiskBugs.all(),
            ShardBugs.all(),
            IntentBugs.all(),
            ClientBugs.all(),
            ValueBugs.all(),
            SplitBugs.all(),
            TraversalBugs.all(),
            PortBugs.all(),
            LogBugs.all(),
            ReplicaBugs.all(),
            IndexBugs.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void isCaught(PlantedBug bug) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        runner.run(seed, bug.sabotage().get());
      } catch (FailedSeed failed) {
        assertThat(failed.getCause()).as(failed.getMessage()).isInstanceOf(Violation.class);
        Violation violation = (Violation) failed.getCause();
        // Whatever loses a part can leave the others waiting for it for ever.
        if (violation.invariant() != Invariant.SETTLES) {
          assertThat(bug.caughtBy()).as(failed.getMessage()).contains(violation.invariant());
        }
        assertThat(failed.getMessage()).contains("-Dgraphmeta.seed=" + seed);
        System.out.printf("Seed %d catches %s%n", seed, bug);
        return;
      }
    }
    fail("%d seeds have not caught %s", SEEDS, bug);
  }

  static Stream<PlantedBug> rareBugs() {
    return ReplicaBugs.rare().stream();
  }

  @ParameterizedTest
  @MethodSource("rareBugs")
  void isCaughtByManySeeds(PlantedBug bug) {
    assumeTrue(SEEDS >= MANY_SEEDS, "takes thousands of seeds: -Dgraphmeta.planted-seeds=10000");
    isCaught(bug);
  }

  /** What is caught in the world of {@link SplitBugs} is not the fault of that world. */
  @Test
  void nothingIsCaughtWhereNothingIsPlanted() {
    int splits = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      splits += runner.run(seed, new SplitBugs.InSplits()).splits();
    }
    assertThat(splits).as("splits").isGreaterThan(2 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link TraversalBugs}. */
  @Test
  void nothingIsCaughtWhereTraversalsAreRunRightly() {
    int answered = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      Outcome outcome = runner.run(seed, new TraversalBugs.InTraversals());
      answered += outcome.traversals() - outcome.failedTraversals();
    }
    assertThat(answered).as("traversals answered").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link PortBugs}. */
  @Test
  void nothingIsCaughtWhereOnlyPortsFail() {
    int faults = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      faults += runner.run(seed, new PortBugs.InTrouble()).portFaults();
    }
    assertThat(faults).as("faults at ports").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link DiskBugs.InCuts}. */
  @Test
  void nothingIsCaughtWhereLogsAreCutTogether() {
    int overShards = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      overShards += runner.run(seed, new DiskBugs.InCuts()).overShards();
    }
    assertThat(overShards).as("over several shards").isGreaterThan(3 * CONTROL_SEEDS);
  }

  /** Nor where logs fail, in worlds that are longer than most. */
  @Test
  void nothingIsCaughtWhereLogsFail() {
    int overShards = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      overShards += runner.run(seed, new DiskBugs.WithLogsThatFail()).overShards();
    }
    assertThat(overShards).as("over several shards").isGreaterThan(3 * CONTROL_SEEDS);
  }

  /** Nor what is caught where shards begin again before a sync is over. */
  @Test
  void nothingIsCaughtWhereSyncsTakeLong() {
    int acknowledged = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      acknowledged += runner.run(seed, new DiskBugs.WithSyncsThatTakeLong()).acknowledged();
    }
    assertThat(acknowledged).as("commits acknowledged").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link LogBugs}. */
  @Test
  void nothingIsCaughtWhereEntriesAreAppliedLate() {
    int splits = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      splits += runner.run(seed, new LogBugs.Late()).splits();
    }
    assertThat(splits).as("splits").isGreaterThan(CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link ReplicaBugs.WithFormerLeaders}. */
  @Test
  void nothingIsCaughtWhereFormerLeadersAnswer() {
    int asked = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      asked += runner.run(seed, new ReplicaBugs.WithFormerLeaders()).leaders().asked();
    }
    assertThat(asked).as("former leaders asked").isGreaterThan(20 * CONTROL_SEEDS);
  }

  /** Nor what is caught in those of {@link IndexBugs}. */
  @Test
  void nothingIsCaughtWhereShardsHaveIndexes() {
    int asked = 0;
    int splits = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      Outcome outcome = runner.run(seed, new IndexBugs.InIndexes());
      asked += outcome.indexes().asked();
      splits += outcome.splits();
      asked += runner.run(seed, new IndexBugs.InPowerLosses()).indexes().asked();
    }
    assertThat(asked).as("questions that indexes have answered").isGreaterThan(50 * CONTROL_SEEDS);
    assertThat(splits).as("splits").isGreaterThan(2 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link ClientBugs.InBreaks}. */
  @Test
  void nothingIsCaughtWhereConnectionsBreak() {
    int breaks = 0;
    for (long seed = 1; seed <= CONTROL_SEEDS; seed++) {
      breaks += runner.run(seed, new ClientBugs.InBreaks()).breaks();
    }
    assertThat(breaks).as("connections that broke").isGreaterThan(30 * CONTROL_SEEDS);
  }

  @Test
  void thereAreManyOfThem() {
    assertThat(bugs().map(PlantedBug::name).distinct()).hasSizeGreaterThanOrEqualTo(20);
  }
}
