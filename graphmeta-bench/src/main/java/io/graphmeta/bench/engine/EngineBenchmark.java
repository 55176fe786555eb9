package io.graphmeta.bench.engine;

import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.Elements;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * GraphMeta at two interfaces, each beside the measure of what can be reached: the engine's own
 * beside raw RocksDB that writes and reads the same bytes in the same order, Gremlin beside
 * TinkerGraph in memory. Insertion of vertices with an edge of one hot vertex by 1, 2 and 8
 * threads, load of an R-MAT graph, point reads by id, adjacency scans, bytes on disk.
 */
public final class EngineBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "interface", "engine",
          "workloads", "hot,sync,rmat",
          "repetitions", "5",
          "warmups", "1",
          "inserts", "60000",
          "scale", "17",
          "edges", "1000000",
          "reads", "100000",
          "directory", System.getProperty("java.io.tmpdir"),
          "json", "");
  private static final int VALUE_BYTES = 128;
  private static final int LOAD_BATCH = 1000;
  private static final int FRONTIER = 100;
  private static final int SYNCED_SHARE = 20;

  /** What is measured. */
  private enum Side {
    RAW("raw RocksDB"),
    ENGINE("engine"),
    TINKERGRAPH("TinkerGraph"),
    GREMLIN("GraphMeta");

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
  private final Path parent;
  private final Elements elements;
  private final int[] degrees;
  private final RMatGraph graph;

  private EngineBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.parent = Path.of(arguments.text("directory"));
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
    int vertices = Math.max(arguments.number("inserts") + 1, graph.vertexCount());
    this.elements = new Elements(vertices, VALUE_BYTES, 42);
    this.degrees = new int[graph.vertexCount()];
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      degrees[graph.source(edge)]++;
    }
  }

  /**
   * Runs the benchmark; {@code --interface=engine|gremlin --workloads=hot,sync,rmat --repetitions=
   * --warmups= --inserts= --scale= --edges= --reads= --directory= --json=}.
   */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    EngineBenchmark benchmark = new EngineBenchmark(arguments);
    Figures figures =
        Interleaving.repeat(
            arguments.number("warmups"),
            arguments.number("repetitions"),
            sides(arguments.text("interface")),
            benchmark::run,
            System.err::println);
    System.out.print(figures.table());
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), figures.json());
    }
  }

  private static List<Side> sides(String name) {
    return switch (name) {
      case "engine" -> List.of(Side.RAW, Side.ENGINE);
      case "gremlin" -> List.of(Side.TINKERGRAPH, Side.GREMLIN);
      default ->
          throw GraphMetaException.invalid(
              "Argument --interface is '" + name + "'; expected engine or gremlin");
    };
  }

  private Subject open(Side side, Path directory, boolean sync) throws IOException {
    return switch (side) {
      case RAW -> new RawSubject(directory, sync, elements);
      case ENGINE -> new EngineSubject(directory, sync, elements);
      case TINKERGRAPH -> GremlinSubject.tinkerGraph(elements);
      case GREMLIN -> GremlinSubject.graphMeta(directory, sync, elements);
    };
  }

  private void run(Side side, Figures figures) throws IOException {
    List<String> workloads = List.of(arguments.text("workloads").split(","));
    int inserts = arguments.number("inserts");
    if (workloads.contains("hot")) {
      for (int threads : new int[] {1, 2, 8}) {
        for (int perCommit : new int[] {1, 100}) {
          hotInserts(side, threads, perCommit, inserts, false, figures);
        }
      }
    }
    if (workloads.contains("sync") && side != Side.TINKERGRAPH) {
      for (int threads : new int[] {1, 8}) {
        hotInserts(side, threads, 1, inserts / SYNCED_SHARE, true, figures);
      }
    }
    if (workloads.contains("rmat")) {
      rmat(side, figures);
    }
  }

  private void hotInserts(
      Side side, int threads, int perCommit, int inserts, boolean sync, Figures figures)
      throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (ScratchDirectory scratch = new ScratchDirectory(parent);
        Subject subject = open(side, scratch.path(), sync)) {
      try (Subject.Writer writer = subject.writer()) {
        writer.addVertex(0);
        writer.commit();
      }
      Effort effort = new Effort();
      List<Future<?>> parts = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int from = 1 + (int) ((long) inserts * thread / threads);
        int to = 1 + (int) ((long) inserts * (thread + 1) / threads);
        parts.add(
            pool.submit(
                () -> {
                  insert(subject, from, to, perCommit);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
      String measure =
          "hot inserts, "
              + threads
              + " threads, "
              + (sync ? "synced " : "")
              + "commit per "
              + perCommit;
      effort.addTo(figures, measure, "insert", side.toString(), inserts);
      try (Subject.Reader reader = subject.reader()) {
        requireCount(inserts, reader.scan(new int[] {0}));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException e) {
      throw new IOException("An insert of " + side + " failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static void insert(Subject subject, int from, int to, int perCommit) throws IOException {
    try (Subject.Writer writer = subject.writer()) {
      int pending = 0;
      for (int number = from; number < to; number++) {
        writer.addHotEdge(number);
        if (++pending == perCommit || number == to - 1) {
          writer.commit();
          pending = 0;
        }
      }
    }
  }

  private void rmat(Side side, Figures figures) throws IOException {
    try (ScratchDirectory scratch = new ScratchDirectory(parent);
        Subject subject = open(side, scratch.path(), false)) {
      Effort load = new Effort();
      load(subject);
      load.addTo(figures, "R-MAT load", "edge", side.toString(), graph.edgeCount());
      long bytes = subject.mergeFiles();
      if (bytes > 0) {
        figures.add("bytes on disk per edge", side.toString(), (double) bytes / graph.edgeCount());
      }
      int reads = arguments.number("reads");
      try (Subject.Reader reader = subject.reader()) {
        pointReads(reader, reads);
        Effort points = new Effort();
        pointReads(reader, reads);
        points.addTo(figures, "point reads by id, warm", "read", side.toString(), reads);
        for (int frontier : new int[] {1, FRONTIER}) {
          scans(reader, reads, frontier);
          Effort effort = new Effort();
          long edges = scans(reader, reads, frontier);
          String measure = "scans of " + frontier + " vertices a call, warm";
          effort.addTo(figures, measure, "edge", side.toString(), edges);
        }
      }
    }
  }

  private void load(Subject subject) throws IOException {
    try (Subject.Writer writer = subject.writer()) {
      for (int number = 0; number < graph.vertexCount(); number++) {
        writer.addVertex(number);
        if (number % LOAD_BATCH == LOAD_BATCH - 1 || number == graph.vertexCount() - 1) {
          writer.commit();
        }
      }
      for (int edge = 0; edge < graph.edgeCount(); edge++) {
        writer.addEdge(graph.source(edge), graph.destination(edge), edge);
        if (edge % LOAD_BATCH == LOAD_BATCH - 1 || edge == graph.edgeCount() - 1) {
          writer.commit();
        }
      }
    }
  }

  private void pointReads(Subject.Reader reader, int reads) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < reads; i++) {
      int number = random.nextInt(graph.vertexCount());
      if (reader.readVertex(number) < VALUE_BYTES) {
        throw GraphMetaException.internal("Vertex " + number + " is lost");
      }
    }
  }

  private long scans(Subject.Reader reader, int vertices, int frontier) throws IOException {
    SplittableRandom random = new SplittableRandom(9);
    long edges = 0;
    long expected = 0;
    int[] numbers = new int[frontier];
    for (int i = 0; i < vertices / frontier; i++) {
      for (int j = 0; j < frontier; j++) {
        numbers[j] = random.nextInt(graph.vertexCount());
        expected += degrees[numbers[j]];
      }
      edges += reader.scan(numbers);
    }
    requireCount(expected, edges);
    return edges;
  }

  private static void requireCount(long expected, long found) {
    if (found != expected) {
      throw GraphMetaException.internal("Found " + found + " edges; expected " + expected);
    }
  }
}
