package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Transactions over all shards whose parts are so large that shards keep house many times while
 * they are on their way, beside threads that begin, commit and read: none is refused, and none is
 * seen in part.
 */
final class LargeTransactionsTest {
  private static final int VERTICES = Integer.getInteger("graphmeta.vertices", 20_000);
  private static final int LARGE = Integer.getInteger("graphmeta.rounds", 3);
  private static final int OTHERS = 2;

  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void largeOnesAreCommittedBesideSmallOnes() throws Exception {
    GraphMetaConfig config = GraphMetaConfig.inMemory().with(Setting.SHARDS, 4);
    ExecutorService threads = Executors.newFixedThreadPool(OTHERS);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Future<Integer>> others = new ArrayList<>();
      for (int thread = 0; thread < OTHERS; thread++) {
        String name = "small" + thread;
        others.add(threads.submit(() -> commitSmallOnes(database, name)));
      }
      for (int round = 0; round < LARGE; round++) {
        commitLargeOne(database, "large" + round + "-");
      }
      done.set(true);
      for (Future<Integer> other : others) {
        assertThat(other.get(1, TimeUnit.MINUTES)).isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private static void commitLargeOne(GraphDatabase database, String prefix) {
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        tx.addVertex(prefix + i, "file", Map.of("n", i), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  private int commitSmallOnes(GraphDatabase database, String prefix) {
    int committed = 0;
    while (!done.get()) {
      try (GraphTransaction tx = database.begin()) {
        List<Boolean> seen = new ArrayList<>();
        for (int round = 0; round < LARGE; round++) {
          boolean first = isThere(tx, "large" + round + "-0");
          assertThat(isThere(tx, "large" + round + "-" + (VERTICES - 1))).isEqualTo(first);
          seen.add(first);
        }
        assertThat(seen).isSortedAccordingTo((a, b) -> Boolean.compare(b, a));
        for (int i = 0; i < 4; i++) {
          tx.addVertex(prefix + "-" + committed + "-" + i, "file", Map.of(), Stamp.AT_COMMIT);
        }
        tx.commit();
        committed++;
      }
    }
    return committed;
  }

  private static boolean isThere(GraphTransaction tx, String id) {
    return tx.verticesById(List.of(id), tx.snapshot()).get(0) != null;
  }
}
