package io.graphmeta.server.faults;

import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of a cluster that keeps three replicas of each shard, while clients write and read: nodes
 * are killed and stopped, also while replicas go to other nodes, the ways between replicas cut,
 * slow and silent, and two nodes cut from each other. Some of the clients are Gremlin Servers.
 * {@code -Dgraphmeta.nodes=N} and {@code -Dgraphmeta.moves=N} set how many nodes and moves; {@code
 * -Dgraphmeta.operations=N} goes on, with all kinds of faults, until N transactions have ended.
 */
@RunsAlone
@Timeout(86_400)
class ReplicaFaultIT {
  private static final long OPERATIONS = Long.getLong("graphmeta.operations", 0);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int NODES = Integer.getInteger("graphmeta.nodes", 4);
  private static final int MOVES = Integer.getInteger("graphmeta.moves", 2);
  private static final int SHARDS = 4;
  private static final int REPLICAS = 3;
  private static final int PAIRS = 1;
  private static final int SERVERS = 2;

  @TempDir private Path directory;

  @Test
  void clientsAreToldTheTruthWhoeverLeads() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, SHARDS, REPLICAS);
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED, shape);
        GremlinServers servers = cluster.servers(SERVERS);
        Load load =
            new Load(
                cluster,
                random,
                List.of(of -> new ServedSessions(servers, of), SearchedValues::new))) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      nemesis.runMoves(MOVES);
      nemesis.runOfReplicas();
      while (load.isFine() && load.operations() < OPERATIONS) {
        nemesis.runAll(PAIRS);
      }
      System.out.println(nemesis.tally());
      load.finish();
      load.close();
      servers.close();
      cluster.assertReplicasAgree();
    }
  }
}
