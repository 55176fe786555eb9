package io.graphmeta.server.faults;

import io.graphmeta.server.RunsAlone;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes are killed with SIGKILL and started again while clients that stay write and read: nothing
 * that was acknowledged is lost. {@code -Dgraphmeta.kills=N} sets how often.
 */
@RunsAlone
class ClusterKillIT {
  private static final int KILLS = Integer.getInteger("graphmeta.kills", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  @TempDir private Path directory;

  @Test
  void nothingAcknowledgedIsLostAndNoSumIsEverWrong() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED);
        Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int kill = 0; kill < KILLS; kill++) {
        nemesis.kill();
      }
      System.out.println(nemesis.tally());
      load.finish();
    }
  }
}
