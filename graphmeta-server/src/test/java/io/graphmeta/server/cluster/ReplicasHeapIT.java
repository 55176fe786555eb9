package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes whose heap is smaller than what is loaded: what a replica keeps in memory does not grow
 * with its log, also while a member is away and when it comes back. {@code -Dgraphmeta.kills=N}
 * sets how often one of them is killed.
 */
@RunsAlone
class ReplicasHeapIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int KILLS = Integer.getInteger("graphmeta.kills", 1);
  private static final int NODES = 3;
  private static final int SHARDS = 4;

  /** What each log may take of the heap of a node, as operators are told. */
  private static final int LOG_MEGABYTES = 30;

  private static final int HEAP_MEGABYTES = 96 + SHARDS * LOG_MEGABYTES;
  private static final int LOADERS = 4;
  private static final int TEXT_BYTES = 20_000;
  private static final int PER_COMMIT = 25;

  /** As many as make up half of the heap. */
  private static final int COMMITS_A_LOAD = (HEAP_MEGABYTES << 20) / 2 / (TEXT_BYTES * PER_COMMIT);

  private static final long PATIENCE_MILLIS = 120_000;

  @TempDir private Path directory;
  private final AtomicInteger numbers = new AtomicInteger();

  @Test
  void logsThatAreLargerThanTheHeapAreWrittenAndCaughtUpWith() throws Exception {
    try (RunningCluster cluster =
            new RunningCluster(
                directory,
                new LocalCluster.Shape(NODES, SHARDS, NODES),
                "-Xmx" + HEAP_MEGABYTES + "m",
                List.of());
        GraphDatabase database = cluster.open()) {
      System.out.println("graphmeta.seed=" + SEED);
      Random random = new Random(SEED);
      load(database);
      for (int kill = 0; kill < KILLS; kill++) {
        int node = 1 + random.nextInt(NODES);
        cluster.kill(node);
        load(database);
        cluster.processes().restart(node);
        load(database);
        awaitCaughtUp(cluster);
      }
      for (int node = 1; node <= NODES; node++) {
        assertThat(cluster.processes().node(node).handle().isAlive()).as("n%s", node).isTrue();
      }
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.countVertices(Set.of("note"), tx.snapshot()))
            .isEqualTo((long) numbers.get() * PER_COMMIT);
      }
    }
  }

  private void load(GraphDatabase database) throws Exception {
    ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
    List<Future<?>> loading = new ArrayList<>();
    for (int i = 0; i < COMMITS_A_LOAD; i++) {
      loading.add(loaders.submit(() -> add(database, numbers.getAndIncrement())));
    }
    for (Future<?> each : loading) {
      each.get();
    }
    loaders.shutdown();
  }

  /** Adds vertices whose texts are hard to pack, again until it is told that they are there. */
  private static void add(GraphDatabase database, int number) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    Random random = new Random(number);
    byte[] bytes = new byte[TEXT_BYTES];
    while (true) {
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < PER_COMMIT; i++) {
          for (int at = 0; at < TEXT_BYTES; at++) {
            bytes[at] = (byte) (' ' + random.nextInt(64));
          }
          String text = new String(bytes, StandardCharsets.US_ASCII);
          tx.addVertex("n" + number + "-" + i, "note", Map.of("text", text), Stamp.AT_COMMIT);
        }
        tx.commit();
        return;
      } catch (GraphMetaException e) {
        if (e.code() == ErrorCode.ALREADY_EXISTS) {
          return; // an earlier try was committed
        }
        ErrorCode.Category category = e.code().category();
        if (category != ErrorCode.Category.RETRY && category != ErrorCode.Category.UNCERTAIN
            || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private static void awaitCaughtUp(RunningCluster cluster) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (!cluster.status().shards().stream()
        .allMatch(shard -> shard.behind().stream().allMatch(entries -> entries == 0))) {
      assertThat(System.nanoTime()).as("%s", cluster.status()).isLessThan(end);
      Thread.sleep(200);
    }
  }
}
