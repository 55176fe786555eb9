package io.graphmeta.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.NotCachedException;
import io.graphmeta.adjacency.RandomRows;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random writes and reads at random views, each compared with a reader that has no cache. The seed
 * of a failure is in its message; {@code -Dgraphmeta.seed=N} replays it.
 */
@Timeout(240)
abstract class CachedRowsModelContractTest {
  private static final int[][] LABELS = {{}, {}, {1}, {2}, {1, 3}, {1, 2, 3}, {9}};
  private static final long[] BUDGETS = {1 << 13, 1 << 16, 8 << 20, 8 << 20};
  private static final int[] PAGES = {1 << 10, 1 << 12, 1 << 20};
  private static final int SEQUENCES = 40;
  private static final int STEPS = 300;
  private static final int READERS = 3;

  abstract StorageEngine open() throws Exception;

  private interface Run {
    void run(Readers readers, RandomRows writes, long seed) throws Exception;
  }

  /** Readers of one store: with a cache, without, and of the cache alone. */
  private record Readers(
      PageReader cached,
      PageReader stored,
      PageReader ofCache,
      AtomicLong foundInCache,
      AdjacencyCache cache) {}

  private void forSeeds(int sequences, Run run) throws Exception {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? sequences : 1); seed++) {
      try (StorageEngine storage = open()) {
        Random random = new Random(seed);
        int page = PAGES[random.nextInt(PAGES.length)];
        AdjacencyCache cache = new AdjacencyCache(storage, BUDGETS[random.nextInt(BUDGETS.length)]);
        SplitTable splits = SplitTable.ofOneShard(storage);
        Readers readers =
            new Readers(
                new PageReader(storage, splits, cache, page),
                new PageReader(storage, splits, new AdjacencyCache(storage, 0), page),
                PageReader.ofCache(storage, splits, cache, page),
                foundInCache,
                cache);
        run.run(readers, new RandomRows(storage, cache, random), seed);
      } catch (AssertionError | Exception e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  private final AtomicLong foundInCache = new AtomicLong();

  @Test
  void readsWhatTheStoreSays() throws Exception {
    long[] hits = new long[1];
    forSeeds(
        SEQUENCES,
        (readers, writes, seed) -> {
          Random random = new Random(~seed);
          for (int step = 0; step < STEPS; step++) {
            writes.step();
            if (random.nextInt(100) == 0) {
              writes.clear();
            }
            EdgeKey edge = writes.edge(random);
            for (int reads = random.nextInt(6); reads > 0; reads--) {
              compare(readers, writes.view(random), edge, random);
            }
            AdjacencyStatistics now = readers.cache().statistics();
            assertThat(now.sizeBytes()).isBetween(0L, now.limitBytes());
            hits[0] += now.rowHits();
          }
        });
    assertThat(hits[0]).as("rows found in the cache").isPositive();
    assertThat(foundInCache.get()).as("answers of the cache alone").isPositive();
  }

  @Test
  void readsWhatTheStoreSaysWhileOthersWrite() throws Exception {
    forSeeds(
        SEQUENCES / 4,
        (readers, writes, seed) -> {
          AtomicBoolean writing = new AtomicBoolean(true);
          ExecutorService threads = Executors.newFixedThreadPool(READERS);
          try {
            List<Future<?>> reading = new ArrayList<>();
            for (int r = 0; r < READERS; r++) {
              Random random = new Random(seed * READERS + r);
              reading.add(
                  threads.submit(
                      () -> {
                        while (writing.get()) {
                          compare(readers, writes.view(random), null, random);
                        }
                      }));
            }
            for (int step = 0; step < 4 * STEPS; step++) {
              writes.step();
            }
            writing.set(false);
            for (Future<?> reader : reading) {
              reader.get();
            }
          } finally {
            writing.set(false);
            threads.shutdownNow();
          }
        });
  }

  /** What is at or below a resolved stamp stays as it is, so that both read the same. */
  private static void compare(
      Readers readers, ReadView view, @Nullable EdgeKey edge, Random random) {
    Detail detail = random.nextInt(3) == 0 ? Detail.KEYS : Detail.PROPERTIES;
    long[] keys = new long[random.nextInt(1, 6)];
    Arrays.setAll(keys, i -> RandomRows.vertex(random.nextInt(RandomRows.VERTICES)));
    List<String> ids = new ArrayList<>();
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int number = random.nextInt(RandomRows.VERTICES);
      ids.add(random.nextBoolean() ? RandomRows.id(number) : RandomRows.edgeId(number));
    }
    boolean outgoing = random.nextBoolean();
    int[] labels = LABELS[random.nextInt(LABELS.length)];
    switch (random.nextInt(8)) {
      case 0 ->
          same(
              readers,
              view,
              "ids " + ids,
              false,
              (reads, at) -> reads.findVertices(new Request.FindVertices(ids, view, at.index())));
      case 1 ->
          same(
              readers,
              view,
              "edge ids " + ids,
              true,
              (reads, at) -> reads.findEdges(new Request.FindEdges(ids, view, at.index())));
      case 2 -> {
        if (edge != null) {
          List<EdgeKey> edges = List.of(edge, edge);
          same(
              readers,
              view,
              "edge " + edge,
              true,
              (reads, at) ->
                  reads.readEdges(new Request.ReadEdges(edges, view, detail, at.index())));
        }
      }
      case 3, 4 ->
          same(
              readers,
              view,
              detail + " of " + Arrays.toString(keys),
              false,
              (reads, at) ->
                  reads.readVertices(new Request.ReadVertices(keys, view, detail, at.index())));
      default ->
          same(
              readers,
              view,
              "%s of %s, outgoing %s, labels %s"
                  .formatted(detail, Arrays.toString(keys), outgoing, Arrays.toString(labels)),
              true,
              (reads, at) ->
                  reads.expand(new Request.Expand(keys, outgoing, labels, view, detail, at, true)));
    }
  }

  private interface Read {
    ElementPage page(PageReader reads, Position from);
  }

  private static void same(Readers readers, ReadView view, String asked, boolean edges, Read read) {
    List<String> stored = elements(from -> read.page(readers.stored(), from), edges);
    assertThat(elements(from -> read.page(readers.cached(), from), edges))
        .as("%s at %s", asked, view)
        .isEqualTo(stored);
    try {
      assertThat(elements(from -> read.page(readers.ofCache(), from), edges))
          .as("%s at %s in the cache alone", asked, view)
          .isEqualTo(stored);
      readers.foundInCache().incrementAndGet();
    } catch (NotCachedException e) {
      return; // the one that would read the store finds it
    }
  }

  private static List<String> elements(Function<Position, ElementPage> read, boolean edges) {
    List<String> found = new ArrayList<>();
    Position from = Position.START;
    while (from != null) {
      ElementPage page = read.apply(from);
      for (int e = 0; e < page.elements(); e++) {
        StringBuilder text = new StringBuilder();
        text.append(page.source(e)).append(' ').append(page.owner(e));
        if (edges) {
          text.append(' ').append(page.label(e)).append(' ').append(page.other(e));
          text.append(' ').append(page.sequence(e));
        }
        for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
          byte[] value = Arrays.copyOfRange(page.data(), page.valueStart(row), page.valueEnd(row));
          text.append(" [").append(page.propertyKey(row)).append(' ').append(page.valueId(row));
          text.append(' ').append(page.valid(row)).append(' ').append(page.committed(row));
          text.append(' ').append(Arrays.toString(value)).append(']');
        }
        found.add(text.toString());
      }
      from = page.next();
    }
    return found;
  }
}
