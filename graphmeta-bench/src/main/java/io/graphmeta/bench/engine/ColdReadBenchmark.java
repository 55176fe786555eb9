package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.bench.workload.VertexSet;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.rocksdb.RocksIterator;

/**
 * Distinct out-steps over a graph that lies on disk, with nothing in memory when they begin, and
 * again when the blocks are: a plain loop of seeks on raw RocksDB, which looks at keys alone,
 * beside the adjacency cache, which finds out what counts and keeps it.
 */
public final class ColdReadBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "repetitions", "5",
          "warmups", "1",
          "scale", "18",
          "edges", "1000000",
          "value-bytes", "128",
          "steps", "3,4",
          "drop-caches", "false",
          "directory", System.getProperty("java.io.tmpdir"),
          "json", "");
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
  private static final long CACHE_BYTES = 256L << 20;

  /** What is measured. */
  private enum Side {
    RAW("raw seeks"),
    CACHE("adjacency cache"),
    TWO_THREADS("adjacency cache, two threads");

    private final String title;

    Side(String title) {
      this.title = title;
    }

    @Override
    public String toString() {
      return title;
    }
  }

  private final Arguments arguments;
  private final Path store;
  private final RMatGraph graph;
  private final Walk walk;
  private final ReadView view = ReadView.at(StoredGraph.stamp(1));

  private ColdReadBenchmark(Arguments arguments, Path store) throws IOException {
    this.arguments = arguments;
    this.store = store;
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
    this.walk = new Walk(graph);
    try (RocksDbStorage storage = RocksDbStorage.open(store, RocksDbSettings.defaults())) {
      new StoredGraph(storage, graph, arguments.number("value-bytes")).writeEdges();
    }
    try (RawStore raw = new RawStore(store, Family.VERTEX_PREFIX_BYTES, false)) {
      raw.compact();
    }
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      ColdReadBenchmark benchmark = new ColdReadBenchmark(arguments, scratch.path());
      Figures figures =
          Interleaving.repeat(
              arguments.number("warmups"),
              arguments.number("repetitions"),
              List.of(Side.values()),
              benchmark::run,
              System.err::println);
      System.out.print(figures.table());
      if (!arguments.text("json").isEmpty()) {
        Files.writeString(Path.of(arguments.text("json")), figures.json());
      }
    }
  }

  private void run(Side side, Figures figures) throws IOException {
    for (String text : arguments.text("steps").split(",")) {
      int steps = Integer.parseInt(text);
      long start = walk.startReaching(3, 23_100, graph);
      int expected = walk.plain(start, steps);
      if (arguments.text("drop-caches").equals("true")) {
        Files.writeString(DROP_CACHES, "3");
      }
      if (side == Side.RAW) {
        try (RawStore raw = new RawStore(store, Family.VERTEX_PREFIX_BYTES, false)) {
          timeRaw(raw, "cold", start, steps, expected, figures);
          timeRaw(raw, "blocks in memory", start, steps, expected, figures);
        }
      } else {
        try (RocksDbStorage storage = RocksDbStorage.open(store, RocksDbSettings.defaults())) {
          AdjacencyCache cache = cacheOf(side, storage);
          timeCached(side, cache, "cold", start, steps, expected, figures);
          AdjacencyCache again = cacheOf(side, storage);
          timeCached(side, again, "blocks in memory", start, steps, expected, figures);
          timeCached(side, again, "warm", start, steps, expected, figures);
        }
      }
    }
  }

  private static AdjacencyCache cacheOf(Side side, RocksDbStorage storage) {
    AdjacencyCache cache = new AdjacencyCache(storage, CACHE_BYTES);
    if (side == Side.TWO_THREADS) {
      cache.loadAheadOn(ForkJoinPool.commonPool());
    }
    return cache;
  }

  private void timeRaw(
      RawStore raw, String state, long start, int steps, int expected, Figures figures) {
    Effort effort = new Effort();
    requireSize(expected, seeks(raw, start, steps));
    effort.addTo(figures, measure(state, steps), "result", Side.RAW.toString(), expected);
  }

  private void timeCached(
      Side side,
      AdjacencyCache cache,
      String state,
      long start,
      int steps,
      int expected,
      Figures figures) {
    Effort effort = new Effort();
    requireSize(expected, walk.cached(cache, view, start, steps));
    effort.addTo(figures, measure(state, steps), "result", side.toString(), expected);
  }

  private static String measure(String state, int steps) {
    return steps + " distinct steps, " + state;
  }

  private static void requireSize(int expected, int found) {
    if (found != expected) {
      throw new IllegalStateException("Found " + found + " vertices; expected " + expected);
    }
  }

  private static int seeks(RawStore raw, long start, int steps) {
    VertexSet frontier = new VertexSet();
    frontier.add(start);
    byte[] target = new byte[8];
    byte[] key = new byte[64];
    try (RocksIterator rows = raw.rows(Family.OUT)) {
      for (int step = 0; step < steps; step++) {
        VertexSet next = new VertexSet();
        for (int i = 0; i < frontier.size(); i++) {
          long vertex = frontier.keys()[i];
          BigEndian.putLong(target, 0, vertex);
          for (rows.seek(target); rows.isValid(); rows.next()) {
            rows.key(key);
            if (BigEndian.getLong(key, 0) != vertex) {
              break;
            }
            next.add(BigEndian.getLong(key, 10));
          }
        }
        frontier = next;
      }
    }
    return frontier.size();
  }
}
