package io.graphmeta.server.faults;

import io.graphmeta.engine.LoopDisk;
import io.graphmeta.server.RunsAlone;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power of one node's machine is lost while clients write, and its disk, whose cache is
 * volatile or not, is left as {@link LoopDisk} tells: nothing that the cluster has acknowledged is
 * lost, and no transaction is there in part. {@code -Dgraphmeta.power.cycles=N} sets how often.
 * Needs root.
 */
@RunsAlone
class ClusterPowerLossIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.power.cycles", 1);
  private static final int CYCLES_OF_A_CLUSTER = 10;
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int NODE = 1;
  @TempDir private Path directory;

  @Test
  void nothingAcknowledgedIsLostWithThePowerOfANode() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_CLUSTER) {
      int cycles = Math.min(CYCLES_OF_A_CLUSTER, CYCLES - first);
      boolean volatileCache = random.nextBoolean();
      System.out.println(volatileCache ? "a disk with a volatile cache" : "a disk without a cache");
      Path base = Files.createDirectory(directory.resolve("run-" + first));
      try (LoopDisk disk = FaultyDisk.disk(base.resolve("loop"), volatileCache)) {
        losePower(Files.createDirectory(base.resolve("cluster")), disk, cycles, random);
      }
    }
  }

  private static void losePower(Path processes, LoopDisk disk, int cycles, Random random)
      throws Exception {
    FaultyDisk.give(disk, processes, NODE);
    try (FaultyCluster cluster = new FaultyCluster(processes, SEED, FaultyDisk.SMALL);
        Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int cycle = 0; cycle < cycles; cycle++) {
        nemesis.run(List.of(new FaultyDisk(cluster, disk, NODE).powerLoss()));
      }
      System.out.println(nemesis.tally());
      load.finish();
    }
  }
}
