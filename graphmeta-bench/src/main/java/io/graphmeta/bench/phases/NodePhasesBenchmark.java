package io.graphmeta.bench.phases;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.Plan;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.traversal.TraversalProfile;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * As {@link PhasesBenchmark}, over shards on nodes, processes of their own on this machine, none of
 * which is slow: how long traversals of several steps take with each engine, and a picture of what
 * each shard did when, by recordings of the nodes (GraphMeta, figure 9). Each run has a copy of the
 * graph of its own, of which nothing is in a cache of neighbours.
 */
public final class NodePhasesBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("home", "graphmeta-server/target/graphmeta"),
          Map.entry("graph", "../shared/data/graphs/p2p-Gnutella08.txt"),
          Map.entry("nodes", "4"),
          Map.entry("shards", "8"),
          Map.entry("steps", "2,4,6,8"),
          Map.entry("filter", "false"),
          Map.entry("start", "0"),
          Map.entry("repetitions", "3"),
          Map.entry("warmups", "2"),
          Map.entry("picture-steps", "6"),
          Map.entry("picture", ""),
          Map.entry("json", ""));
  private static final int EDGES_PER_COMMIT = 2_000;

  /** What can be seen in the picture. */
  private static final long GAP_NANOS = 30_000;

  private final Arguments arguments;
  private final int shards;
  private final List<Run> runs = new ArrayList<>();

  private NodePhasesBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.shards = arguments.number("shards");
  }

  /** One traversal, by the clock of this machine. */
  private record Run(
      int steps,
      Engine engine,
      long count,
      Instant began,
      Instant ended,
      TraversalProfile profile) {
    double millis() {
      return Duration.between(began, ended).toNanos() / 1e6;
    }

    /** Levels that shards have told the client of. */
    long levels() {
      return profile.parts().stream().filter(part -> part.workNanos() > 0).count();
    }
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] given) throws IOException {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    Path home = Path.of(arguments.text("home")).toAbsolutePath();
    System.setProperty("graphmeta.home", home.toString());
    System.setProperty("logback.configurationFile", home.resolve("conf/logback.xml").toString());
    NodePhasesBenchmark benchmark = new NodePhasesBenchmark(arguments);
    try (ScratchDirectory scratch =
        new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")))) {
      Path directory = Files.createDirectories(scratch.path().resolve("recordings"));
      benchmark.run(scratch.path().resolve("cluster"), directory);
      NodeRecordings recordings = NodeRecordings.read(directory);
      benchmark.tell(recordings);
      if (!arguments.text("picture").isEmpty()) {
        benchmark.draw(recordings, Path.of(arguments.text("picture")));
      }
    }
  }

  private void run(Path directory, Path recordings) throws IOException {
    PeerGraph graph = PeerGraph.read(Path.of(arguments.text("graph")));
    List<String> options = new ArrayList<>(List.of("-Xmx512m"));
    options.addAll(NodeRecordings.options(recordings));
    try (LocalCluster cluster =
            LocalCluster.start(
                directory,
                new LocalCluster.Shape(arguments.number("nodes"), shards, 1),
                options,
                List.of("graphmeta.durability=background"));
        GraphDatabase database = GraphDatabases.open(cluster.config())) {
      int warmups = arguments.number("warmups");
      for (int round = 0; round < warmups + arguments.number("repetitions"); round++) {
        if (round == warmups) {
          runs.clear();
        }
        for (int steps : arguments.numbers("steps")) {
          runEngines(database, graph, steps);
        }
        System.err.println("round " + (round + 1) + " done");
      }
    }
  }

  private void runEngines(GraphDatabase database, PeerGraph graph, int steps) {
    long count = -1;
    for (Engine engine : Engine.values()) {
      long start = graph.load(database::begin, EDGES_PER_COMMIT, arguments.number("start"));
      Run run = run(database, start, steps, engine);
      if (count >= 0 && run.count() != count) {
        throw GraphMetaException.internal(
            engine + " finds " + run.count() + " vertices, another engine " + count);
      }
      count = run.count();
      runs.add(run);
    }
  }

  private Run run(GraphDatabase database, long start, int steps, Engine engine) {
    Plan plan = PeerGraph.plan(steps, Boolean.parseBoolean(arguments.text("filter")));
    try (GraphTransaction tx = database.begin()) {
      Instant began = Instant.now();
      try (PlanCursor run = tx.run(plan, Seeds.vertices(start), tx.snapshot(), engine)) {
        run.next();
        Instant ended = Instant.now();
        return new Run(steps, engine, run.bulk(), began, ended, run.profile());
      }
    }
  }

  private void tell(NodeRecordings recordings) throws IOException {
    Figures millis = new Figures();
    Figures shares = new Figures();
    for (Run run : runs) {
      String name = run.engine().name().toLowerCase(Locale.ROOT);
      millis.add(run.steps() + " steps, " + run.count() + " vertices, ms", name, run.millis());
      List<Interval> intervals = recordings.between(run.began(), run.ended());
      for (Kind kind : Kind.values()) {
        if (kind != Kind.START) {
          String measure =
              run.steps() + " steps, " + PhasePicture.name(kind) + ", ms of all shards";
          shares.add(measure, name, sumMillis(intervals, kind));
        }
      }
      long levels = intervals.stream().filter(interval -> interval.kind() == Kind.LEVEL).count();
      if (levels != run.levels()) {
        throw GraphMetaException.internal(
            "Nodes have recorded " + levels + " levels of shards, and told of " + run.levels());
      }
      shares.add(run.steps() + " steps, levels of all shards", name, levels);
    }
    System.out.print(millis.table());
    System.out.println();
    System.out.print(shares.table());
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), millis.json());
    }
  }

  private static double sumMillis(List<Interval> intervals, Kind kind) {
    return intervals.stream()
            .filter(interval -> interval.kind() == kind)
            .mapToLong(interval -> interval.endNanos() - interval.startNanos())
            .sum()
        / 1e6;
  }

  /** Draws the last run of each engine. */
  private void draw(NodeRecordings recordings, Path file) throws IOException {
    int steps = arguments.number("picture-steps");
    Map<String, List<Interval>> last = new LinkedHashMap<>();
    for (Run run : runs) {
      if (run.steps() == steps) {
        last.put(
            run.engine().name().toLowerCase(Locale.ROOT),
            Interval.merged(recordings.between(run.began(), run.ended()), GAP_NANOS));
      }
    }
    if (last.isEmpty()) {
      throw GraphMetaException.invalid(
          "Nothing ran " + steps + " steps; expected --picture-steps to be one of --steps");
    }
    String title =
        steps
            + " steps over "
            + shards
            + " shards on "
            + arguments.text("nodes")
            + " nodes; milliseconds";
    List<String> rows = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      rows.add("shard " + shard);
    }
    Files.writeString(file, new PhasePicture(rows).draw(title, last));
    System.err.println("Picture written to " + file);
  }
}
