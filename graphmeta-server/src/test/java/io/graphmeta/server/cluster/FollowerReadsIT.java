package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client reads the past of a cluster of real processes from whichever replicas are near, while
 * another one writes, vertices are split and nodes are killed: it finds what those that lead tell;
 * and when these are gone it finds it still. {@code -Dgraphmeta.comparisons=N} compares more.
 */
@RunsAlone
@Timeout(600)
class FollowerReadsIT {
  private static final int NODES = 3;
  private static final int SHARDS = 4;
  private static final int FILES = 60;
  private static final int COMPARISONS = Integer.getInteger("graphmeta.comparisons", 12);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final long WAIT_MILLIS = 60_000;

  /** Longer ago than replicas are behind, and clients know of how far they are. */
  private static final long PAST_MILLIS = 3_000;

  @TempDir private Path directory;
  private final Random random = new Random(SEED);
  private final List<Long> stamps = new ArrayList<>();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean enough;

  @Test
  void replicasTellWhatTheLeadersTell() throws Exception {
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, SHARDS, 3);
    try (RunningCluster cluster =
        new RunningCluster(directory.resolve("cluster"), shape, "graphmeta.split-threshold=16")) {
      Path settings =
          Files.writeString(directory.resolve("client.properties"), "node.read-from=leader\n");
      GraphMetaConfig ofLeaders = cluster.config().with(Setting.CLUSTER_SETTINGS, settings);
      try (GraphDatabase leaders = GraphDatabases.open(ofLeaders);
          GraphDatabase replicas = cluster.open()) {
        fill(leaders);
        Thread writer = new Thread(() -> write(leaders));
        writer.start();
        for (int comparison = 0; comparison < COMPARISONS; comparison++) {
          compare(leaders, replicas);
          if (comparison == COMPARISONS / 3) {
            cluster.kill(1);
            awaitCommits(10);
          } else if (comparison == 2 * COMPARISONS / 3) {
            cluster.processes().restart(1);
            awaitCommits(10);
          }
        }
        enough = true;
        writer.join();
        assertThat(failure.get()).as("seed %d", SEED).isNull();
        awaitReplicas(cluster);
        readWithoutLeaders(cluster, leaders, replicas);
      }
    }
  }

  /** Adds so many files that each shard has some. */
  private void fill(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      for (int file = 0; file < FILES; file++) {
        tx.addVertex("f" + file, "file", Map.of("n", 0), Stamp.AT_COMMIT);
      }
      noteStamp(tx.commit());
    }
  }

  private void noteStamp(long stamp) {
    synchronized (stamps) {
      stamps.add(stamp);
    }
    commits.incrementAndGet();
  }

  /** Jobs that read files, of which a few are read by many, and changes of files. */
  private void write(GraphDatabase database) {
    Random own = new Random(SEED + 1);
    while (!enough) {
      try (GraphTransaction tx = database.begin()) {
        int number = commits.get();
        long job = tx.addVertex("j" + number, "job", Map.of("n", number), Stamp.AT_COMMIT);
        for (int i = 0; i < 3; i++) {
          String id = "f" + own.nextInt(1 + own.nextInt(FILES));
          long file = tx.verticesById(List.of(id), tx.snapshot()).get(0).key();
          tx.addEdge(null, job, "read", file, Map.of("n", i), Stamp.AT_COMMIT);
          tx.setVertexProperty(
              file, "n", number, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        }
        noteStamp(tx.commit());
        Thread.sleep(10);
      } catch (InterruptedException e) {
        return;
      } catch (GraphMetaException e) {
        boolean mayBe =
            e.code().category() == ErrorCode.Category.RETRY
                || e.code().category() == ErrorCode.Category.UNCERTAIN
                || e.code() == ErrorCode.ALREADY_EXISTS;
        if (!mayBe) {
          failure.compareAndSet(null, e);
        } else {
          commits.incrementAndGet(); // another name
        }
      } catch (RuntimeException e) {
        failure.compareAndSet(null, e);
      }
    }
  }

  private long past() throws InterruptedException {
    long stamp;
    synchronized (stamps) {
      int last = stamps.size() - 1;
      stamp = stamps.get(random.nextInt(3) == 0 ? random.nextInt(last + 1) : last);
    }
    return whenPast(stamp);
  }

  private static long whenPast(long stamp) throws InterruptedException {
    long agoMillis = System.currentTimeMillis() - Stamp.instant(stamp).toEpochMilli();
    Thread.sleep(Math.max(0, PAST_MILLIS - agoMillis));
    return stamp;
  }

  private void compare(GraphDatabase leaders, GraphDatabase replicas) throws Exception {
    long stamp = past();
    List<String> expected = listing(leaders, stamp);
    assertThat(listing(replicas, stamp))
        .as("seed %d, at %s", SEED, Stamp.format(stamp))
        .hasSizeGreaterThan(FILES)
        .isEqualTo(expected);
  }

  private List<String> listing(GraphDatabase database, long stamp) throws InterruptedException {
    long begunNanos = System.nanoTime();
    while (true) {
      try {
        return listed(database, stamp);
      } catch (GraphMetaException e) {
        boolean isOver = (System.nanoTime() - begunNanos) / 1_000_000 > WAIT_MILLIS;
        if (e.code().category() != ErrorCode.Category.RETRY || isOver) {
          throw e;
        }
        Thread.sleep(50); // a node was killed, or a vertex split that was read
      }
    }
  }

  /** All vertices and edges, by scans, by id and along edges. */
  private static List<String> listed(GraphDatabase database, long stamp) {
    Set<String> lines = new TreeSet<>();
    ReadView view = new ReadView(stamp, stamp);
    try (GraphTransaction tx = database.begin()) {
      List<Long> keys = new ArrayList<>();
      try (var vertices = tx.scanVertices(Set.of(), view)) {
        for (var vertex = vertices.next(); vertex != null; vertex = vertices.next()) {
          keys.add(vertex.key());
          lines.add("vertex " + vertex);
        }
      }
      try (var edges = tx.scanEdges(Set.of(), view)) {
        for (var edge = edges.next(); edge != null; edge = edges.next()) {
          lines.add("edge " + edge);
        }
      }
      long[] frontier = keys.stream().mapToLong(key -> key).toArray();
      Expansion both = new Expansion(frontier, Direction.BOTH, Set.of(), true);
      try (AdjacencyCursor along = tx.expand(both, view)) {
        while (along.next()) {
          lines.add("along " + along.outgoing() + " " + along.edge());
        }
      }
      files(tx, stamp).forEach(file -> lines.add("by id " + file));
      for (Engine engine : Engine.values()) {
        for (boolean paths : List.of(false, true)) {
          lines.addAll(walked(tx, stamp, engine, paths));
        }
      }
    }
    return List.copyOf(lines);
  }

  /** What other files the jobs read that read the first files. */
  private static Set<String> walked(GraphTransaction tx, long stamp, Engine engine, boolean paths) {
    long[] seeds =
        tx.verticesById(List.of("f0", "f1", "f2"), new ReadView(stamp, stamp)).stream()
            .mapToLong(VertexRecord::key)
            .toArray();
    Plan plan =
        new Plan(
            new PlanSource.Given(ElementKind.VERTEX),
            List.of(
                new PlanStep.Expand(Direction.IN, List.of("read"), false),
                new PlanStep.Expand(Direction.OUT, List.of(), false)),
            ResultRange.ALL,
            paths ? new PlanResult.Paths() : new PlanResult.Elements());
    Set<String> lines = new TreeSet<>();
    ReadView view = new ReadView(stamp, stamp);
    try (PlanCursor run = tx.run(plan, Seeds.vertices(seeds), view, engine)) {
      while (run.next()) {
        lines.add(
            engine + (paths ? " paths " + run.path(0) : " " + run.vertex() + " x " + run.bulk()));
      }
    }
    return lines;
  }

  private void awaitCommits(int more) throws InterruptedException {
    int wanted = commits.get() + more;
    await("commits go on", () -> commits.get() >= wanted);
  }

  private static void awaitReplicas(RunningCluster cluster) throws InterruptedException {
    await(
        "all replicas follow",
        () ->
            cluster.status().isWell()
                && cluster.status().shards().stream()
                    .allMatch(shard -> shard.behind().stream().allMatch(each -> each == 0)));
  }

  /**
   * With one node of three no shard is led; what was known before can be read. At rest most shards
   * have noted nothing behind the last commit: their leaders are asked to, when it is read first.
   */
  private void readWithoutLeaders(
      RunningCluster cluster, GraphDatabase leaders, GraphDatabase replicas) throws Exception {
    long last = whenPast(stamps.get(stamps.size() - 1));
    long later = Stamp.plusMicros(last, 1_000_000);
    List<String> expected = files(leaders, last);
    Set<String> walked;
    try (GraphTransaction tx = leaders.begin()) {
      walked = walked(tx, last, Engine.PREFETCH, false);
    }
    try (GraphTransaction tx = replicas.begin()) {
      List<String> expectedLater = files(leaders, later);
      assertThat(files(tx, later)).isEqualTo(expectedLater);
      assertThat(files(tx, last)).isEqualTo(expected);
      assertThat(walked(tx, last, Engine.PREFETCH, false)).isEqualTo(walked).isNotEmpty();
      Thread.sleep(2_000); // leaders note it, and this client learns how far replicas are
      cluster.kill(2);
      cluster.kill(3);
      await("the replicas of the node that is left are asked", () -> answers(tx, last));
      assertThat(files(tx, last)).isEqualTo(expected);
      assertThat(files(tx, later)).as("behind the last commit").isEqualTo(expectedLater);
      assertThat(walked(tx, last, Engine.PREFETCH, false)).isEqualTo(walked);
      assertThat(walked(tx, last, Engine.PREFETCH, true)).isNotEmpty();
    }
  }

  private static boolean answers(GraphTransaction tx, long stamp) {
    try {
      return !files(tx, stamp).isEmpty();
    } catch (GraphMetaException e) {
      assertThat(e.code().category()).as(e.toString()).isEqualTo(ErrorCode.Category.RETRY);
      return false;
    }
  }

  private static List<String> files(GraphDatabase database, long stamp) {
    try (GraphTransaction tx = database.begin()) {
      return files(tx, stamp);
    }
  }

  private static List<String> files(GraphTransaction tx, long stamp) {
    List<String> ids = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      ids.add("f" + file);
    }
    List<String> found = new ArrayList<>();
    for (VertexRecord file : tx.verticesById(ids, new ReadView(stamp, stamp))) {
      found.add(String.valueOf(file));
    }
    return found;
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(String what, Condition condition) throws InterruptedException {
    long begunNanos = System.nanoTime();
    while (!condition.holds()) {
      assertThat((System.nanoTime() - begunNanos) / 1_000_000).as(what).isLessThan(WAIT_MILLIS);
      Thread.sleep(100);
    }
  }
}
