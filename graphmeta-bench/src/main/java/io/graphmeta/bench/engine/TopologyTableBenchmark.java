package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Whether a second table of the edges without their properties, as the paper has one, would pay:
 * random frontiers over data far larger than the memory for blocks, from the rows that carry the
 * properties and from rows of the same keys without them; and what the second table costs to write
 * and to keep. With {@code --drop-caches=true} the files are not in the memory of the system
 * either.
 */
public final class TopologyTableBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "repetitions", "5",
          "warmups", "1",
          "edges", "2000000",
          "value-bytes", "256",
          "property-versions", "0",
          "frontiers", "100,10000",
          "block-cache-bytes", "16777216",
          "drop-caches", "false",
          "directory", System.getProperty("java.io.tmpdir"),
          "json", "");
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
  private static final int[] LABELS = {StoredGraph.LABEL};
  private static final int VERTICES = 10_000;
  private static final int EDGES_PER_VERTEX = 8;

  /** Where the edges are read. */
  private enum Side {
    WITH_PROPERTIES("rows with properties"),
    TOPOLOGY("topology table");

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
  private final Figures written = new Figures();
  private long edgesFound;

  private TopologyTableBenchmark(Arguments arguments, Path store) throws IOException {
    this.arguments = arguments;
    this.store = store;
    int edges = arguments.number("edges");
    int scale = Math.max(1, 32 - Integer.numberOfLeadingZeros(edges / EDGES_PER_VERTEX));
    this.graph = RMatGraph.generate(scale, edges, 42);
    write();
  }

  private RocksDbStorage open() {
    return RocksDbStorage.open(
        store,
        RocksDbSettings.defaults()
            .withBlockCacheBytes(Long.parseLong(arguments.text("block-cache-bytes"))));
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      TopologyTableBenchmark benchmark = new TopologyTableBenchmark(arguments, scratch.path());
      Figures figures =
          Interleaving.repeat(
              arguments.number("warmups"),
              arguments.number("repetitions"),
              List.of(Side.values()),
              benchmark::run,
              System.err::println);
      System.out.print(benchmark.written.table());
      System.out.println();
      System.out.print(figures.table());
      if (!arguments.text("json").isEmpty()) {
        Files.writeString(Path.of(arguments.text("json")), figures.json());
      }
    }
  }

  private void write() throws IOException {
    long before = 0;
    for (Side side : Side.values()) {
      Effort effort = new Effort();
      try (RocksDbStorage storage = open()) {
        StoredGraph stored = new StoredGraph(storage, graph, arguments.number("value-bytes"));
        if (side == Side.TOPOLOGY) {
          stored.writeTopology();
        } else {
          stored.writeOutgoing();
          for (int step = 1; step <= arguments.number("property-versions"); step++) {
            stored.writeProperties(step);
          }
        }
      }
      try (RawStore raw = new RawStore(store, Family.VERTEX_PREFIX_BYTES, false)) {
        raw.compact();
        effort.addTo(written, "write and merge", "edge", side.toString(), graph.edgeCount());
        double bytes = raw.tableBytes() - before;
        before = raw.tableBytes();
        written.add("bytes on disk per edge", side.toString(), bytes / graph.edgeCount());
      }
    }
  }

  private void run(Side side, Figures figures) throws IOException {
    for (String text : arguments.text("frontiers").split(",")) {
      int size = Integer.parseInt(text);
      if (arguments.text("drop-caches").equals("true")) {
        Files.writeString(DROP_CACHES, "3");
      }
      try (RocksDbStorage storage = open()) {
        AdjacencyCache none = new AdjacencyCache(storage, 0);
        Effort effort = new Effort();
        long found = expand(none, side, size, Math.max(1, VERTICES / size));
        effort.addTo(figures, "frontiers of " + size, "edge", side.toString(), found);
      }
    }
  }

  private long expand(AdjacencyCache cache, Side side, int size, int rounds) {
    SplittableRandom random = new SplittableRandom(size);
    long[] vertices = new long[size];
    edgesFound = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < size; i++) {
        vertices[i] = StoredGraph.vertexKey(random.nextInt(graph.vertexCount()));
      }
      try (AdjacencyReader reader = cache.reader()) {
        reader.read(
            vertices,
            0,
            size,
            new NeighbourQuery(
                side == Side.WITH_PROPERTIES, LABELS, ReadView.at(StoredGraph.stamp(1000))),
            (index, label, others, from, to) -> {
              edgesFound += to - from;
              return true;
            });
      }
    }
    if (edgesFound == 0) {
      throw new IllegalStateException("No edges were found");
    }
    return edgesFound;
  }
}
