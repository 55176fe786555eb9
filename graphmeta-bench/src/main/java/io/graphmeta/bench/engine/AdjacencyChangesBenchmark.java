package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a commit pays for each row of an edge to keep the adjacency cache right. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class AdjacencyChangesBenchmark {
  private static final int EDGES = 1000;
  private static final int ROWS = 2 * EDGES;
  private static final int VERTICES = 200_000;

  /** What the cache holds: nothing, other vertices than those written, or all of them. */
  @Param({"nothing", "others", "all"})
  public String held;

  private final MemoryStorage storage = new MemoryStorage();
  private final AdjacencyCache cache = new AdjacencyCache(storage, 256L << 20);
  private final RowBatch batch = new RowBatch(1 << 20);

  /** Fills the cache and makes the batch. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(3);
    int first = held.equals("others") ? VERTICES : 0;
    long stamp = StoredGraph.stamp(2);
    byte[] value = new byte[128];
    for (int i = 0; i < EDGES; i++) {
      EdgeKey edge =
          new EdgeKey(
              StoredGraph.vertexKey(first + random.nextInt(VERTICES)),
              StoredGraph.LABEL,
              StoredGraph.vertexKey(first + random.nextInt(VERTICES)),
              i + 1L);
      put(Family.OUT, RowKeys.outBodySlot(edge), stamp, value, value.length);
      put(Family.IN, RowKeys.inSlot(edge), stamp, value, 1);
    }
    storage.write(batch, Durability.BACKGROUND);
    if (!held.equals("nothing")) {
      long[] keys = new long[VERTICES];
      Arrays.setAll(keys, StoredGraph::vertexKey);
      int[] labels = {StoredGraph.LABEL};
      try (AdjacencyReader reader = cache.reader()) {
        for (boolean outgoing : new boolean[] {true, false}) {
          reader.read(
              keys,
              0,
              keys.length,
              new NeighbourQuery(outgoing, labels, ReadView.at(StoredGraph.stamp(1))),
              (index, label, others, from, to) -> true);
        }
      }
    }
  }

  private void put(Family family, byte[] slot, long stamp, byte[] value, int valueLength) {
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    int length = RowKeys.appendStamps(key, slot.length, stamp, stamp);
    batch.put(family, key, length, value, 0, valueLength);
  }

  /** Tells the cache of 1,000 edges at both their ends. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void changed() {
    cache.changed(batch);
  }
}
