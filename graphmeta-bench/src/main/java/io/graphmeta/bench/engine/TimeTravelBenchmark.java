package io.graphmeta.bench.engine;

import io.graphmeta.adjacency.AdjacencyCache;
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

/**
 * What the past costs: distinct out-steps as of the middle of a history beside the same steps now,
 * where each edge has 1, 10 or 100 versions, either of a property, or of itself: ended and created
 * again. The store's blocks are in memory; cold is a cache of neighbours that holds nothing.
 */
public final class TimeTravelBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "repetitions", "5",
          "warmups", "1",
          "scale", "13",
          "edges", "50000",
          "value-bytes", "32",
          "versions", "1,10,100",
          "kinds", "property,edge",
          "rounds", "10",
          "directory", System.getProperty("java.io.tmpdir"),
          "json", "");
  private static final long CACHE_BYTES = 256L << 20;
  private static final int STEPS = 3;
  private static final int STARTS = 40;

  /** The view that is measured. */
  private enum Side {
    PRESENT,
    PAST;

    ReadView view(int versions) {
      long now = StoredGraph.stamp(versions);
      return this == PRESENT
          ? ReadView.at(now)
          : new ReadView(StoredGraph.stamp(versions / 2) + 1, now);
    }

    @Override
    public String toString() {
      return this == PRESENT ? "now" : "as of a past point";
    }
  }

  private final Arguments arguments;
  private final RMatGraph graph;
  private final Walk walk;

  private TimeTravelBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
    this.walk = new Walk(graph);
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    TimeTravelBenchmark benchmark = new TimeTravelBenchmark(arguments);
    StringBuilder json = new StringBuilder();
    for (String kind : arguments.text("kinds").split(",")) {
      for (String versions : arguments.text("versions").split(",")) {
        Figures figures = benchmark.history(kind, Integer.parseInt(versions));
        System.out.println(figures.table());
        json.append(figures.json());
      }
    }
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), json);
    }
  }

  private Figures history(String kind, int versions) throws IOException {
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      try (RocksDbStorage storage =
          RocksDbStorage.open(scratch.path(), RocksDbSettings.defaults())) {
        StoredGraph stored = new StoredGraph(storage, graph, arguments.number("value-bytes"));
        stored.writeEdges();
        for (int step = 1; step < versions; step++) {
          if (kind.equals("property")) {
            stored.writeProperties(step);
          } else {
            stored.writeAgain(step);
          }
        }
      }
      try (RawStore raw = new RawStore(scratch.path(), Family.VERTEX_PREFIX_BYTES, false)) {
        raw.compact();
      }
      try (RocksDbStorage storage =
          RocksDbStorage.open(scratch.path(), RocksDbSettings.defaults())) {
        String measure = versions + (versions == 1 ? " version" : " versions") + " of each " + kind;
        return Interleaving.repeat(
            arguments.number("warmups"),
            arguments.number("repetitions"),
            List.of(Side.values()),
            (side, figures) -> run(storage, side, versions, measure, figures),
            System.err::println);
      }
    }
  }

  private void run(
      RocksDbStorage storage, Side side, int versions, String measure, Figures figures) {
    AdjacencyCache cache = new AdjacencyCache(storage, CACHE_BYTES);
    ReadView view = side.view(versions);
    time(measure + ", cold", cache, view, 1, side, figures);
    time(measure + ", warm", cache, view, arguments.number("rounds"), side, figures);
  }

  private void time(
      String measure, AdjacencyCache cache, ReadView view, int rounds, Side side, Figures figures) {
    long before = walk.edgesRead();
    Effort effort = new Effort();
    for (int round = 0; round < rounds; round++) {
      for (int start = 0; start < STARTS; start++) {
        walk.cached(cache, view, StoredGraph.vertexKey(start), STEPS);
      }
    }
    effort.addTo(figures, measure, "edge", side.toString(), walk.edgesRead() - before);
    for (int start = 0; start < STARTS; start++) {
      int expected = walk.plain(StoredGraph.vertexKey(start), STEPS);
      int found = walk.cached(cache, view, StoredGraph.vertexKey(start), STEPS);
      if (found != expected) {
        throw new IllegalStateException("Found " + found + " vertices; expected " + expected);
      }
    }
  }
}
