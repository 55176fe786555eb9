package io.graphmeta.adjacency;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random writes and reads at random views, each compared with what the stored rows say. The seed of
 * a failure is in its message; {@code -Dgraphmeta.seed=N} replays it.
 */
@Timeout(240)
abstract class AdjacencyModelContractTest {
  private static final int[][] LABELS = {{}, {}, {1}, {2}, {1, 3}, {1, 2, 3}, {9}};
  private static final long[] BUDGETS = {0, 1 << 11, 1 << 13, 1 << 16, 8 << 20};
  private static final int SEQUENCES = 40;
  private static final int STEPS = 300;
  private static final int READERS = 3;

  abstract StorageEngine open() throws Exception;

  private interface Run {
    void run(StorageEngine storage, AdjacencyCache cache, long seed) throws Exception;
  }

  private void forSeeds(int sequences, Run run) throws Exception {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? sequences : 1); seed++) {
      try (StorageEngine storage = open()) {
        long budget = BUDGETS[(int) Math.floorMod(seed, (long) BUDGETS.length)];
        run.run(storage, new AdjacencyCache(storage, budget), seed);
      } catch (AssertionError | Exception e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  @Test
  void readsWhatTheStoreSays() throws Exception {
    forSeeds(
        SEQUENCES,
        (storage, cache, seed) -> {
          Random random = new Random(seed);
          RandomRows writes = new RandomRows(storage, cache, random);
          for (int step = 0; step < STEPS; step++) {
            writes.step();
            if (random.nextInt(100) == 0) {
              writes.clear();
            }
            for (int reads = random.nextInt(4); reads > 0; reads--) {
              compare(storage, cache, writes.view(random), random);
            }
            AdjacencyStatistics now = cache.statistics();
            assertThat(now.sizeBytes()).isBetween(0L, Math.max(now.limitBytes(), 1 << 11));
          }
        });
  }

  @Test
  void aReaderThatIsKeptSeesWhatItsViewsSee() throws Exception {
    forSeeds(
        SEQUENCES / 4,
        (storage, cache, seed) -> {
          Random random = new Random(seed);
          RandomRows writes = new RandomRows(storage, cache, random);
          try (AdjacencyReader reader = cache.reader()) {
            for (int step = 0; step < STEPS; step++) {
              writes.step();
              compare(storage, reader, cache, writes.view(random), random);
            }
          }
        });
  }

  @Test
  void readsWhatTheStoreSaysWhileOthersWrite() throws Exception {
    forSeeds(
        SEQUENCES / 4,
        (storage, cache, seed) -> {
          RandomRows writes = new RandomRows(storage, cache, new Random(seed));
          AtomicBoolean writing = new AtomicBoolean(true);
          ExecutorService threads = Executors.newFixedThreadPool(READERS);
          try {
            List<Future<?>> readers = new ArrayList<>();
            for (int r = 0; r < READERS; r++) {
              Random random = new Random(seed * READERS + r);
              readers.add(
                  threads.submit(
                      () -> {
                        while (writing.get()) {
                          compare(storage, cache, writes.view(random), random);
                        }
                      }));
            }
            for (int step = 0; step < 4 * STEPS; step++) {
              writes.step();
            }
            writing.set(false);
            for (Future<?> reader : readers) {
              reader.get();
            }
          } finally {
            writing.set(false);
            threads.shutdownNow();
          }
        });
  }

  /** What is at or below a resolved stamp stays as it is, so that both reads see the same. */
  private static void compare(
      StorageEngine storage, AdjacencyCache cache, ReadView view, Random random) {
    try (AdjacencyReader reader = cache.reader()) {
      compare(storage, reader, cache, view, random);
    }
  }

  private static void compare(
      StorageEngine storage,
      AdjacencyReader reader,
      AdjacencyCache cache,
      ReadView view,
      Random random) {
    int[] labels = LABELS[random.nextInt(LABELS.length)];
    boolean outgoing = random.nextBoolean();
    long[] keys = new long[random.nextInt(1, 6)];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = RandomRows.vertex(random.nextInt(RandomRows.VERTICES));
    }
    int from = random.nextInt(keys.length);
    List<List<String>> found = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      found.add(new ArrayList<>());
    }
    if (random.nextInt(4) == 0) {
      boolean loaded = reader.prefetch(keys[from], new NeighbourQuery(outgoing, labels, view));
      assertThat(loaded && cache.statistics().limitBytes() == 0)
          .as("loaded into nothing")
          .isFalse();
    }
    reader.read(
        keys,
        from,
        keys.length,
        new NeighbourQuery(outgoing, labels, view),
        (index, label, others, begin, end) -> {
          assertThat(begin).isLessThan(end);
          for (int i = begin; i < end; i++) {
            found.get(index).add(label + ":" + others[i]);
          }
          return true;
        });
    for (int i = 0; i < keys.length; i++) {
      List<String> expected =
          i < from ? List.of() : StoredAdjacency.read(storage, keys[i], outgoing, labels, view);
      found.get(i).sort(null);
      assertThat(found.get(i))
          .as("vertex %s, outgoing %s, labels %s, %s", keys[i], outgoing, labels, view)
          .isEqualTo(expected);
    }
  }
}
