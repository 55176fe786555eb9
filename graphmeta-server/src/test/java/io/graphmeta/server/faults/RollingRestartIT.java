package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All nodes are restarted, one after the other, while clients write and read: nothing is lost, and
 * whoever is told an error can do the same again. {@code -Dgraphmeta.restarts=N} sets how often all
 * are.
 */
@RunsAlone
class RollingRestartIT {
  private static final int ROUNDS = Integer.getInteger("graphmeta.restarts", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  /** A node that does not say that it stops may leave what it was asked without an answer. */
  private static final Set<ErrorCode> OF_TWO_PROTOCOLS =
      Set.of(
          ErrorCode.CONFLICT,
          ErrorCode.SNAPSHOT_TOO_OLD,
          ErrorCode.UNAVAILABLE,
          ErrorCode.UNREACHABLE,
          ErrorCode.TRAVERSAL_LOST,
          ErrorCode.TIMEOUT);

  @TempDir private Path directory;

  /**
   * Of all that goes on when a node is restarted, clients are told of what crossed its word, of
   * traversals that it had a part in, and of what they waited too long for; of nothing that may
   * have been done.
   */
  @Test
  void clientsAreToldNothingButToTryAgain() throws Exception {
    assertThat(restartAll())
        .isSubsetOf(
            ErrorCode.CONFLICT,
            ErrorCode.SNAPSHOT_TOO_OLD,
            ErrorCode.UNAVAILABLE,
            ErrorCode.TRAVERSAL_LOST,
            ErrorCode.TIMEOUT);
  }

  /** A cluster goes back to a protocol of builds before, and over to the present one again. */
  @Test
  void nodesOfTwoProtocolsWorkBesideEachOther() throws Exception {
    String before = "node.highest-protocol=" + (1 + new Random(SEED).nextInt(2));
    assertThat(restartAll(before, "node.compression=lz4")).isSubsetOf(OF_TWO_PROTOCOLS);
  }

  /** The same of nodes with three replicas of each shard: others lead what a node has led. */
  @Test
  void nodesOfReplicasOfTwoProtocolsWorkBesideEachOther() throws Exception {
    String before = "node.highest-protocol=" + (1 + new Random(SEED).nextInt(2));
    LocalCluster.Shape shape = new LocalCluster.Shape(3, 4, 3);
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED, shape)) {
      Set<ErrorCode> told =
          restartAll(cluster, Math.max(1, ROUNDS / 2), before, "node.compression=lz4");
      told.remove(ErrorCode.NOT_LEADER);
      assertThat(told).isSubsetOf(OF_TWO_PROTOCOLS);
    }
  }

  private Set<ErrorCode> restartAll(String... settings) throws Exception {
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED)) {
      return restartAll(cluster, ROUNDS, settings);
    }
  }

  private static Set<ErrorCode> restartAll(FaultyCluster cluster, int rounds, String... settings)
      throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int round = 0; round < rounds; round++) {
        String[] now =
            settings.length == 0 ? settings : new String[] {settings[round % settings.length]};
        nemesis.restartAll(now);
      }
      System.out.println(nemesis.tally());
      load.finish();
      return new TreeSet<>(load.told());
    }
  }
}
