package io.graphmeta.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.simulation.SeedRunner.FailedSeed;
import io.graphmeta.simulation.Simulation.Outcome;
import io.graphmeta.simulation.Violation.Invariant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants defects at the ports and expects that the simulation finds each within some seeds, by an
 * invariant that the defect breaks. {@code -Dgraphmeta.planted-seeds=N} tries more seeds.
 *
 * <p>The seed that is known to catch a defect is tried first, since most defects take many. When
 * the simulation changes, another one does, which is found and told; {@code
 * -Dgraphmeta.write-seeds=true} looks for all of them anew, from seed 1, and writes them down.
 */
final class PlantedBugsTest {
  private static final int SEEDS = Integer.getInteger("graphmeta.planted-seeds", 600);
  private static final int CONTROL_SEEDS = Integer.getInteger("graphmeta.control-seeds", 30);

  private static final boolean WRITES_SEEDS = Boolean.getBoolean("graphmeta.write-seeds");
  private static final String KNOWN = "catching-seeds.txt";
  private static final Path KNOWN_FILE =
      Path.of("src/test/resources/io/graphmeta/simulation", KNOWN);
  private static final Map<String, Long> KNOWN_SEEDS = WRITES_SEEDS ? new TreeMap<>() : readSeeds();

  /** Of all tests, which are run one after the other: its threads stay as long as the process. */
  private static final SeedRunner RUNNER = new SeedRunner();

  private static Map<String, Long> readSeeds() {
    Map<String, Long> seeds = new TreeMap<>();
    try (InputStream lines = requireNonNull(PlantedBugsTest.class.getResourceAsStream(KNOWN))) {
      for (String line : new String(lines.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] seedAndName = line.split(" ", 2);
        seeds.put(seedAndName[1], Long.valueOf(seedAndName[0]));
      }
      return seeds;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void writeSeeds() throws IOException {
    if (WRITES_SEEDS) {
      StringBuilder lines = new StringBuilder();
      KNOWN_SEEDS.forEach((name, seed) -> lines.append(seed).append(' ').append(name).append('\n'));
      Files.createDirectories(requireNonNull(KNOWN_FILE.getParent()));
      Files.writeString(KNOWN_FILE, lines);
    }
  }

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
    Long known = KNOWN_SEEDS.get(bug.name());
    if (known != null && isCaught(bug, known)) {
      return;
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      if (isCaught(bug, seed)) {
        System.out.printf("Seed %d catches %s, seed %d does not%n", seed, bug, known);
        KNOWN_SEEDS.put(bug.name(), seed);
        return;
      }
    }
    fail("%d seeds have not caught %s", SEEDS, bug);
  }

  private boolean isCaught(PlantedBug bug, long seed) {
    try {
      RUNNER.run(seed, bug.sabotage().get());
      return false;
    } catch (FailedSeed failed) {
      assertThat(failed.getCause()).as(failed.getMessage()).isInstanceOf(Violation.class);
      Violation violation = (Violation) failed.getCause();
      // Whatever loses a part can leave the others waiting for it for ever.
      if (violation.invariant() != Invariant.SETTLES) {
        assertThat(bug.caughtBy()).as(failed.getMessage()).contains(violation.invariant());
      }
      assertThat(failed.getMessage()).contains("-Dgraphmeta.seed=" + seed);
      return true;
    }
  }

  private static Outcome control(Supplier<Sabotage> world) {
    return SeedRunner.playAll(1, CONTROL_SEEDS, world);
  }

  /** What is caught in the world of {@link SplitBugs} is not the fault of that world. */
  @Test
  void nothingIsCaughtWhereNothingIsPlanted() {
    int splits = control(SplitBugs.InSplits::new).splits();
    assertThat(splits).as("splits").isGreaterThan(2 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link TraversalBugs}. */
  @Test
  void nothingIsCaughtWhereTraversalsAreRunRightly() {
    Outcome outcome = control(TraversalBugs.InTraversals::new);
    int answered = outcome.traversals() - outcome.failedTraversals();
    assertThat(answered).as("traversals answered").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link PortBugs}. */
  @Test
  void nothingIsCaughtWhereOnlyPortsFail() {
    int faults = control(PortBugs.InTrouble::new).portFaults();
    assertThat(faults).as("faults at ports").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link DiskBugs.InCuts}. */
  @Test
  void nothingIsCaughtWhereLogsAreCutTogether() {
    int overShards = control(DiskBugs.InCuts::new).overShards();
    assertThat(overShards).as("over several shards").isGreaterThan(3 * CONTROL_SEEDS);
  }

  /** Nor where logs fail, in worlds that are longer than most. */
  @Test
  void nothingIsCaughtWhereLogsFail() {
    int overShards = control(DiskBugs.WithLogsThatFail::new).overShards();
    assertThat(overShards).as("over several shards").isGreaterThan(3 * CONTROL_SEEDS);
  }

  /** Nor what is caught where shards begin again before a sync is over. */
  @Test
  void nothingIsCaughtWhereSyncsTakeLong() {
    int acknowledged = control(DiskBugs.WithSyncsThatTakeLong::new).acknowledged();
    assertThat(acknowledged).as("commits acknowledged").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link LogBugs}. */
  @Test
  void nothingIsCaughtWhereEntriesAreAppliedLate() {
    int splits = control(LogBugs.Late::new).splits();
    assertThat(splits).as("splits").isGreaterThan(CONTROL_SEEDS);
  }

  /** Nor what is caught in those of {@link ReplicaBugs.WithMoves}. */
  @Test
  void nothingIsCaughtWhereMovesAreCutOff() {
    int moves = control(ReplicaBugs.WithMoves::new).leaders().moves();
    assertThat(moves).as("moves").isGreaterThan(2 * CONTROL_SEEDS);
  }

  /** Nor what is caught where requests wait for leaders. */
  @Test
  void nothingIsCaughtWhereRequestsWaitForLeaders() {
    int acknowledged = control(ReplicaBugs.WithPatience::new).acknowledged();
    assertThat(acknowledged).as("commits acknowledged").isGreaterThan(10 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link ReplicaBugs.WithFormerLeaders}. */
  @Test
  void nothingIsCaughtWhereFormerLeadersAnswer() {
    int asked = control(ReplicaBugs.WithFormerLeaders::new).leaders().asked();
    assertThat(asked).as("former leaders asked").isGreaterThan(20 * CONTROL_SEEDS);
  }

  /** Nor what is caught in those of {@link IndexBugs}. */
  @Test
  void nothingIsCaughtWhereShardsHaveIndexes() {
    Outcome split = control(IndexBugs.InIndexes::new);
    Outcome cut = control(IndexBugs.InPowerLosses::new);
    assertThat(split.indexes().asked() + cut.indexes().asked())
        .as("questions that indexes have answered")
        .isGreaterThan(50 * CONTROL_SEEDS);
    assertThat(split.splits()).as("splits").isGreaterThan(2 * CONTROL_SEEDS);
  }

  /** Nor what is caught in that of {@link ClientBugs.InBreaks}. */
  @Test
  void nothingIsCaughtWhereConnectionsBreak() {
    int breaks = control(ClientBugs.InBreaks::new).breaks();
    assertThat(breaks).as("connections that broke").isGreaterThan(30 * CONTROL_SEEDS);
  }

  @Test
  void thereAreManyOfThem() {
    assertThat(bugs().map(PlantedBug::name).distinct()).hasSizeGreaterThanOrEqualTo(20);
  }
}
