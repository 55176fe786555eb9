package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.server.faults.Counters.Counter;
import io.graphmeta.server.faults.Counters.Told;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader is stopped until another one leads, and goes on while a second client, which believes it
 * to lead still and has asked it already, begins transactions: with what the first client was told,
 * the second one sees it. {@code -Dgraphmeta.cycles=N} sets how often.
 */
@RunsAlone
@Timeout(7_200)
class PausedLeaderIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.cycles", 3);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int SHARDS = 4;
  private static final int READERS = 16;
  private static final int MOST_WAITING_MILLIS = 300;

  private static final int MOST_LOOKS = 100;
  private static final long LOOK_MILLIS = 200;

  /** Of each reader, and cycle. */
  private static final int READS = 10;

  @TempDir private Path directory;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final ExecutorService readers = Executors.newFixedThreadPool(READERS);
  private volatile boolean resumed;

  @Test
  void whoBeginsSeesWhatAnotherClientWasTold() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (RunningCluster cluster =
            new RunningCluster(
                directory,
                new LocalCluster.Shape(3, SHARDS, 3),
                "node.silence-timeout-millis=1500");
        GraphDatabase writing = new Errors().persist(cluster::open);
        GraphDatabase reading = new Errors().persist(cluster::open)) {
      Counters counters = new Counters(writing, SHARDS);
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        counters.awaitAll();
        Counter counter = counters.all().get(random.nextInt(SHARDS));
        String leader = leader(cluster, counter.shard);
        new Errors().persist(() -> Counters.read(reading, counter.vertex));
        int node = Integer.parseInt(leader.substring(1));
        cluster.signal(node, "STOP");
        resumed = false;
        try {
          counters.awaitAll(); // so another one leads
          List<CompletableFuture<Void>> seen = new ArrayList<>();
          for (int reader = 0; reader < READERS; reader++) {
            seen.add(CompletableFuture.runAsync(() -> read(reading, counter), readers));
          }
          Thread.sleep(random.nextInt(MOST_WAITING_MILLIS));
          cluster.signal(node, "CONT");
          resumed = true;
          seen.forEach(CompletableFuture::join);
        } finally {
          cluster.signal(node, "CONT");
        }
      }
      counters.finish();
      System.out.printf(
          "%d cycles, %d reads, none stale, %d failed%n", CYCLES, reads.get(), failed.get());
      assertThat(reads.get()).isGreaterThanOrEqualTo((long) CYCLES * READERS * READS * 9 / 10);
      assertThat(writing.check(rows -> {}).isClean()).isTrue();
    } finally {
      readers.shutdown();
    }
  }

  /** The node that leads a shard. */
  private static String leader(RunningCluster cluster, int shard) throws InterruptedException {
    String leader = cluster.status().shards().get(shard).node();
    for (int look = 0; leader.isEmpty(); look++) {
      assertThat(look).as("looks for the leader of shard %d", shard).isLessThan(MOST_LOOKS);
      Thread.sleep(LOOK_MILLIS);
      leader = cluster.status().shards().get(shard).node();
    }
    return leader;
  }

  /** Reads until it has done so often since the leader of before goes on. */
  private void read(GraphDatabase reading, Counter counter) {
    int since = 0;
    while (since < READS) {
      Told told = counter.told;
      reading.resume(told.stamp());
      boolean isSince = resumed;
      try {
        assertThat(Counters.read(reading, counter.vertex))
            .as("count on shard %d, seed %d", counter.shard, SEED)
            .isGreaterThanOrEqualTo(told.count());
        reads.incrementAndGet();
      } catch (GraphMetaException e) {
        assertThat(e.code().category()).as(e.getMessage()).isEqualTo(ErrorCode.Category.RETRY);
        failed.incrementAndGet();
      }
      since += isSince ? 1 : 0;
    }
  }
}
