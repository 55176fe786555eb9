package io.graphmeta.bench.engine;

import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.DistinctSteps;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whole plans against a plain loop over arrays of longs, warm: distinct out-steps, and paths
 * counted, from one vertex of an R-MAT graph, in a database with one shard.
 */
public final class TraversalBenchmark {
  private final Arguments arguments;
  private final long[] keys;
  private final RMatGraph graph;
  private final GraphDatabase database;
  private @Nullable Walk walk;
  private long start;

  private TraversalBenchmark(Arguments arguments, GraphDatabase database) {
    this.arguments = arguments;
    this.database = database;
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
    this.keys = new long[graph.vertexCount()];
  }

  /** Runs it; see {@code HACKING}. */
  public static void main(String[] given) throws IOException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.of(
                "scale",
                "18",
                "edges",
                "1000000",
                "repetitions",
                "15",
                "warmups",
                "10",
                "steps",
                "6",
                "shards",
                "1",
                "shard-threads",
                "0"));
    try (ScratchDirectory directory =
            new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")));
        GraphDatabase database =
            GraphDatabases.open(
                GraphMetaConfig.inDirectory(directory.path().resolve("db"))
                    .with(Setting.DURABILITY, "background")
                    .with(Setting.SHARDS, arguments.number("shards"))
                    .with(Setting.SHARD_THREADS, arguments.number("shard-threads"))
                    .with(Setting.ADJACENCY_CACHE_BYTES, 1 << 28))) {
      TraversalBenchmark benchmark = new TraversalBenchmark(arguments, database);
      benchmark.load();
      System.out.println(benchmark.run().table());
    }
  }

  private void load() {
    for (int from = 0; from < keys.length; from += 2000) {
      try (GraphTransaction tx = database.begin()) {
        for (int i = from; i < Math.min(keys.length, from + 2000); i++) {
          keys[i] = tx.addVertex(null, "vertex", Map.of("number", i), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    for (int from = 0; from < graph.edgeCount(); from += 5000) {
      try (GraphTransaction tx = database.begin()) {
        for (int i = from; i < Math.min(graph.edgeCount(), from + 5000); i++) {
          tx.addEdge(
              null,
              keys[graph.source(i)],
              "to",
              keys[graph.destination(i)],
              Map.of("weight", i),
              Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    Walk made = new Walk(graph, vertex -> keys[vertex]);
    walk = made;
    start = made.startReaching(3, 23_100, graph);
  }

  private Walk walk() {
    return Objects.requireNonNull(walk);
  }

  private Figures run() throws IOException {
    return Interleaving.repeat(
        arguments.number("warmups"),
        arguments.number("repetitions"),
        List.of("loop", "plan"),
        (subject, figures) -> {
          for (int steps = 1; steps <= arguments.number("steps"); steps++) {
            long startedNanos = System.nanoTime();
            long found = subject.equals("loop") ? walk().plain(start, steps) : distinct(steps);
            figures.add(
                steps + " distinct steps, ms", subject, (System.nanoTime() - startedNanos) / 1e6);
            if (found != walk().plain(start, steps)) {
              throw new IllegalStateException(subject + " found " + found);
            }
          }
        },
        any -> {});
  }

  private long distinct(int steps) {
    try (GraphTransaction tx = database.begin();
        PlanCursor run =
            tx.run(DistinctSteps.plan(steps), Seeds.vertices(start), tx.snapshot(), Engine.SYNC)) {
      run.next();
      return run.bulk();
    }
  }
}
