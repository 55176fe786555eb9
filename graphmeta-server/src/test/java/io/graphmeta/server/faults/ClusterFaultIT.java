package io.graphmeta.server.faults;

import io.graphmeta.server.RunsAlone;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All sorts of things go wrong with the processes of a cluster and the ways between them, one and
 * two at a time, while clients write and read: they are told the truth, within their deadlines, and
 * all goes on by itself when the fault is over.
 *
 * <p>{@code -Dgraphmeta.operations=N} goes on until N transactions have ended, {@code
 * -Dgraphmeta.pause-seconds=70} and {@code -Dgraphmeta.zookeeper-seconds=300} are the longest times
 * for which a node is stopped, and ZooKeeper away.
 */
@RunsAlone
class ClusterFaultIT {
  private static final long OPERATIONS = Long.getLong("graphmeta.operations", 0);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int PAIRS = 1;

  @TempDir private Path directory;

  @Test
  void clientsAreToldTheTruthWhateverGoesWrong() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED);
        Load load = new Load(cluster, random, List.of(SearchedValues::new))) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      do {
        nemesis.runAll(PAIRS);
      } while (load.isFine() && load.operations() < OPERATIONS);
      System.out.println(nemesis.tally());
      load.finish();
    }
  }
}
