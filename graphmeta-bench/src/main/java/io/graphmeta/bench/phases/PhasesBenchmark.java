package io.graphmeta.bench.phases;

import io.graphmeta.bench.cluster.SlowCluster;
import io.graphmeta.bench.cluster.Slowness;
import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.placement.Placements;
import io.graphmeta.plan.Plan;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.traversal.TraversalProfile;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Traversals of several steps over several shards, one of them slow, with each engine: how long
 * they take, and a picture of what each shard did when (GraphMeta, section 6.3). Each run begins
 * with empty caches.
 */
public final class PhasesBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("graph", "../shared/data/graphs/p2p-Gnutella08.txt"),
          Map.entry("shards", "8"),
          Map.entry("message-micros", "300"),
          Map.entry("seek-micros", "50"),
          Map.entry("slow-shard", "3"),
          Map.entry("slow-message-micros", "3000"),
          Map.entry("slow-seek-micros", "50"),
          Map.entry("steps", "2,4,6,8"),
          Map.entry("filter", "false"),
          Map.entry("start", "0"),
          Map.entry("repetitions", "5"),
          Map.entry("warmups", "1"),
          Map.entry("picture-steps", "6"),
          Map.entry("picture", ""),
          Map.entry("json", ""));
  private static final int EDGES_PER_COMMIT = 20_000;
  private static final SlowCluster.Options CLUSTER =
      new SlowCluster.Options(Placements.DIDO, 128, 64L << 20, false);

  private final Arguments arguments;
  private final int shards;
  private final int slowShard;
  private final List<StorageEngine> stores = new ArrayList<>();
  private final Phases phases = new Phases();
  private long start;

  private PhasesBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.shards = arguments.number("shards");
    this.slowShard = arguments.number("slow-shard");
  }

  /** Runs the benchmark; see {@code docs/internals/HACKING.md}. */
  public static void main(String[] args) throws IOException {
    PhasesBenchmark benchmark = new PhasesBenchmark(Arguments.parse(args, DEFAULTS));
    benchmark.load();
    benchmark.measure();
    if (!benchmark.arguments.text("picture").isEmpty()) {
      benchmark.draw(Path.of(benchmark.arguments.text("picture")));
    }
  }

  private void load() throws IOException {
    for (int shard = 0; shard < shards; shard++) {
      stores.add(new MemoryStorage());
    }
    PeerGraph graph = PeerGraph.read(Path.of(arguments.text("graph")));
    Slowness fast = Slowness.none(shards);
    try (SlowCluster cluster = new SlowCluster(stores, fast, CLUSTER, phases)) {
      start = graph.load(cluster::begin, EDGES_PER_COMMIT, arguments.number("start"));
      cluster.settle();
    }
    System.err.println(graph.edgeCount() + " edges loaded");
  }

  private Slowness slowness() {
    long[] messages = new long[shards];
    long[] seeks = new long[shards];
    Arrays.fill(messages, arguments.number("message-micros") * 1000L);
    Arrays.fill(seeks, arguments.number("seek-micros") * 1000L);
    if (slowShard >= 0 && slowShard < shards) {
      messages[slowShard] = arguments.number("slow-message-micros") * 1000L;
      seeks[slowShard] = arguments.number("slow-seek-micros") * 1000L;
    }
    return new Slowness(messages, seeks, 0, 0);
  }

  /** What one run came to. */
  private record Outcome(long count, double millis, TraversalProfile profile) {}

  private Outcome run(int steps, Engine engine) {
    Plan plan = PeerGraph.plan(steps, Boolean.parseBoolean(arguments.text("filter")));
    try (SlowCluster cluster = new SlowCluster(stores, slowness(), CLUSTER, phases);
        GraphTransaction tx = cluster.begin()) {
      phases.start();
      long began = System.nanoTime();
      try (PlanCursor run = tx.run(plan, Seeds.vertices(start), tx.snapshot(), engine)) {
        double millis = (System.nanoTime() - began) / 1e6;
        run.next();
        return new Outcome(run.bulk(), millis, run.profile());
      }
    }
  }

  private void measure() throws IOException {
    Figures millis = new Figures();
    Figures seeks = new Figures();
    int warmups = arguments.number("warmups");
    for (int round = 0; round < warmups + arguments.number("repetitions"); round++) {
      for (String text : arguments.text("steps").split(",")) {
        int steps = Integer.parseInt(text);
        long count = -1;
        for (Engine engine : Engine.values()) {
          Outcome outcome = run(steps, engine);
          phases.stop();
          if (count >= 0 && outcome.count() != count) {
            throw new IllegalStateException(
                engine + " finds " + outcome.count() + " vertices, another engine " + count);
          }
          count = outcome.count();
          if (round >= warmups) {
            String measure = steps + " steps, " + count + " vertices";
            String name = engine.name().toLowerCase(Locale.ROOT);
            millis.add(measure + ", ms", name, outcome.millis());
            count(seeks, steps, name, outcome.profile());
          }
        }
      }
      System.err.println("round " + (round + 1) + " done");
    }
    System.out.print(millis.table());
    System.out.println();
    System.out.print(seeks.table());
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), millis.json());
    }
  }

  private static void count(Figures counts, int steps, String name, TraversalProfile profile) {
    long misses = 0;
    long prefetched = 0;
    long used = 0;
    for (TraversalProfile.Part part : profile.parts()) {
      misses += part.cacheMisses();
      prefetched += part.prefetched();
      used += part.prefetchUsed();
    }
    counts.add(steps + " steps, read by levels", name, misses);
    counts.add(steps + " steps, read ahead", name, prefetched);
    counts.add(steps + " steps, of these used", name, used);
  }

  private void draw(Path file) throws IOException {
    int steps = arguments.number("picture-steps");
    Map<String, List<Interval>> runs = new LinkedHashMap<>();
    for (Engine engine : Engine.values()) {
      run(steps, engine);
      runs.put(engine.name().toLowerCase(Locale.ROOT), phases.stop());
    }
    String title =
        steps
            + " steps over "
            + shards
            + " shards, messages of "
            + arguments.text("message-micros")
            + " microseconds; milliseconds";
    List<String> rows = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      rows.add("shard " + shard + (shard == slowShard ? " (slow)" : ""));
    }
    Files.writeString(file, new PhasePicture(rows).draw(title, runs));
    System.err.println("Picture written to " + file);
  }
}
