package io.graphmeta.bench.experiment;

import io.graphmeta.bench.cluster.Slowness;
import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.LineChart;
import io.graphmeta.bench.report.LineChart.Axis;
import io.graphmeta.bench.report.LineChart.Scale;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The experiments that take time: shards in one process, whose messages, reads and writes last
 * without taking a processor. All that is compared is run in turn, round by round.
 */
final class TimedExperiments {
  /** Arguments of these experiments alone. */
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("thresholds", "128,256,512,1024,2048,4096"),
          Map.entry("hot-edges", "8192"),
          Map.entry("clients", "8"),
          Map.entry("inserts", "20000"),
          Map.entry("graph", "../shared/data/graphs/wiki-Vote.txt"),
          Map.entry("step-counts", "2,4,8"),
          Map.entry("start", "0"),
          Map.entry("message-micros", "200"),
          Map.entry("seek-micros", "50"),
          Map.entry("row-micros", "5"),
          Map.entry("write-micros", "100"),
          Map.entry("repetitions", "3"),
          Map.entry("warmups", "1"));

  private final Arguments arguments;
  private final Figures figures = new Figures();

  TimedExperiments(Arguments arguments) {
    this.arguments = arguments;
  }

  private Slowness slowness(int shards) {
    return Slowness.ofAll(
        shards,
        arguments.number("message-micros") * 1000L,
        arguments.number("seek-micros") * 1000L,
        arguments.number("row-micros") * 1000L,
        arguments.number("write-micros") * 1000L);
  }

  /** One round of an experiment. */
  @FunctionalInterface
  private interface Round {
    void run(boolean measured);
  }

  private void rounds(Round round) {
    int warmups = arguments.number("warmups");
    int all = warmups + arguments.number("repetitions");
    for (int i = 0; i < all; i++) {
      round.run(i >= warmups);
      System.err.println("round " + (i + 1) + " of " + all + " done");
    }
  }

  private void add(boolean measured, String measure, String subject, double value) {
    if (measured) {
      figures.add(measure, subject, value);
    }
  }

  /** Fig. 8: one client inserts and scans one vertex, for each threshold. */
  void thresholds() throws IOException {
    List<Integer> thresholds = arguments.numbers("thresholds");
    for (int shards : arguments.numbers("shards")) {
      rounds(
          measured -> {
            for (int threshold : thresholds) {
              HotVertex.Outcome outcome = HotVertex.run(hot(Placements.DIDO, shards, threshold, 1));
              String subject = "threshold " + threshold;
              add(measured, shards + " shards, insert, ms", subject, outcome.insertMillis());
              add(measured, shards + " shards, scan, ms", subject, outcome.scanMillis());
              add(measured, shards + " shards, moves", subject, outcome.moves());
            }
          });
      double[] xs = thresholds.stream().mapToDouble(Integer::doubleValue).toArray();
      LineChart chart =
          new LineChart(
              "Insert and scan of one vertex with "
                  + arguments.text("hot-edges")
                  + " edges, "
                  + shards
                  + " shards",
              new Axis("split threshold", Scale.LINEAR),
              new Axis("insert, ms", Scale.LINEAR),
              new Axis("scan, ms", Scale.LINEAR));
      chart.line(
          "insert", Strategies.color(0), xs, medians(shards + " shards, insert, ms", thresholds));
      chart.lineOnRight(
          "scan", Strategies.color(1), xs, medians(shards + " shards, scan, ms", thresholds));
      write("threshold-" + shards + ".svg", chart.draw());
    }
    finish("threshold");
  }

  private double[] medians(String measure, List<Integer> thresholds) {
    return thresholds.stream()
        .mapToDouble(threshold -> figures.median(measure, "threshold " + threshold))
        .toArray();
  }

  private HotVertex.Setup hot(Placement placement, int shards, int threshold, int clients) {
    return new HotVertex.Setup(
        placement, shards, threshold, clients, arguments.number("hot-edges"), slowness(shards));
  }

  /** Several clients insert edges of one vertex, which is then scanned, with each strategy. */
  void hot() throws IOException {
    for (int shards : arguments.numbers("shards")) {
      rounds(
          measured -> {
            for (Placement placement : Strategies.ALL) {
              HotVertex.Outcome outcome =
                  HotVertex.run(
                      hot(
                          placement,
                          shards,
                          arguments.number("threshold"),
                          arguments.number("clients")));
              String on = shards + " shards, ";
              String name = placement.name();
              add(measured, on + "insert, ms", name, outcome.insertMillis());
              add(measured, on + "commit, 99 of 100 within ms", name, outcome.commitMillis());
              add(measured, on + "scan, ms", name, outcome.scanMillis());
              add(measured, on + "moves", name, outcome.moves());
              add(measured, on + "held, 99 of 100 within ms", name, outcome.heldMillis());
            }
          });
    }
    finish("hot");
  }

  /** Fig. 11: eight clients for each shard insert edges of a graph one by one. */
  void ingest() throws IOException {
    DirectedGraph graph = DirectedGraph.read(Path.of(arguments.text("graph")));
    List<Integer> numbers = arguments.numbers("shards");
    rounds(
        measured -> {
          for (int shards : numbers) {
            for (Placement placement : Strategies.ALL) {
              ClusterGraph loaded =
                  new ClusterGraph(graph, placement, shards, arguments.number("threshold"));
              ClusterGraph.Inserted inserted =
                  loaded.insert(8 * shards, arguments.number("inserts"), slowness(shards));
              String on = shards + " shards, ";
              String name = placement.name();
              add(measured, on + "edges/s", name, inserted.perSecond());
              add(measured, on + "commit, 99 of 100 within ms", name, inserted.commitMillis());
              add(measured, on + "moves", name, inserted.moves());
              add(measured, on + "held, 99 of 100 within ms", name, inserted.heldMillis());
            }
          }
        });
    draw("ingest", "Insertion", "shards", "edges in a second", numbers, "%d shards, edges/s");
    finish("ingest");
  }

  /** Fig. 16: traversals of several steps, each with empty caches. */
  void traversal() throws IOException {
    DirectedGraph graph = DirectedGraph.read(Path.of(arguments.text("graph")));
    int shards = arguments.numbers("shards").get(0);
    List<Integer> steps = arguments.numbers("step-counts");
    List<ClusterGraph> loaded =
        Strategies.ALL.stream()
            .map(each -> new ClusterGraph(graph, each, shards, arguments.number("threshold")))
            .toList();
    loaded.forEach(ClusterGraph::insertAll);
    rounds(
        measured -> {
          for (int count : steps) {
            long vertices = -1;
            for (int i = 0; i < loaded.size(); i++) {
              ClusterGraph.Traversed traversed =
                  loaded
                      .get(i)
                      .traverse(arguments.number("start"), count, 64L << 20, slowness(shards));
              if (vertices >= 0 && traversed.vertices() != vertices) {
                throw new IllegalStateException(
                    traversed.vertices() + " vertices found, elsewhere " + vertices);
              }
              vertices = traversed.vertices();
              add(measured, count + " steps, ms", Strategies.ALL.get(i).name(), traversed.millis());
            }
          }
        });
    draw("traversal", shards + " shards", "steps", "milliseconds", steps, "%d steps, ms");
    finish("traversal");
  }

  private void draw(
      String name, String title, String across, String up, List<Integer> xs, String measure)
      throws IOException {
    LineChart chart =
        new LineChart(
            title,
            new Axis(across, Scale.LINEAR),
            new Axis(up, Scale.LINEAR),
            new Axis("", Scale.LINEAR));
    for (int i = 0; i < Strategies.ALL.size(); i++) {
      String strategy = Strategies.ALL.get(i).name();
      chart.line(
          strategy,
          Strategies.color(i),
          xs.stream().mapToDouble(Integer::doubleValue).toArray(),
          xs.stream()
              .mapToDouble(x -> figures.median(String.format(Locale.ROOT, measure, x), strategy))
              .toArray());
    }
    write(name + ".svg", chart.draw());
  }

  private void finish(String name) throws IOException {
    write(name + ".csv", figures.csv());
    System.out.print(figures.table());
  }

  private void write(String file, String text) throws IOException {
    Path directory = Path.of(arguments.text("directory"));
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(file), text);
  }
}
