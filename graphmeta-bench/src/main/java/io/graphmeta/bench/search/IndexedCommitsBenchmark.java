package io.graphmeta.bench.search;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.search.IndexKind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * What indexes cost those who write: vertices with ten properties and an edge of one hot vertex,
 * one in a transaction, without indexes and with three and ten of the properties indexed; then the
 * time until the indexes have taken in all of it, that of building one anew, the bytes, and how
 * many candidates there are for each result, of vertices that have changed often too.
 */
public final class IndexedCommitsBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "indexed", "0,3,10",
          "commits", "20000",
          "repetitions", "5",
          "warmups", "1",
          "questions", "200",
          "directory", System.getProperty("java.io.tmpdir"));
  private static final int PROPERTIES = 10;
  private static final int OWNERS = 200;
  private static final int CHANGED_OFTEN = 10;
  private static final int CHANGES = 500;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Arguments arguments;

  private IndexedCommitsBenchmark(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Runs it and prints a table. */
  public static void main(String[] given) throws IOException {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    IndexedCommitsBenchmark benchmark = new IndexedCommitsBenchmark(arguments);
    List<Integer> indexed =
        Arrays.stream(arguments.text("indexed").split(",")).map(Integer::valueOf).toList();
    System.out.print(
        Interleaving.repeat(
                arguments.number("warmups"),
                arguments.number("repetitions"),
                indexed,
                benchmark::run,
                System.err::println)
            .table());
  }

  private void run(int indexed, Figures figures) throws IOException {
    String subject = indexed + " indexed";
    int commits = arguments.number("commits");
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")));
        GraphDatabase database = GraphDatabases.open(config(scratch.path()));
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      graph.addVertex(T.id, "hot", T.label, "directory");
      graph.tx().commit();
      for (int i = 0; i < indexed; i++) {
        database.indexes().create("file.p" + i, Set.of(kind(i)));
      }
      awaitTakenIn(database);
      long startNanos = System.nanoTime();
      Effort effort = new Effort();
      long cpuNanos = THREADS.getCurrentThreadCpuTime();
      long[] commitNanos = write(graph, commits);
      figures.add(
          "CPU of the committing thread: us per commit",
          subject,
          (THREADS.getCurrentThreadCpuTime() - cpuNanos) / 1e3 / commits);
      effort.addTo(figures, "commits", "commit", subject, commits);
      Arrays.sort(commitNanos);
      figures.add("commit, 99.9 of 100: us", subject, commitNanos[(int) (commits * 0.999)] / 1e3);
      if (indexed == 0) {
        return;
      }
      awaitTakenIn(database);
      long nanos = System.nanoTime() - startNanos;
      figures.add("commits/s, indexes kept up", subject, commits * 1e9 / nanos);
      figures.add(
          "bytes of indexes per version", subject, (double) bytes(database) / commits / indexed);
      rebuild(database, figures, subject, commits);
      candidates(database, graph, figures, subject);
    }
  }

  private static GraphMetaConfig config(Path directory) {
    return GraphMetaConfig.of(
        Map.of(
            Setting.DIRECTORY.key(), directory.resolve("db").toString(), Setting.SHARDS.key(), 1));
  }

  /** Of ten properties four are texts with few values, three numbers, three texts of their own. */
  private static IndexKind kind(int property) {
    return property % 3 == 1 ? IndexKind.RANGE : IndexKind.EXACT;
  }

  private static Object value(int property, int number, SplittableRandom random) {
    if (property % 3 == 1) {
      return random.nextLong(1L << 40);
    }
    return property % 3 == 0 ? "owner" + random.nextInt(OWNERS) : "/scratch/run/file" + number;
  }

  private static long[] write(GraphMetaGraph graph, int commits) {
    SplittableRandom random = new SplittableRandom(42);
    long[] nanos = new long[commits];
    for (int i = 0; i < commits; i++) {
      Object[] keyValues = new Object[4 + 2 * PROPERTIES];
      keyValues[0] = T.id;
      keyValues[1] = "f" + i;
      keyValues[2] = T.label;
      keyValues[3] = "file";
      for (int p = 0; p < PROPERTIES; p++) {
        keyValues[4 + 2 * p] = "p" + p;
        keyValues[5 + 2 * p] = value(p, i, random);
      }
      long start = System.nanoTime();
      Vertex file = graph.addVertex(keyValues);
      graph.vertices("hot").next().addEdge("contains", file);
      graph.tx().commit();
      nanos[i] = System.nanoTime() - start;
    }
    return nanos;
  }

  private static void awaitTakenIn(GraphDatabase database) {
    for (List<IndexStatus> all = database.indexes().list();
        !all.stream()
            .allMatch(
                index ->
                    index.isBuilt()
                        && index.shards().stream().allMatch(each -> each.behindMillis() < 50));
        all = database.indexes().list()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static long bytes(GraphDatabase database) {
    return database.indexes().list().get(0).shards().stream()
        .mapToLong(IndexStatus.OnShard::bytesOnDisk)
        .sum();
  }

  private static void rebuild(
      GraphDatabase database, Figures figures, String subject, int commits) {
    long start = System.nanoTime();
    database.indexes().rebuild("file.p1");
    while (!database.indexes().list().stream().allMatch(IndexStatus::isBuilt)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    figures.add(
        "an index built anew: versions/s", subject, commits * 1e9 / (System.nanoTime() - start));
  }

  /** Changes some vertices again and again, and asks for what they have and had. */
  private void candidates(
      GraphDatabase database, GraphMetaGraph graph, Figures figures, String subject) {
    SplittableRandom random = new SplittableRandom(7);
    Instant middle = Instant.now();
    for (int i = 0; i < CHANGES; i++) {
      if (i == CHANGES / 2) {
        middle = Instant.now();
      }
      for (int f = 0; f < CHANGED_OFTEN; f++) {
        Vertex file = graph.vertices("f" + f).next();
        file.property("p0", "owner" + random.nextInt(OWNERS));
        file.property("p1", random.nextLong(1L << 40));
      }
      graph.tx().commit();
    }
    awaitTakenIn(database);
    GraphTraversalSource now = graph.traversal();
    GraphTraversalSource past = now.with("asOf", middle.toString());
    figures.add("candidates per result, now", subject, candidatesPerResult(now));
    figures.add(
        "candidates per result, as of the middle of the changes",
        subject,
        candidatesPerResult(past));
    graph.tx().rollback();
  }

  private double candidatesPerResult(GraphTraversalSource g) {
    long candidates = 0;
    long confirmed = 0;
    for (int i = 0; i < arguments.number("questions"); i++) {
      GraphTraversal<?, ?> asked =
          i % 2 == 0
              ? g.V().has("file", "p0", "owner" + i % OWNERS)
              : g.V().has("file", "p1", P.gt((1L << 40) - (1L << 30) * i));
      Metrics start = asked.profile().next().getMetrics(0);
      candidates += (Long) start.getAnnotation("candidates");
      confirmed += (Long) start.getAnnotation("confirmed");
    }
    return (double) candidates / confirmed;
  }
}
