package io.graphmeta.server.faults;

import io.graphmeta.engine.LoopDisk;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of one node of a cluster that keeps three replicas of each shard loses its power, is
 * full, stands still and fails, while clients write and read, and is full while another node says
 * nothing: the other nodes go on, and that one has what they have in the end. {@code
 * -Dgraphmeta.disk-rounds=N} sets how often; with {@code -Dgraphmeta.moves-beside=true} replicas go
 * to other nodes, of which there are four, before each. Needs root.
 */
@RunsAlone
@Timeout(86_400)
class ReplicaDiskIT {
  private static final int ROUNDS = Integer.getInteger("graphmeta.disk-rounds", 1);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final boolean MOVES = Boolean.getBoolean("graphmeta.moves-beside");
  private static final int NODES = MOVES ? 4 : 3;
  private static final int NODE = 1;

  @TempDir private Path directory;

  @Test
  void theOthersGoOnWhateverADiskDoes() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    Path processes = Files.createDirectory(directory.resolve("cluster"));
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, 4, 3);
    try (LoopDisk disk = FaultyDisk.disk(directory.resolve("loop"), false)) {
      FaultyDisk.give(disk, processes, NODE);
      try (FaultyCluster cluster = new FaultyCluster(processes, SEED, shape, FaultyDisk.SMALL);
          Load load = new Load(cluster, random, List.of(SearchedValues::new))) {
        FaultyDisk faults = new FaultyDisk(cluster, disk, NODE);
        Nemesis nemesis = new Nemesis(cluster, load, random);
        for (int round = 0; round < ROUNDS; round++) {
          List<Fault> all = new ArrayList<>(faults.all(random));
          Collections.shuffle(all, random);
          for (Fault fault : all) {
            if (MOVES) {
              nemesis.run(List.of(Moves.beside(cluster, random, fault)));
            } else {
              faults.lead();
              nemesis.run(List.of(fault));
            }
          }
          if (!MOVES) {
            faults.lead();
            nemesis.run(faults.fullBesideSilence(random));
          }
        }
        System.out.println(nemesis.tally());
        load.finish();
        load.close();
        cluster.assertReplicasAgree();
      }
    }
  }
}
