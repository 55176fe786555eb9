package io.graphmeta.server.faults;

import static org.junit.jupiter.api.Assumptions.abort;

import io.graphmeta.engine.LoopDisk;
import io.graphmeta.server.RunsAlone;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private static final String[] SMALL_DISK = {
    "graphmeta.reserved-disk-bytes=16777216", "graphmeta.write-buffer-bytes=1048576"
  };

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
      try (LoopDisk disk = disk(base.resolve("loop"), volatileCache)) {
        losePower(Files.createDirectory(base.resolve("cluster")), disk, cycles, random);
      }
    }
  }

  private static LoopDisk disk(Path base, boolean volatileCache)
      throws IOException, InterruptedException {
    try {
      return LoopDisk.create(Files.createDirectory(base), volatileCache);
    } catch (IOException e) {
      return abort("no file system on a loop device here, which needs root on Linux: " + e);
    }
  }

  private static void losePower(Path processes, LoopDisk disk, int cycles, Random random)
      throws Exception {
    Path ofNode = Files.createDirectory(disk.directory().resolve("node"));
    Files.createSymbolicLink(processes.resolve("n" + NODE), ofNode);
    try (FaultyCluster cluster = new FaultyCluster(processes, SEED, SMALL_DISK);
        Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int cycle = 0; cycle < cycles; cycle++) {
        nemesis.run(List.of(powerLoss(cluster, disk)));
      }
      System.out.println(nemesis.tally());
      load.finish();
    }
  }

  /**
   * The node is stopped before its disk is looked at, so that it acknowledges nothing later that
   * the disk would not hold.
   */
  private static Fault powerLoss(FaultyCluster cluster, LoopDisk disk) {
    return new Fault(
        "power of n" + NODE + " lost",
        NODE,
        0,
        () -> {
          cluster.signal(NODE, "STOP");
          onDisk(
              () -> {
                Path left = disk.snapshot();
                cluster.kill(NODE);
                disk.restartFrom(left);
              });
        },
        () -> cluster.restart(NODE));
  }

  private interface DiskWork {
    void run() throws IOException, InterruptedException;
  }

  private static void onDisk(DiskWork work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts tests
    }
  }
}
