package io.graphmeta.bench.budget;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.peers.GraphMaker;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import io.graphmeta.bench.peers.runner.everyday.Rounds;
import io.graphmeta.bench.peers.runner.everyday.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Does everyday operations on GraphMeta under Java Flight Recorder and prints what one of them
 * costs in each layer, beside its budget. Ends with code 1 if a layer goes over it.
 *
 * <p>The processor time of the threads is dealt out by samples of what they run, the allocated
 * bytes by samples of who allocates them; what the process took beyond its threads of Java has a
 * layer of its own.
 */
public final class BudgetBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "workloads", String.join(",", Budget.workloads()),
          "directory", System.getProperty("java.io.tmpdir"),
          "scale", "17",
          "edges", "1000000",
          "seed", "1",
          "warmup-seconds", "20",
          "seconds", "20",
          "settings", "graphmeta.durability=background",
          "slower-percent", "100",
          "methods", "0");

  private final Arguments arguments;
  private final List<String> excesses = new ArrayList<>();

  private BudgetBenchmark(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Runs the benchmark. */
  public static void main(String[] given) throws Exception {
    List<String> excesses = run(given);
    excesses.forEach(System.err::println);
    System.exit(excesses.isEmpty() ? 0 : 1);
  }

  /** Runs the benchmark; what went over its budget. */
  static List<String> run(String... given) throws Exception {
    BudgetBenchmark benchmark = new BudgetBenchmark(Arguments.parse(given, DEFAULTS));
    System.setProperty(GraphMetaProvider.SETTINGS, benchmark.arguments.text("settings"));
    GraphFile graph =
        GraphMaker.make(
            benchmark.arguments.number("scale"),
            benchmark.arguments.number("edges"),
            benchmark.arguments.number("seed"));
    for (String name : benchmark.arguments.text("workloads").split(",")) {
      for (Workload workload : Workload.named(name)) {
        benchmark.measure(workload, graph);
      }
    }
    return benchmark.excesses;
  }

  private void measure(Workload workload, GraphFile graph) throws Exception {
    Budget budget = Budget.of(workload);
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      Rounds rounds =
          Rounds.of(new GraphMetaProvider(), graph, scratch.path().resolve("data"), workload);
      rounds.fill();
      rounds.open();
      rounds.run(arguments.number("warmup-seconds") * 1_000L);
      Rounds.Outcome[] outcome = new Rounds.Outcome[1];
      LayerCosts costs =
          LayerCosts.of(() -> outcome[0] = rounds.run(arguments.number("seconds") * 1_000L));
      rounds.check();
      rounds.close();
      print(workload, budget, outcome[0], costs);
    }
  }

  private void print(Workload workload, Budget budget, Rounds.Outcome outcome, LayerCosts costs) {
    double operations = outcome.operations();
    System.out.printf(
        Locale.ROOT,
        "%n%s: %,.0f a second, %.2f \u00b5s of processors and %,.0f bytes for one; %,d samples%n%n",
        workload,
        operations * 1e9 / outcome.nanos(),
        outcome.cpuNanos() / 1e3 / operations,
        outcome.bytes() / operations,
        costs.samples().sum());
    System.out.println("| layer | \u00b5s | at most | bytes | at most |\n|---|---|---|---|---|");
    double factor = arguments.number("slower-percent") / 100.0;
    for (Layer layer : Layer.values()) {
      double nanos =
          layer == Layer.OTHER
              ? outcome.cpuNanos() - costs.threadNanos()
              : costs.samples().of(layer) * costs.threadNanos();
      double micros = Math.max(0, nanos) / 1e3 / operations;
      double bytes = costs.bytes().of(layer) * outcome.bytes() / operations;
      Budget.Limit limit = budget.limit(layer);
      double most = limit.micros() * factor;
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.2f | %,.0f | %,.0f |%n",
          layer,
          micros,
          most,
          bytes,
          limit.bytes());
      String where = workload + " in layer " + layer + " takes";
      require(where, "\u00b5s of processors", micros, most);
      require(where, "allocated bytes", bytes, limit.bytes());
    }
    double bytes = outcome.bytes() / operations;
    System.out.printf(
        Locale.ROOT,
        "| all | %.2f | | %,.0f | %,.0f |%n",
        outcome.cpuNanos() / 1e3 / operations,
        bytes,
        budget.allBytes());
    require(workload + " takes", "allocated bytes in all", bytes, budget.allBytes());
    double micros = costs.threadNanos() / 1e3 / operations;
    printMethods("\u00b5s", costs.samples().largest(arguments.number("methods")), micros);
    printMethods("bytes", costs.bytes().largest(arguments.number("methods")), bytes);
  }

  private static void printMethods(String unit, Map<String, Double> shares, double all) {
    shares.forEach(
        (method, share) ->
            System.out.printf(Locale.ROOT, "  %,10.2f %s: %s%n", share * all, unit, method));
  }

  private void require(String subject, String what, double cost, double most) {
    if (cost > most) {
      excesses.add(
          String.format(
              Locale.ROOT,
              "One operation of %s %.2f %s; expected at most %.2f",
              subject,
              cost,
              what,
              most));
    }
  }
}
