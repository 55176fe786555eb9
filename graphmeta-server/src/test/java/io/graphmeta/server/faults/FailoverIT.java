package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.LeaderMoves;
import io.graphmeta.server.cluster.RunningCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of a cluster with three replicas of each shard are killed and started again, or stopped as
 * an administrator does it, while a writer for each shard counts up: each goes on at another node,
 * is never told that an outcome is unknown, and nothing acknowledged is lost. {@code
 * -Dgraphmeta.kills=N} and {@code -Dgraphmeta.transfers=N} set how often.
 */
@RunsAlone
@Timeout(3_600)
class FailoverIT {
  private static final int KILLS = Integer.getInteger("graphmeta.kills", 2);
  private static final int TRANSFERS = Integer.getInteger("graphmeta.transfers", 4);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int NODES = 3;
  private static final int SHARDS = 4;
  private static final long BETWEEN_MILLIS = 1_500;

  /** Writers leave the processors to a node that begins: what is measured comes afterwards. */
  private static final long RESTART_PAUSE_MILLIS = 20;

  /** What is waited for at most; a machine that has much else to do takes long. */
  private static final long MOST_MILLIS = 60_000;

  /** Entries of one writer that may be under way. */
  private static final long MOST_BEHIND = 20;

  @TempDir private Path directory;

  @Test
  void writesGoOnAndNothingAcknowledgedIsLost() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    List<Long> afterKills = new ArrayList<>();
    List<Long> afterStops = new ArrayList<>();
    try (RunningCluster cluster =
            new RunningCluster(directory, new LocalCluster.Shape(NODES, SHARDS, 3));
        GraphDatabase database = new Errors().persist(cluster::open)) {
      Counters counters = new Counters(database, SHARDS);
      counters.awaitAll();
      for (int kill = 0; kill < KILLS; kill++) {
        Thread.sleep(BETWEEN_MILLIS);
        int node = leading(cluster, random);
        Set<Integer> led = ledBy(cluster, node);
        boolean kills = random.nextInt(4) > 0;
        counters.resetTimes();
        if (kills) {
          cluster.kill(node);
        } else {
          cluster.processes().node(node).close();
        }
        counters.awaitAll();
        List<Long> gaps =
            counters.all().stream()
                .filter(counter -> led.contains(counter.shard))
                .map(counter -> counter.longestNanos.get() / 1_000_000)
                .toList();
        (kills ? afterKills : afterStops).addAll(gaps);
        System.out.printf(
            "%s n%d: times without a commit on the shards that it led: %s ms%n",
            kills ? "killed" : "stopped", node, gaps);
        counters.pause(RESTART_PAUSE_MILLIS);
        cluster.processes().restart(node);
        awaitAllReplicas(cluster);
        counters.pause(0);
      }
      rebalance(cluster, counters);
      tell("kill -9", afterKills);
      tell("SIGTERM", afterStops);
      counters.finish();
      CheckReport report = new Errors().persist(() -> database.check(rows -> {}));
      assertThat(report.isClean()).as(report.examples().toString()).isTrue();
      requireUntold(NODES, "is not handed over");
    }
    // The last node that ends with the cluster has nobody to hand over to.
    requireUntold(NODES - 1, "is not handed over");
    requireUntold(NODES, "\tat io.graphmeta.", "Stream Error");
  }

  /** Of the first nodes. */
  private void requireUntold(int nodes, String... texts) throws IOException {
    for (int node = 1; node <= nodes; node++) {
      assertThat(Files.readString(directory.resolve("n" + node + ".log")))
          .as("what n%d tells of lost nodes", node)
          .doesNotContain(texts);
    }
  }

  /** A node that leads a shard: to lose another one stops nobody. */
  private static int leading(RunningCluster cluster, Random random) {
    List<String> leaders =
        cluster.status().shards().stream()
            .map(ClusterStatus.HostedPart::node)
            .filter(leader -> !leader.isEmpty())
            .distinct()
            .toList();
    return Integer.parseInt(leaders.get(random.nextInt(leaders.size())).substring(1));
  }

  private static Set<Integer> ledBy(RunningCluster cluster, int node) {
    return cluster.status().shards().stream()
        .filter(shard -> shard.node().equals("n" + node))
        .map(ClusterStatus.HostedPart::shard)
        .collect(Collectors.toSet());
  }

  /** Waits until all replicas have what was agreed on a moment ago. */
  private static void awaitAllReplicas(RunningCluster cluster) throws InterruptedException {
    ClusterSettings settings = cluster.settings();
    long begin = System.nanoTime();
    boolean there = false;
    while (!there) {
      ClusterStatus status = ClusterStatus.of(settings, LocalCluster.NAME);
      there =
          status.isWell()
              && status.shards().stream()
                  .allMatch(shard -> shard.behind().stream().allMatch(each -> each < MOST_BEHIND));
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds until all replicas are there: %s", status.shards())
          .isLessThan(MOST_MILLIS);
    }
  }

  /**
   * Has each shard led by another node, and then by the first of its nodes, as at the beginning.
   */
  private static void rebalance(RunningCluster cluster, Counters counters)
      throws InterruptedException {
    LeaderMoves moves = new LeaderMoves(cluster.settings(), LocalCluster.NAME);
    List<Long> gaps = new ArrayList<>();
    for (int transfer = 0; transfer < TRANSFERS || transfer % SHARDS != 0; transfer++) {
      int shard = transfer % SHARDS;
      ClusterStatus.HostedPart part = cluster.status().shards().get(shard);
      // Not to the first of its nodes, to which all are to go in the end.
      String last =
          part.replicas().get(2).equals(part.node())
              ? part.replicas().get(1)
              : part.replicas().get(2);
      counters.resetTimes();
      assertThat(moves.move(shard, last).problem()).isEmpty();
      counters.awaitAll();
      gaps.add(
          counters.all().stream()
                  .filter(counter -> counter.shard == shard)
                  .mapToLong(counter -> counter.longestNanos.get())
                  .max()
                  .orElseThrow()
              / 1_000_000);
    }
    tell("transfer", gaps);
    assertThat(moves.rebalance())
        .allSatisfy(moved -> assertThat(moved.problem()).isEmpty())
        .hasSize(SHARDS);
    assertThat(cluster.status().shards())
        .allSatisfy(shard -> assertThat(shard.node()).isEqualTo(shard.replicas().get(0)));
    assertThat(moves.rebalance()).isEmpty();
    assertThat(moves.move(0, "n9").problem()).contains("n9").contains("expected one of n1, n2, n3");
  }

  private static void tell(String of, List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    if (!sorted.isEmpty()) {
      System.out.printf(
          "%d times %s: %d to %d ms without a commit, median %d%n",
          sorted.size(),
          of,
          sorted.get(0),
          sorted.get(sorted.size() - 1),
          sorted.get(sorted.size() / 2));
    }
  }
}
