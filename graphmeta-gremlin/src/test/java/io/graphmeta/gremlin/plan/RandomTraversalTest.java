package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.GraphMetaGraphStep;
import io.graphmeta.gremlin.process.step.GraphMetaPlanStep;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.plan.PlanResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Random traversals on random graphs, on one shard and on several that place edges in databases
 * ways and split vertices meanwhile, now and as of then, against TinkerGraph on the same data.
 * {@code -Dgraphmeta.seed=N} plays the graph and the traversals of one seed, {@code
 * -Dgraphmeta.sequences=N} that many graphs.
 */
class RandomTraversalTest {
  private static final int GRAPHS = Integer.getInteger("graphmeta.sequences", 60);
  private static final int TRAVERSALS = 40;
  private static final int IN_A_TRANSACTION = 15;
  private static final int ORDERED = 30;
  private static final int SEVERAL = 4;
  private static final int CHANGE_SECONDS = 60;
  private static final long MODEL_MILLIS = 400;

  private static final List<String> ENGINES =
      System.getProperty("graphmeta.engine") == null
          ? List.of("prefetch", "sync", "async")
          : List.of(System.getProperty("graphmeta.engine"));

  private static final ScheduledExecutorService WATCH =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "watch");
            thread.setDaemon(true);
            return thread;
          });

  private int compared;
  private int planned;
  private int reduced;
  private int withProperties;
  private int skipped;
  private int empty;
  private long moves;
  private long searches;

  /** The graphs to compare, at one of two times. */
  private record Moment(String name, GraphTraversalSource model, List<GraphTraversalSource> own) {}

  @AfterAll
  static void stop() {
    WATCH.shutdownNow();
  }

  @Test
  void plansComeToWhatGremlinSays() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one == null ? Long.getLong("graphmeta.first-seed", 1) : one;
    int graphs = one == null ? GRAPHS : 1;
    for (long seed = first; seed < first + graphs; seed++) {
      play(seed);
    }
    if (one != null) {
      return;
    }
    assertThat(planned).as("plans among %d traversals", compared).isGreaterThan(compared / 2);
    assertThat(reduced).as("plans that reduce values").isGreaterThan(compared / 20);
    assertThat(withProperties).as("plans that read properties").isGreaterThan(compared / 40);
    assertThat(skipped).as("too long for the model").isLessThan(compared / 10);
    assertThat(empty).as("without results").isLessThan(compared / 2);
    assertThat(moves).as("messages that end splits").isGreaterThan(GRAPHS);
    assertThat(searches).as("requests that indexes may answer").isGreaterThan(GRAPHS);
  }

  private void play(long seed) {
    RandomGraph data = new RandomGraph(seed);
    TickingClock clock = new TickingClock();
    List<AutoCloseable> open = new ArrayList<>();
    try (TinkerGraph before = TinkerGraph.open();
        TinkerGraph after = TinkerGraph.open()) {
      data.fill(before);
      data.fill(after);
      data.change(after);
      List<GraphTraversalSource> now = new ArrayList<>();
      List<GraphTraversalSource> then = new ArrayList<>();
      List<GraphDatabase> databases = new ArrayList<>();
      for (int shards : new int[] {1, SEVERAL}) {
        GraphDatabase database = GraphDatabases.open(config(seed, shards), clock);
        GraphMetaGraph graph = GraphMetaGraph.over(database);
        open.add(graph);
        open.add(database);
        databases.add(database);
        if (splits(seed)) {
          data.fill(graph, () -> graph.tx().commit());
        } else {
          data.fill(graph);
        }
        graph.tx().commit();
        Instant moment = clock.nextHour();
        change(data, graph);
        clock.nextHour();
        GraphTraversalSource g = graph.traversal();
        now.add(g);
        then.add(g.with("asOf", moment.toString()));
      }
      RandomIndexes indexes = new RandomIndexes(seed, databases, clock);
      if (isIndexed(seed)) {
        indexes.create();
        indexes.awaitBuilt();
      }
      Moment present = new Moment("now", after.traversal(), now);
      Moment past = new Moment("as of then", before.traversal(), then);
      for (int i = 0; i < TRAVERSALS; i++) {
        compare(seed, i, data, i % 4 == 0 ? past : present);
        if (isIndexed(seed) && i % 8 == 7) {
          indexes.change();
        }
      }
      if (isIndexed(seed)) {
        indexes.awaitBuilt();
        compareOrder(seed, present);
        compareInTransactions(seed, data, new Moment("in transactions", after.traversal(), now));
        indexes.check();
      }
      databases.forEach(each -> searches += each.callsSent().getOrDefault("SearchVertices", 0L));
      moves += databases.get(databases.size() - 1).callsSent().getOrDefault("EndMove", 0L);
    } finally {
      open.forEach(RandomTraversalTest::close);
    }
  }

  /** Whether some properties of the graphs of a seed have indexes, which come and go. */
  private static boolean isIndexed(long seed) {
    return seed % 3 != 0;
  }

  /** The same changes in transactions, of which no shard knows, and in the model. */
  private void compareInTransactions(long seed, RandomGraph data, Moment moment) {
    data.changeAgain(moment.model.getGraph());
    moment.own.forEach(own -> data.changeAgain(own.getGraph()));
    for (int i = 0; i < IN_A_TRANSACTION; i++) {
      compare(seed, TRAVERSALS + i, data, moment);
    }
    compareOrder(seed + 1, moment);
    moment.own.forEach(own -> own.tx().rollback());
  }

  /** An index finds what the model has, in the order in which a scan comes to it. */
  private static void compareOrder(long seed, Moment moment) {
    for (int i = 0; i < ORDERED; i++) {
      Set<Object> expected;
      try {
        expected = new HashSet<>(filtered(seed, i, moment.model).id().toList());
      } catch (RuntimeException e) {
        continue; // a text is asked for where there is none
      }
      for (GraphTraversalSource g : moment.own) {
        GraphTraversal<?, ?> traversal = filtered(seed, i, g);
        List<Object> found = ids(traversal);
        List<Object> scanned = ids(labelled(seed, i, g));
        scanned.removeIf(each -> !expected.contains(each));
        if (traversal.asAdmin().getStartStep() instanceof GraphMetaGraphStep<?, ?> start
            && start.isById()) {
          found.sort(Comparator.comparingInt(scanned::indexOf)); // they come as they were given
        }
        assertThat(found)
            .as("seed %d, filter %d %s: %s", seed, i, moment.name, filtered(seed, i, g))
            .isEqualTo(scanned);
      }
    }
  }

  private static GraphTraversal<?, ?> filtered(long seed, int index, GraphTraversalSource g) {
    GraphTraversal<?, ?> filtered = labelled(seed, index, g);
    new RandomConditions(new Random(seed * ORDERED + index)).filter(filtered);
    return filtered;
  }

  /** The ids of vertices in the order in which the graph reads them; plans have none. */
  private static List<Object> ids(GraphTraversal<?, ?> vertices) {
    List<Object> ids = new ArrayList<>();
    vertices.toList().forEach(each -> ids.add(((Vertex) each).id()));
    return ids;
  }

  /** Vertices of two labels, or of all. */
  private static GraphTraversal<?, Vertex> labelled(long seed, int index, GraphTraversalSource g) {
    return index % 3 == 0 ? g.V() : g.V().hasLabel(P.within(labels(seed, index)));
  }

  private static List<String> labels(long seed, int index) {
    List<String> labels = new ArrayList<>(List.of(RandomGraph.VERTEX_LABELS));
    labels.remove((int) Math.floorMod(seed + index, 3L));
    return labels;
  }

  private static GraphMetaConfig config(long seed, int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards))
            .with(Setting.PLACEMENT, placement(seed));
    return splits(seed) ? config.with(Setting.SPLIT_THRESHOLD, 2) : config;
  }

  private static String placement(long seed) {
    return switch ((int) (seed % 4)) {
      case 0 -> "vertex-cut";
      case 1 -> "giga";
      default -> "dido";
    };
  }

  /** Whether vertices of the graphs of a seed are split while they are filled, changed and read. */
  private static boolean splits(long seed) {
    return seed % 4 == 1 || seed % 4 == 2;
  }

  /**
   * Changes a graph. What was moved since the transaction began cannot be changed by it, which
   * happens again and again until most is split.
   */
  private static void change(RandomGraph data, GraphMetaGraph graph) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CHANGE_SECONDS);
    while (true) {
      try {
        data.change(graph);
        graph.tx().commit();
        return;
      } catch (RuntimeException e) {
        if (System.nanoTime() > deadline || !isTooOld(e)) {
          throw e;
        }
        graph.tx().rollback();
      }
    }
  }

  private static boolean isTooOld(Throwable e) {
    return e instanceof GraphMetaException failure
        ? failure.code() == ErrorCode.SNAPSHOT_TOO_OLD
        : e.getCause() != null && isTooOld(e.getCause());
  }

  private static void close(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void compare(long seed, int index, RandomGraph data, Moment moment) {
    RandomTraversal traversal =
        new RandomTraversal(seed * TRAVERSALS + index, data.vertices(), data.isMixed());
    String text = traversal.build(moment.model).toString();
    RandomTraversal.Comparison comparison = traversal.comparison();
    Outcome expected = model(() -> traversal.build(moment.model));
    Outcome whole =
        comparison == RandomTraversal.Comparison.ALL
            ? expected
            : model(() -> traversal.buildUnlimited(moment.model));
    if (expected == null || whole == null) {
      skipped++;
      return;
    }
    for (int i = 0; i < moment.own.size(); i++) {
      String engine = ENGINES.get(index % ENGINES.size());
      GraphTraversal<?, ?> own = traversal.build(moment.own.get(i).with("engine", engine));
      String as =
          String.format(
              "seed %d, traversal %d %s, shards %d: %s%n",
              seed, index, moment.name, i == 0 ? 1 : SEVERAL, text);
      Outcome actual = run(own);
      compared++;
      if (own.asAdmin().getStartStep() instanceof GraphMetaPlanStep<?, ?> start) {
        planned++;
        withProperties +=
            start.plan().result() instanceof PlanResult.Elements elements
                    && elements.withProperties()
                ? 1
                : 0;
        reduced += start.plan().result() instanceof PlanResult.Reduced ? 1 : 0;
      }
      empty += expected.counted.isEmpty() ? 1 : 0;
      check(as + own, comparison, actual, expected, whole);
    }
  }

  private static void check(
      String as,
      RandomTraversal.Comparison comparison,
      Outcome actual,
      Outcome expected,
      Outcome whole) {
    if (expected.error != null || whole.error != null) {
      // An index spares the tests of elements that cannot pass, and so errors of them.
      boolean spared = as.contains("index ");
      if (comparison == RandomTraversal.Comparison.ALL && actual.error == null && !spared) {
        fail(as + ": expected " + expected.error + " but got " + actual.counted);
      }
      return;
    }
    if (actual.error != null) {
      throw new AssertionError(as, actual.error);
    }
    switch (comparison) {
      case ALL -> assertThat(actual.counted).as(as).isEqualTo(expected.counted);
      case LIMITED -> {
        assertThat(actual.size()).as(as).isEqualTo(expected.size());
        assertPartOf(as, actual, whole);
      }
      case SOME_OF -> assertPartOf(as, actual, whole);
      case ORDERED ->
          assertThat(Results.untyped(actual.counted))
              .as(as)
              .isEqualTo(Results.untyped(expected.counted));
    }
  }

  private static void assertPartOf(String as, Outcome actual, Outcome whole) {
    actual.counted.forEach(
        (result, count) ->
            assertThat(whole.counted.getOrDefault(result, 0L))
                .as("%s: %s", as, result)
                .isGreaterThanOrEqualTo(count));
  }

  /** What a traversal came to: results, or an error. */
  private record Outcome(Map<String, Long> counted, @Nullable RuntimeException error) {
    long size() {
      return counted.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private static Outcome run(GraphTraversal<?, ?> traversal) {
    try {
      return new Outcome(Results.counted(traversal), null);
    } catch (RuntimeException e) {
      return new Outcome(Map.of(), e);
    }
  }

  /** What the model says; null if it takes too long for a test. */
  private static @Nullable Outcome model(java.util.function.Supplier<GraphTraversal<?, ?>> build) {
    Thread thread = Thread.currentThread();
    AtomicReference<@Nullable Thread> running = new AtomicReference<>(thread);
    Future<?> alarm =
        WATCH.schedule(
            () -> {
              Thread late = running.getAndSet(null);
              if (late != null) {
                late.interrupt();
              }
            },
            MODEL_MILLIS,
            TimeUnit.MILLISECONDS);
    Outcome outcome = run(build.get());
    boolean interrupted = running.getAndSet(null) == null;
    alarm.cancel(false);
    boolean tooLate = interrupted | Thread.interrupted();
    return tooLate || outcome.error instanceof TraversalInterruptedException ? null : outcome;
  }
}
