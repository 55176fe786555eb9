package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Distinct out-steps from one vertex of an R-MAT graph of a million edges: a plain loop over arrays
 * of longs, the adjacency cache when all is there, and the same reader without a cache, from the
 * blocks in memory of RocksDB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class AdjacencyBenchmark {
  private static final int EDGES = 1_000_000;
  private static final int VALUE_BYTES = 128;

  /** The measure of steps: 3 reach about 23,000 vertices, 4 about 91,000. */
  @Param({"3", "4"})
  public int steps;

  private final RMatGraph graph = RMatGraph.generate(18, EDGES, 42);
  private final Walk walk = new Walk(graph);
  private long start;
  private ScratchDirectory directory;
  private RocksDbStorage storage;
  private AdjacencyCache cache;
  private AdjacencyCache nothing;
  private final ReadView view = ReadView.at(StoredGraph.stamp(1));

  /** Writes the graph and fills the cache. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    directory = new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")));
    storage = RocksDbStorage.open(directory.path(), RocksDbSettings.defaults());
    new StoredGraph(storage, graph, VALUE_BYTES).writeEdges();
    cache = new AdjacencyCache(storage, 256L << 20);
    nothing = new AdjacencyCache(storage, 0);
    start = walk.startReaching(3, 23_100, graph);
    int reached = walk.plain(start, steps);
    int found = walk.cached(cache, view, start, steps);
    if (found != reached) {
      throw new IllegalStateException("Found " + found + " vertices; expected " + reached);
    }
    System.err.println(walk + ": " + reached + " vertices after " + steps + " steps");
  }

  /** Removes the graph. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    storage.close();
    directory.close();
  }

  /** Arrays of longs by themselves. */
  @Benchmark
  public int plainLoop() {
    return walk.plain(start, steps);
  }

  /** Through the cache. */
  @Benchmark
  public int cached() {
    return walk.cached(cache, view, start, steps);
  }

  /** From the store. */
  @Benchmark
  public int stored() {
    return walk.cached(nothing, view, start, steps);
  }
}
