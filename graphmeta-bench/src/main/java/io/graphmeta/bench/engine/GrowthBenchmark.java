package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * How the cost of an edge grows with the frontier and with the graph: random frontiers of vertices
 * that have edges, over graphs on disk that are larger than the memory for blocks; from the store
 * with nothing cached, through a cache too small for the graph, and through one that holds it.
 */
public final class GrowthBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("repetitions", "3"),
          Map.entry("warmups", "1"),
          Map.entry("edges", "100000,1000000,10000000"),
          Map.entry("frontiers", "10,100,1000,10000,100000,1000000"),
          Map.entry("vertices", "100000"),
          Map.entry("edges-per-vertex", "4"),
          Map.entry("value-bytes", "128"),
          Map.entry("block-cache-bytes", "16777216"),
          Map.entry("small-cache-bytes", "16777216"),
          Map.entry("directory", System.getProperty("java.io.tmpdir")),
          Map.entry("json", ""));
  private static final long LARGE_CACHE_BYTES = 512L << 20;
  private static final int[] LABELS = {StoredGraph.LABEL};
  private static final ReadView VIEW = ReadView.at(StoredGraph.stamp(1));

  private final Arguments arguments;
  private final Path directory;

  private GrowthBenchmark(Arguments arguments, Path directory) {
    this.arguments = arguments;
    this.directory = directory;
  }

  /** A graph on disk, and the vertices of it that have edges. */
  private record Graph(String name, Path store, long[] sources) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      GrowthBenchmark benchmark = new GrowthBenchmark(arguments, scratch.path());
      List<Graph> graphs = new ArrayList<>();
      for (String edges : arguments.text("edges").split(",")) {
        graphs.add(benchmark.write(Integer.parseInt(edges)));
      }
      Figures figures =
          Interleaving.repeat(
              arguments.number("warmups"),
              arguments.number("repetitions"),
              graphs,
              benchmark::run,
              System.err::println);
      System.out.print(figures.table());
      if (!arguments.text("json").isEmpty()) {
        Files.writeString(Path.of(arguments.text("json")), figures.json());
      }
    }
  }

  private RocksDbStorage open(Path store) {
    return RocksDbStorage.open(
        store,
        RocksDbSettings.defaults()
            .withBlockCacheBytes(Long.parseLong(arguments.text("block-cache-bytes"))));
  }

  private Graph write(int edges) throws IOException {
    int vertices = edges / arguments.number("edges-per-vertex");
    int scale = Math.max(1, 32 - Integer.numberOfLeadingZeros(vertices));
    RMatGraph graph = RMatGraph.generate(scale, edges, 42);
    Path store = Files.createDirectory(directory.resolve(edges + "-edges"));
    try (RocksDbStorage storage = open(store)) {
      new StoredGraph(storage, graph, arguments.number("value-bytes")).writeEdges();
    }
    try (RawStore raw = new RawStore(store, Family.VERTEX_PREFIX_BYTES, false)) {
      raw.compact();
    }
    boolean[] leaves = new boolean[graph.vertexCount()];
    for (int edge = 0; edge < edges; edge++) {
      leaves[graph.source(edge)] = true;
    }
    long[] sources = new long[graph.vertexCount()];
    int count = 0;
    for (int vertex = 0; vertex < leaves.length; vertex++) {
      if (leaves[vertex]) {
        sources[count++] = StoredGraph.vertexKey(vertex);
      }
    }
    return new Graph(edges + " edges", store, Arrays.copyOf(sources, count));
  }

  private void run(Graph graph, Figures figures) {
    try (RocksDbStorage storage = open(graph.store())) {
      Stream.of(arguments.text("frontiers").split(","))
          .mapToInt(Integer::parseInt)
          .filter(size -> size <= graph.sources().length)
          .forEach(size -> run(storage, graph, size, figures));
    }
  }

  private void run(RocksDbStorage storage, Graph graph, int size, Figures figures) {
    int rounds = Math.max(1, arguments.number("vertices") / size);
    String frontier = "frontier of " + size;
    AdjacencyCache none = new AdjacencyCache(storage, 0);
    time(frontier + ", from the store", none, graph, size, rounds, figures);
    long smallBytes = Long.parseLong(arguments.text("small-cache-bytes"));
    AdjacencyCache small = new AdjacencyCache(storage, smallBytes);
    time(frontier + ", small cache", small, graph, size, rounds, figures);
    AdjacencyStatistics held = small.statistics();
    if (held.sizeBytes() > held.limitBytes()) {
      throw new IllegalStateException("The cache is over its limit: " + held);
    }
    figures.add(
        frontier + ", small cache: share of its limit in use",
        graph.toString(),
        (double) held.sizeBytes() / held.limitBytes());
    AdjacencyCache large = new AdjacencyCache(storage, LARGE_CACHE_BYTES);
    expand(large, graph, size, rounds);
    time(frontier + ", all in the cache", large, graph, size, rounds, figures);
  }

  private static void time(
      String measure, AdjacencyCache cache, Graph graph, int size, int rounds, Figures figures) {
    Effort effort = new Effort();
    long edges = expand(cache, graph, size, rounds);
    effort.addTo(figures, measure, "edge", graph.toString(), edges);
  }

  /** Expands as many random frontiers, the same each time, and returns the edges. */
  private static long expand(AdjacencyCache cache, Graph graph, int size, int rounds) {
    SplittableRandom random = new SplittableRandom(size);
    long[] vertices = graph.sources().clone();
    long[] sum = new long[2];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < size; i++) { // the first of a random permutation
        int other = i + random.nextInt(vertices.length - i);
        long chosen = vertices[other];
        vertices[other] = vertices[i];
        vertices[i] = chosen;
      }
      try (AdjacencyReader reader = cache.reader()) {
        reader.read(
            vertices,
            0,
            size,
            new NeighbourQuery(true, LABELS, VIEW),
            (index, label, others, from, to) -> {
              for (int i = from; i < to; i++) {
                sum[0] += others[i];
              }
              sum[1] += to - from;
              return true;
            });
      }
    }
    if (sum[0] == 0) {
      throw new IllegalStateException("No edges were found");
    }
    return sum[1];
  }
}
