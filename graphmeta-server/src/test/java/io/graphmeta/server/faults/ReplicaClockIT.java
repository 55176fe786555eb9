package io.graphmeta.server.faults;

import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clocks of nodes that are wrong, jump and go at a wrong pace, while clients write and read a
 * cluster that keeps three replicas of each shard. {@code -Dgraphmeta.clock-rounds=N} sets how
 * often; with {@code -Dgraphmeta.moves-beside=true} replicas go to other nodes, of which there are
 * four, before each. Needs libfaketime.
 */
@RunsAlone
@Timeout(86_400)
class ReplicaClockIT {
  private static final int ROUNDS = Integer.getInteger("graphmeta.clock-rounds", 1);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final boolean MOVES = Boolean.getBoolean("graphmeta.moves-beside");
  private static final int NODES = MOVES ? 4 : 3;
  private static final int SHARDS = 4;
  private static final int REPLICAS = 3;
  private static final long LEAST_MILLIS = 3_000;
  private static final long DRAWN_MILLIS = 3_000;

  /** Less than half of what clocks may differ, so that two of them do not differ by more. */
  private static final List<Double> LITTLE = List.of(0.2, -0.2);

  /** More than clocks may differ. */
  private static final List<Double> MUCH = List.of(2.0, -2.0, 3600.0, -3600.0);

  /** By which part of each second a clock goes too fast, or too slowly. */
  private static final List<Double> DRIFTS = List.of(0.005, -0.005);

  @TempDir private Path directory;

  @Test
  void clientsAreToldTheTruthWhateverTheTime() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, SHARDS, REPLICAS);
    try (FaultyClocks clocks = FaultyClocks.in(directory.resolve("clocks"));
        FaultyCluster cluster = new FaultyCluster(directory, SEED, shape);
        Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int round = 0; round < ROUNDS; round++) {
        for (Fault fault : faults(clocks, random)) {
          nemesis.run(List.of(MOVES ? Moves.beside(cluster, random, fault) : fault));
        }
      }
      System.out.println(nemesis.tally());
      load.finish();
      load.close();
      cluster.assertReplicasAgree();
    }
  }

  private static List<Fault> faults(FaultyClocks clocks, Random random) {
    List<Fault> faults = new ArrayList<>();
    LITTLE.forEach(seconds -> faults.add(wrong(clocks, random, seconds)));
    MUCH.forEach(seconds -> faults.add(wrong(clocks, random, seconds)));
    DRIFTS.forEach(part -> faults.add(drifting(clocks, random, part)));
    Collections.shuffle(faults, random);
    return faults;
  }

  private static Fault wrong(FaultyClocks clocks, Random random, double seconds) {
    int node = 1 + random.nextInt(NODES);
    return new Fault(
        String.format("clock of n%d wrong by %+.1f s", node, seconds),
        node,
        LEAST_MILLIS + random.nextLong(DRAWN_MILLIS),
        () -> clocks.set(node, seconds),
        () -> clocks.right(node));
  }

  private static Fault drifting(FaultyClocks clocks, Random random, double part) {
    int node = 1 + random.nextInt(NODES);
    return new Fault(
        String.format("clock of n%d drifting by %+.1f ms a second", node, 1_000 * part),
        node,
        LEAST_MILLIS + random.nextLong(DRAWN_MILLIS),
        () -> clocks.drift(node, part),
        () -> clocks.right(node));
  }
}
