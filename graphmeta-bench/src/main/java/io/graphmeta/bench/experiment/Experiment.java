package io.graphmeta.bench.experiment;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.experiment.Comparison.Measure;
import io.graphmeta.bench.report.LineChart;
import io.graphmeta.bench.report.LineChart.Axis;
import io.graphmeta.bench.report.LineChart.Scale;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.Placements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs one experiment by its name; see {@code docs/internals/HACKING.md}. Tables go to the standard
 * output, one CSV with every figure and SVGs in the paper's form into a directory.
 *
 * <ul>
 *   <li>{@code rmat}: Figs. 12 to 15 of the paper, for each number of shards;
 *   <li>{@code graphs}: the same for graphs from files;
 *   <li>{@code tree}: the partition tree over shards beside the one over virtual nodes;
 *   <li>{@code threshold}: Fig. 8, one vertex with many edges under several thresholds;
 *   <li>{@code hot}: several clients on one vertex, with each strategy;
 *   <li>{@code ingest}: Fig. 11, the insertion of a graph;
 *   <li>{@code traversal}: Fig. 16, traversals of several steps.
 * </ul>
 */
public final class Experiment {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("vertices", "100000"),
          Map.entry("edges", "12800000"),
          Map.entry("seed", "1"),
          Map.entry("shards", "32"),
          Map.entry("virtual-nodes", "1024"),
          Map.entry("threshold", "128"),
          Map.entry("steps", "3"),
          Map.entry("graphs", "../shared/data/graphs"),
          Map.entry("directory", "graphmeta-bench/target/experiments"));

  private static final String DEGREE_COLOR = "#bbbbbb";

  private static final String NAMES = "rmat, graphs, tree, threshold, hot, ingest or traversal";

  private final Arguments arguments;

  private Experiment(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Runs the experiment that the first argument names. */
  public static void main(String[] args) throws IOException {
    if (args.length == 0) {
      throw GraphMetaException.invalid("No experiment named; expected " + NAMES);
    }
    Map<String, String> defaults = new HashMap<>(DEFAULTS);
    defaults.putAll(TimedExperiments.DEFAULTS);
    Arguments arguments = Arguments.parse(Arrays.copyOfRange(args, 1, args.length), defaults);
    Experiment experiment = new Experiment(arguments);
    TimedExperiments timed = new TimedExperiments(arguments);
    switch (args[0]) {
      case "rmat" -> experiment.strategies("rmat", experiment.rmat());
      case "graphs" -> experiment.graphs();
      case "tree" -> experiment.tree();
      case "threshold" -> timed.thresholds();
      case "hot" -> timed.hot();
      case "ingest" -> timed.ingest();
      case "traversal" -> timed.traversal();
      default ->
          throw GraphMetaException.invalid("'" + args[0] + "' is no experiment; expected " + NAMES);
    }
  }

  private DirectedGraph rmat() {
    return DirectedGraph.of(
        RMatGraph.ofVertices(
            arguments.number("vertices"),
            arguments.number("edges"),
            RMatGraph.Quadrants.MODERATE,
            arguments.number("seed")));
  }

  private void graphs() throws IOException {
    Path directory = Path.of(arguments.text("graphs"));
    if (!Files.isDirectory(directory)) {
      System.out.println("Skipped: no graphs, since there is no directory " + directory);
      return;
    }
    List<Path> files = new ArrayList<>();
    try (var found = Files.newDirectoryStream(directory, "*.txt")) {
      found.forEach(files::add);
    }
    files.sort(null);
    for (Path file : files) {
      String name = file.getFileName().toString().replace(".txt", "");
      strategies(name, DirectedGraph.read(file));
    }
  }

  private void strategies(String graphName, DirectedGraph graph) throws IOException {
    for (int shards : arguments.numbers("shards")) {
      List<Layout> layouts =
          Strategies.ALL.stream()
              .map(s -> Layout.overShards(s, arguments.number("virtual-nodes"), shards))
              .toList();
      compare(graphName + "-" + shards, shards + " shards", graph, layouts);
    }
  }

  private void tree() throws IOException {
    DirectedGraph graph = rmat();
    for (int shards : arguments.numbers("shards")) {
      List<Layout> layouts = new ArrayList<>();
      layouts.add(Layout.overShards(Placements.EDGE_CUT, shards, shards));
      layouts.add(Layout.overShards(Placements.DIDO, shards, shards));
      layouts.add(Layout.overShards(new LowBitsFirst(), shards, shards));
      for (int nodes : arguments.numbers("virtual-nodes")) {
        layouts.add(Layout.overVirtualNodes("dido over " + nodes, Placements.DIDO, nodes, shards));
      }
      List<Integer> all = arguments.numbers("virtual-nodes");
      int nodes = all.get(all.size() - 1);
      layouts.add(
          Layout.overBlocks("dido over " + nodes + " in blocks", Placements.DIDO, nodes, shards));
      compare("tree-" + shards, shards + " shards", graph, layouts);
    }
  }

  private void compare(String name, String where, DirectedGraph graph, List<Layout> layouts)
      throws IOException {
    int threshold = arguments.number("threshold");
    Comparison comparison =
        Comparison.of(
            graph, layouts, threshold, arguments.number("steps"), arguments.number("seed"));
    Path directory = Path.of(arguments.text("directory"));
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(name + ".csv"), comparison.csv());
    Files.writeString(directory.resolve(name + "-balance.csv"), comparison.balanceCsv());
    for (Measure measure : Measure.values()) {
      String file = name + "-" + measure.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
      String title = measure.words(comparison.steps()) + ", " + where + ", threshold " + threshold;
      Files.writeString(directory.resolve(file), chart(title, measure, comparison));
    }
    System.out.printf(
        Locale.ROOT,
        "%n%s: %,d vertices, %,d edges, %s, threshold %d%n%n%s",
        name,
        graph.vertexCount(),
        graph.edgeCount(),
        where,
        threshold,
        comparison.table());
  }

  private static String chart(String title, Measure measure, Comparison comparison) {
    boolean isWide = comparison.isWide(measure);
    LineChart chart =
        new LineChart(
            title,
            new Axis("out-degree of the vertex", Scale.LINEAR),
            new Axis(measure.unit(), isWide ? Scale.LOGARITHMIC : Scale.LINEAR),
            new Axis("vertices of the degree", Scale.LOGARITHMIC));
    double[] degrees = comparison.degrees();
    chart.lineOnRight("degree distribution", DEGREE_COLOR, degrees, comparison.vertices());
    for (int layout = 0; layout < comparison.names().size(); layout++) {
      chart.line(
          comparison.names().get(layout),
          Strategies.color(layout),
          degrees,
          Arrays.stream(comparison.values(measure, layout))
              .map(value -> isWide ? Math.max(value, 1) : value)
              .toArray());
    }
    return chart.draw();
  }
}
