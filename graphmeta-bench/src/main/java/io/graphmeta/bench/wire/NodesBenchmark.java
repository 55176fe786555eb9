package io.graphmeta.bench.wire;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.DistinctSteps;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a graph costs when its shards are on nodes, processes of their own on this machine, beside
 * as many shards in this process: small reads, small commits, the load of an R-MAT graph, and
 * traversals of several steps with each engine (GraphMeta, figures 10 and 16). Beside these an echo
 * over a socket, as the least that a question can cost. All subjects are open all the time and are
 * measured in turn; the processor time is that of this process and of the nodes.
 */
public final class NodesBenchmark {
  private static final String ECHO = "echo";
  private static final String EMBEDDED = "embedded";
  private static final int PER_COMMIT = 500;
  private static final int ECHO_BYTES = 100;

  private final Arguments arguments;
  private final RMatGraph graph;
  private final Map<String, Opened> subjects = new LinkedHashMap<>();
  private final Map<String, Long> expected = new LinkedHashMap<>();

  private NodesBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
  }

  /** A database that is measured, and the processes behind it. */
  private record Opened(GraphDatabase database, @Nullable LocalCluster cluster, int nodes)
      implements AutoCloseable {
    List<ProcessHandle> processes() {
      List<ProcessHandle> all = new ArrayList<>();
      for (int node = 1; node <= nodes; node++) {
        all.add(Objects.requireNonNull(cluster).node(node).handle());
      }
      return all;
    }

    @Override
    public void close() {
      database.close();
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  /**
   * Runs it; {@code --home=} is the distribution, {@code --nodes=} numbers of nodes, {@code
   * --replicas=} how many replicas of each shard these have, {@code --placements=} where edges are
   * put, the others see {@code HACKING}.
   */
  public static void main(String[] given) throws IOException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.ofEntries(
                Map.entry("home", "graphmeta-server/target/graphmeta"),
                Map.entry("nodes", "1,2,4"),
                Map.entry("replicas", "1"),
                Map.entry("durability", "background"),
                Map.entry("placements", "dido"),
                Map.entry("shards", "8"),
                Map.entry("scale", "12"),
                Map.entry("edges", "40000"),
                Map.entry("reads", "8000"),
                Map.entry("commits", "4000"),
                Map.entry("callers", "1,8"),
                Map.entry("steps", "2,4,8"),
                Map.entry("traversals", "40"),
                Map.entry("repetitions", "3"),
                Map.entry("warmups", "2")));
    Path home = Path.of(arguments.text("home")).toAbsolutePath();
    System.setProperty("graphmeta.home", home.toString());
    System.setProperty("logback.configurationFile", home.resolve("conf/logback.xml").toString());
    NodesBenchmark benchmark = new NodesBenchmark(arguments);
    try (ScratchDirectory scratch =
        new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")))) {
      try {
        benchmark.open(scratch.path());
        List<String> subjects = new ArrayList<>(benchmark.subjects.keySet());
        subjects.add(ECHO);
        System.out.println(
            Interleaving.repeat(
                    arguments.number("warmups"),
                    arguments.number("repetitions"),
                    subjects,
                    benchmark::run,
                    System.err::println)
                .table());
      } finally {
        benchmark.subjects.values().forEach(Opened::close);
      }
    }
  }

  private void open(Path directory) {
    int shards = arguments.number("shards");
    String durability = arguments.text("durability");
    List<String> placements = List.of(arguments.text("placements").split(","));
    for (String placement : placements) {
      String suffix = placements.size() == 1 ? "" : ", " + placement;
      subjects.put(
          EMBEDDED + suffix,
          new Opened(
              GraphDatabases.open(
                  GraphMetaConfig.inDirectory(directory.resolve(EMBEDDED + suffix))
                      .with(Setting.DURABILITY, durability)
                      .with(Setting.PLACEMENT, placement)
                      .with(Setting.SHARDS, shards)),
              null,
              0));
      for (int nodes : arguments.numbers("nodes")) {
        for (int replicas : arguments.numbers("replicas")) {
          String name =
              nodes
                  + (nodes == 1 ? " node" : " nodes")
                  + (replicas == 1 ? "" : " with " + replicas + " replicas")
                  + suffix;
          LocalCluster cluster =
              LocalCluster.start(
                  directory.resolve(name),
                  new LocalCluster.Shape(nodes, shards, replicas),
                  List.of("-Xmx512m"),
                  List.of(
                      "graphmeta.durability=" + durability, "graphmeta.placement=" + placement));
          subjects.put(name, new Opened(GraphDatabases.open(cluster.config()), cluster, nodes));
        }
      }
    }
  }

  private void run(String subject, Figures figures) {
    if (subject.equals(ECHO)) {
      try (Echo echo = new Echo()) {
        for (int callers : arguments.numbers("callers")) {
          measure(
              figures,
              "small read, callers: " + callers,
              "transaction",
              subject,
              List.of(),
              callers,
              arguments.number("reads"),
              number -> echo.ask(ECHO_BYTES).join());
        }
      }
      return;
    }
    Opened opened = Objects.requireNonNull(subjects.get(subject));
    long[] keys = vertices(opened.database());
    load(subject, opened, keys, figures);
    for (int callers : arguments.numbers("callers")) {
      measure(
          figures,
          "small read, callers: " + callers,
          "transaction",
          subject,
          opened.processes(),
          callers,
          arguments.number("reads"),
          number -> read(opened.database(), keys[number % keys.length]));
      measure(
          figures,
          "small commit, callers: " + callers,
          "transaction",
          subject,
          opened.processes(),
          callers,
          arguments.number("commits"),
          number -> insert(opened.database(), keys, number, number + 1));
    }
    for (int steps : arguments.numbers("steps")) {
      for (Engine engine : Engine.values()) {
        traverse(subject, opened, keys, steps, engine, figures);
      }
    }
  }

  private long[] vertices(GraphDatabase database) {
    long[] keys = new long[graph.vertexCount()];
    for (int from = 0; from < keys.length; from += PER_COMMIT) {
      try (GraphTransaction tx = database.begin()) {
        for (int i = from; i < Math.min(keys.length, from + PER_COMMIT); i++) {
          keys[i] = tx.addVertex(null, "vertex", Map.of("number", i), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    return keys;
  }

  private void load(String subject, Opened opened, long[] keys, Figures figures) {
    Effort effort = new Effort(opened.processes());
    for (int from = 0; from < graph.edgeCount(); from += PER_COMMIT) {
      insert(opened.database(), keys, from, Math.min(graph.edgeCount(), from + PER_COMMIT));
    }
    effort.addTo(figures, "load of R-MAT", "edge", subject, graph.edgeCount());
  }

  private void insert(GraphDatabase database, long[] keys, int from, int to) {
    try (GraphTransaction tx = database.begin()) {
      for (int number = from; number < to; number++) {
        int edge = number % graph.edgeCount();
        tx.addEdge(
            null,
            keys[graph.source(edge)],
            "to",
            keys[graph.destination(edge)],
            Map.of("weight", number),
            Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  private static void read(GraphDatabase database, long key) {
    try (GraphTransaction tx = database.begin()) {
      if (tx.vertices(new long[] {key}, tx.snapshot()).get(0) == null) {
        throw GraphMetaException.internal("Vertex " + key + " is not there");
      }
    }
  }

  private void traverse(
      String subject, Opened opened, long[] keys, int steps, Engine engine, Figures figures) {
    int count = arguments.number("traversals");
    SplittableRandom random = new SplittableRandom(steps);
    long[] found = new long[1];
    measure(
        figures,
        steps + " steps, " + engine,
        "traversal",
        subject,
        opened.processes(),
        1,
        count,
        number ->
            found[0] +=
                distinct(
                    opened.database(),
                    keys[graph.source(random.nextInt(graph.edgeCount()))],
                    steps,
                    engine));
    // All begin with the same vertices of the same graph.
    String what = steps + " steps";
    long told = expected.computeIfAbsent(what, any -> found[0]);
    if (told != found[0]) {
      throw GraphMetaException.internal(
          subject + " found " + found[0] + " by " + what + ", others " + told);
    }
  }

  private static long distinct(GraphDatabase database, long start, int steps, Engine engine) {
    try (GraphTransaction tx = database.begin();
        PlanCursor run =
            tx.run(DistinctSteps.plan(steps), Seeds.vertices(start), tx.snapshot(), engine)) {
      return run.next() ? run.bulk() : 0;
    }
  }

  private static void measure(
      Figures figures,
      String measure,
      String unit,
      String subject,
      List<ProcessHandle> processes,
      int callers,
      int count,
      IntConsumer work) {
    Effort effort = new Effort(processes);
    Clients.run(
        callers,
        caller -> {
          for (int i = caller; i < count; i += callers) {
            work.accept(i);
          }
        });
    effort.addTo(figures, measure, unit, subject, count);
  }
}
