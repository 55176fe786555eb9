package io.graphmeta.bench.experiment;

import io.graphmeta.bench.experiment.StepCosts.Cost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Several layouts of one graph side by side: the costs of scanning, and of walking some steps from,
 * one vertex of each degree, and the balance of entries over shards.
 */
final class Comparison {
  /** Costs that are compared. */
  enum Measure {
    SCAN_MESSAGES("StatComm of scan/scatter", true, Cost::messages),
    SCAN_READS("StatReads of scan/scatter", true, Cost::reads),
    STEPS_MESSAGES("StatComm of %d steps", false, Cost::messages),
    STEPS_READS("StatReads of %d steps", false, Cost::reads);

    private final String words;
    private final boolean isScan;
    private final ToLongFunction<Cost> value;

    Measure(String words, boolean isScan, ToLongFunction<Cost> value) {
      this.words = words;
      this.isScan = isScan;
      this.value = value;
    }

    String words(int steps) {
      return String.format(Locale.ROOT, words, steps);
    }

    String unit() {
      return this == SCAN_MESSAGES || this == STEPS_MESSAGES
          ? "messages between shards"
          : "reads on the busiest shard";
    }
  }

  /** What was counted from one vertex, by layout. */
  private record Row(DegreeSample sample, Cost[] scan, Cost[] steps, int[] partitions) {
    long value(Measure measure, int layout) {
      return measure.value.applyAsLong((measure.isScan ? scan : steps)[layout]);
    }

    boolean isLowest(Measure measure, int layout) {
      long value = value(measure, layout);
      return IntStream.range(0, scan.length).allMatch(other -> value <= value(measure, other));
    }
  }

  private static final int WIDE = 5;

  private final int threshold;
  private final int steps;
  private final List<String> names;
  private final List<Row> rows = new ArrayList<>();
  private final List<long[]> outEntries = new ArrayList<>();
  private final List<long[]> inEntries = new ArrayList<>();

  private Comparison(int threshold, int steps, List<Layout> layouts) {
    this.threshold = threshold;
    this.steps = steps;
    this.names = layouts.stream().map(Layout::name).toList();
  }

  /**
   * Places the graph under each layout and counts.
   *
   * @param seed draws the vertices
   */
  static Comparison of(
      DirectedGraph graph, List<Layout> layouts, int threshold, int steps, long seed) {
    Comparison comparison = new Comparison(threshold, steps, layouts);
    List<PlacedGraph> placed = new ArrayList<>();
    for (Layout layout : layouts) {
      comparison.inEntries.add(PlacedGraph.place(graph.reversed(), layout, threshold).entries());
      placed.add(PlacedGraph.place(graph, layout, threshold));
      comparison.outEntries.add(placed.get(placed.size() - 1).entries());
    }
    StepCosts costs = new StepCosts(graph, placed);
    for (DegreeSample sample : DegreeSample.draw(graph, seed)) {
      Cost[][] walk = costs.walk(sample.vertex(), steps);
      int[] partitions =
          placed.stream().mapToInt(under -> under.partitions(sample.vertex())).toArray();
      comparison.rows.add(new Row(sample, walk[0], walk[steps - 1], partitions));
    }
    return comparison;
  }

  List<String> names() {
    return names;
  }

  int steps() {
    return steps;
  }

  double[] degrees() {
    return rows.stream().mapToDouble(row -> row.sample.degree()).toArray();
  }

  /** The number of vertices of each degree. */
  double[] vertices() {
    return rows.stream().mapToDouble(row -> row.sample.vertices()).toArray();
  }

  /** The values of a measure, degree by degree. */
  double[] values(Measure measure, int layout) {
    return rows.stream().mapToDouble(row -> row.value(measure, layout)).toArray();
  }

  /** The layouts differ so much that their lines need a logarithmic axis to be told apart. */
  boolean isWide(Measure measure) {
    double[] sums =
        IntStream.range(0, names.size())
            .mapToDouble(layout -> Arrays.stream(values(measure, layout)).sum())
            .toArray();
    return Arrays.stream(sums).max().orElse(0) > WIDE * Arrays.stream(sums).min().orElse(0);
  }

  /** A line for each degree and layout. */
  String csv() {
    StringBuilder csv =
        new StringBuilder(
            "degree,vertices,vertex,layout,partitions,scan_comm,scan_reads,steps_comm,steps_reads\n");
    for (Row row : rows) {
      for (int layout = 0; layout < names.size(); layout++) {
        csv.append(row.sample.degree()).append(',').append(row.sample.vertices());
        csv.append(',').append(row.sample.vertex()).append(',').append(names.get(layout));
        csv.append(',').append(row.partitions[layout]);
        for (Measure measure : Measure.values()) {
          csv.append(',').append(row.value(measure, layout));
        }
        csv.append('\n');
      }
    }
    return csv.toString();
  }

  /** A line for each shard and layout. */
  String balanceCsv() {
    StringBuilder csv = new StringBuilder("layout,shard,out_entries,in_entries\n");
    for (int layout = 0; layout < names.size(); layout++) {
      for (int shard = 0; shard < outEntries.get(layout).length; shard++) {
        csv.append(names.get(layout)).append(',').append(shard);
        csv.append(',').append(outEntries.get(layout)[shard]);
        csv.append(',').append(inEntries.get(layout)[shard]).append('\n');
      }
    }
    return csv.toString();
  }

  /**
   * A Markdown table: sums over the vertices of each band of degrees, each with its ratio to the
   * first layout; below, the greatest number of entries on a shard over the mean.
   */
  String table() {
    StringBuilder table = new StringBuilder("| sum over one vertex of each degree |");
    names.forEach(name -> table.append(' ').append(name).append(" |"));
    table.append("\n|---|").append("---|".repeat(names.size())).append('\n');
    int[] bounds = bounds();
    for (Measure measure : Measure.values()) {
      for (int band = 1; band < bounds.length; band++) {
        appendBand(table, measure, bounds[band - 1] + 1, bounds[band]);
      }
    }
    appendPartitions(table, bounds);
    appendLowest(table, Measure.SCAN_MESSAGES);
    appendLowest(table, Measure.STEPS_MESSAGES);
    appendBalance(table, "out-entries", outEntries);
    appendBalance(table, "in-entries", inEntries);
    return table.toString();
  }

  /** Bands of degrees: to the threshold, then each to the double of the one before. */
  private int[] bounds() {
    int greatest = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).sample.degree();
    List<Integer> bounds = new ArrayList<>(List.of(0));
    for (int bound = threshold; ; bound *= 2) {
      bounds.add(Math.min(bound, greatest));
      if (bound >= greatest) {
        return bounds.stream().mapToInt(Integer::intValue).toArray();
      }
    }
  }

  private List<Row> band(int from, int to) {
    return rows.stream()
        .filter(row -> row.sample.degree() >= from && row.sample.degree() <= to)
        .toList();
  }

  private void appendBand(StringBuilder table, Measure measure, int from, int to) {
    table.append(
        String.format(Locale.ROOT, "| %s, degrees %d to %d |", measure.words(steps), from, to));
    List<Row> band = band(from, to);
    double first = 0;
    for (int layout = 0; layout < names.size(); layout++) {
      int column = layout;
      long sum = band.stream().mapToLong(row -> row.value(measure, column)).sum();
      first = layout == 0 ? sum : first;
      table.append(
          layout == 0
              ? String.format(Locale.ROOT, " %,d |", sum)
              : String.format(Locale.ROOT, " %,d = %.3f |", sum, sum / first));
    }
    table.append('\n');
  }

  private void appendPartitions(StringBuilder table, int[] bounds) {
    for (int band = 1; band < bounds.length; band++) {
      table.append(
          String.format(
              Locale.ROOT,
              "| mean number of partitions, degrees %d to %d |",
              bounds[band - 1] + 1,
              bounds[band]));
      List<Row> inBand = band(bounds[band - 1] + 1, bounds[band]);
      for (int layout = 0; layout < names.size(); layout++) {
        int column = layout;
        double mean = inBand.stream().mapToInt(row -> row.partitions[column]).average().orElse(0);
        table.append(String.format(Locale.ROOT, " %.1f |", mean));
      }
      table.append('\n');
    }
  }

  private void appendLowest(StringBuilder table, Measure measure) {
    List<Row> above = band(threshold + 1, Integer.MAX_VALUE);
    table.append(
        String.format(
            Locale.ROOT,
            "| of %d degrees above %d, those with the least %s |",
            above.size(),
            threshold,
            measure.words(steps)));
    for (int layout = 0; layout < names.size(); layout++) {
      int column = layout;
      long lowest = above.stream().filter(row -> row.isLowest(measure, column)).count();
      table.append(' ').append(lowest).append(" |");
    }
    table.append('\n');
  }

  private void appendBalance(StringBuilder table, String words, List<long[]> entries) {
    table.append("| greatest over mean number of ").append(words).append(" on a shard |");
    for (long[] ofLayout : entries) {
      double mean = Arrays.stream(ofLayout).average().orElse(0);
      long greatest = Arrays.stream(ofLayout).max().orElse(0);
      table.append(String.format(Locale.ROOT, " %.3f |", greatest / mean));
    }
    table.append('\n');
  }
}
