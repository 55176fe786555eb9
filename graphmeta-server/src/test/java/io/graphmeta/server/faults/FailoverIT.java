package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.LeaderMoves;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of a cluster with three replicas of each shard are killed and started again, or stopped as
 * an administrator does it, while a writer for each shard counts up: each goes on at another node,
 * is never told that an outcome is unknown, and nothing acknowledged is lost. {@code
 * -Dgraphmeta.kills=N} sets how often.
 */
@Timeout(3_600)
class FailoverIT {
  private static final int KILLS = Integer.getInteger("graphmeta.kills", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int NODES = 3;
  private static final int SHARDS = 4;
  private static final long BETWEEN_MILLIS = 1_500;

  /** What a writer waits for at most; a machine that has much else to do elects slowly. */
  private static final long MOST_MILLIS = 60_000;

  /** Entries of one writer that may be under way. */
  private static final long MOST_BEHIND = 20;

  @TempDir private Path directory;

  /** Counts up on one shard. */
  private static final class Writer implements Runnable {
    final GraphDatabase database;
    final int shard;
    final long vertex;
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong acknowledgedNanos = new AtomicLong(System.nanoTime());
    final AtomicLong longestNanos = new AtomicLong();
    final Map<ErrorCode, Integer> errors = new TreeMap<>();
    volatile @Nullable Throwable failure;
    volatile boolean stopping;

    Writer(GraphDatabase database, int shard, long vertex) {
      this.database = database;
      this.shard = shard;
      this.vertex = vertex;
    }

    @Override
    public void run() {
      long next = 1;
      while (!stopping) {
        try (GraphTransaction tx = database.begin()) {
          tx.setVertexProperty(
              vertex, "count", next, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
          tx.commit();
          acknowledged.set(next++);
          long now = System.nanoTime();
          longestNanos.accumulateAndGet(now - acknowledgedNanos.getAndSet(now), Math::max);
        } catch (RuntimeException e) {
          ErrorCode code = Errors.known(e) == null ? null : Errors.known(e).code();
          if (code == null || code.category() != ErrorCode.Category.RETRY) {
            failure = e;
            return;
          }
          errors.merge(code, 1, Integer::sum);
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
        }
      }
    }
  }

  @Test
  void writesGoOnAndNothingAcknowledgedIsLost() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    List<Long> afterKills = new ArrayList<>();
    List<Long> afterStops = new ArrayList<>();
    try (RunningCluster cluster =
            new RunningCluster(directory, new LocalCluster.Shape(NODES, SHARDS, 3));
        GraphDatabase database = new Errors().persist(cluster::open)) {
      List<Writer> writers = writers(database);
      List<Thread> threads = writers.stream().map(Thread::new).toList();
      threads.forEach(Thread::start);
      awaitAll(writers);
      for (int kill = 0; kill < KILLS; kill++) {
        Thread.sleep(BETWEEN_MILLIS);
        int node = leading(cluster, random);
        Set<Integer> led = ledBy(cluster, node);
        boolean kills = random.nextInt(4) > 0;
        writers.forEach(writer -> writer.longestNanos.set(0));
        if (kills) {
          cluster.kill(node);
        } else {
          cluster.processes().node(node).close();
        }
        awaitAll(writers);
        List<Long> gaps =
            writers.stream()
                .filter(writer -> led.contains(writer.shard))
                .map(writer -> writer.longestNanos.get() / 1_000_000)
                .toList();
        (kills ? afterKills : afterStops).addAll(gaps);
        System.out.printf(
            "%s n%d: times without a commit on the shards that it led: %s ms%n",
            kills ? "killed" : "stopped", node, gaps);
        cluster.processes().restart(node);
        awaitAllReplicas(cluster);
      }
      rebalance(cluster, writers);
      writers.forEach(writer -> writer.stopping = true);
      for (Thread thread : threads) {
        thread.join();
      }
      tell("kill -9", afterKills);
      tell("SIGTERM", afterStops);
      for (Writer writer : writers) {
        assertThat(writer.failure).as("seed %d", SEED).isNull();
        System.out.println(writer.acknowledged + " commits, errors " + writer.errors);
      }
      assertCounts(database, writers);
      CheckReport report = new Errors().persist(() -> database.check(rows -> {}));
      assertThat(report.isClean()).as(report.examples().toString()).isTrue();
    }
  }

  /** A node that leads a shard: to lose another one stops nobody. */
  private static int leading(RunningCluster cluster, Random random) {
    List<String> leaders =
        ClusterStatus.of(settings(cluster), LocalCluster.NAME).shards().stream()
            .map(ClusterStatus.HostedPart::node)
            .filter(leader -> !leader.isEmpty())
            .distinct()
            .toList();
    return Integer.parseInt(leaders.get(random.nextInt(leaders.size())).substring(1));
  }

  private static Set<Integer> ledBy(RunningCluster cluster, int node) {
    return ClusterStatus.of(settings(cluster), LocalCluster.NAME).shards().stream()
        .filter(shard -> shard.node().equals("n" + node))
        .map(ClusterStatus.HostedPart::shard)
        .collect(Collectors.toSet());
  }

  /** Waits until all replicas have what was agreed on a moment ago. */
  private static void awaitAllReplicas(RunningCluster cluster) throws InterruptedException {
    ClusterSettings settings = settings(cluster);
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
  private static void rebalance(RunningCluster cluster, List<Writer> writers)
      throws InterruptedException {
    LeaderMoves moves = new LeaderMoves(settings(cluster), LocalCluster.NAME);
    List<Long> gaps = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      writers.forEach(writer -> writer.longestNanos.set(0));
      ClusterStatus status = ClusterStatus.of(settings(cluster), LocalCluster.NAME);
      String last = status.shards().get(shard).replicas().get(2);
      assertThat(moves.move(shard, last).problem()).isEmpty();
      awaitAll(writers);
      gaps.add(
          writers.stream().mapToLong(writer -> writer.longestNanos.get()).max().orElseThrow()
              / 1_000_000);
    }
    tell("transfer", gaps);
    assertThat(moves.rebalance())
        .allSatisfy(moved -> assertThat(moved.problem()).isEmpty())
        .hasSize(SHARDS);
    assertThat(ClusterStatus.of(settings(cluster), LocalCluster.NAME).shards())
        .allSatisfy(shard -> assertThat(shard.node()).isEqualTo(shard.replicas().get(0)));
    assertThat(moves.rebalance()).isEmpty();
    assertThat(moves.move(0, "n9").problem()).contains("n9").contains("expected one of n1, n2, n3");
  }

  private static ClusterSettings settings(RunningCluster cluster) {
    return ClusterSettings.of(
        Map.of(ZooKeeperSetting.HOSTS.key(), cluster.processes().zookeeper()));
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

  /** A writer for each shard. */
  private static List<Writer> writers(GraphDatabase database) {
    Errors errors = new Errors();
    List<Long> added =
        errors.persist(
            () -> {
              List<Long> all = new ArrayList<>();
              try (GraphTransaction tx = database.begin()) {
                for (int i = 0; i < 64; i++) {
                  all.add(tx.addVertex(null, "counter", Map.of(), Stamp.AT_COMMIT));
                }
                tx.commit();
              }
              return all;
            });
    Map<Integer, Long> ofShard = new HashMap<>();
    added.forEach(vertex -> ofShard.put(database.placement(vertex).home(), vertex));
    assertThat(ofShard).hasSize(SHARDS);
    return ofShard.entrySet().stream()
        .map(each -> new Writer(database, each.getKey(), each.getValue()))
        .toList();
  }

  /** Waits until each writer was acknowledged two more commits. */
  private static void awaitAll(List<Writer> writers) throws InterruptedException {
    long begin = System.nanoTime();
    for (Writer writer : writers) {
      long target = writer.acknowledged.get() + 2;
      while (writer.acknowledged.get() < target) {
        assertThat(writer.failure).as("seed %d", SEED).isNull();
        assertThat((System.nanoTime() - begin) / 1_000_000)
            .as("milliseconds without a commit, errors %s, seed %d", writer.errors, SEED)
            .isLessThan(MOST_MILLIS);
        Thread.sleep(5);
      }
    }
  }

  private static void assertCounts(GraphDatabase database, List<Writer> writers) {
    Errors errors = new Errors();
    for (Writer writer : writers) {
      VertexRecord read =
          errors.persist(
              () -> {
                try (GraphTransaction tx = database.begin()) {
                  return tx.vertices(new long[] {writer.vertex}, tx.snapshot()).get(0);
                }
              });
      assertThat(read.properties().get(0).value())
          .as("seed %d", SEED)
          .isEqualTo(writer.acknowledged.get());
    }
  }
}
