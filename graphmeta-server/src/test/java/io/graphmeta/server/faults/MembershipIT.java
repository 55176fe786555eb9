package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes come, go and are replaced with their disks lost, while writers go on: what they were told
 * is there, each shard has as many replicas as before, and a node that has no shard has no store.
 */
@RunsAlone
final class MembershipIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int SHARDS = 4;
  private static final int REPLICAS = 3;
  private static final int WRITERS = 4;
  private static final int VERTICES = 200;

  private static final int VALUE_BYTES = 2_000;

  /** Megabytes that are loaded before: enough for logs to be cut, so that stores are copied. */
  private static final int LOADED_MEGABYTES = Integer.getInteger("graphmeta.megabytes", 80);

  private static final long MOST_MILLIS = 180_000;

  @TempDir private Path directory;

  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean stopping;
  private volatile @Nullable Throwable failure;

  /** Writes rising numbers to vertices of its own, and remembers the last that it was told of. */
  private final class Writer implements Runnable {
    final GraphDatabase database;
    final List<Long> vertices;
    final Map<Long, Long> told = new HashMap<>();
    final Random random;

    Writer(GraphDatabase database, List<Long> vertices, long seed) {
      this.database = database;
      this.vertices = vertices;
      this.random = new Random(seed);
    }

    @Override
    public void run() {
      String filling = "x".repeat(VALUE_BYTES);
      for (long next = 1; !stopping; next++) {
        long vertex = vertices.get(random.nextInt(vertices.size()));
        boolean done = false;
        while (!done && !stopping) {
          try (GraphTransaction tx = database.begin()) {
            tx.setVertexProperty(
                vertex, "count", next, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
            tx.setVertexProperty(
                vertex, "filling", filling, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
            tx.commit();
            told.put(vertex, next);
            acknowledged.incrementAndGet();
            done = true;
          } catch (RuntimeException e) {
            ErrorCode code = Errors.known(e) == null ? null : Errors.known(e).code();
            if (code == null || code.category() != ErrorCode.Category.RETRY) {
              failure = e;
              return;
            }
            LockSupport.parkNanos(Errors.PAUSE_NANOS);
          }
        }
      }
    }
  }

  @Test
  void nodesComeAndGoAndAreReplacedWhileWritersGoOn() throws Exception {
    System.out.println("seed " + SEED);
    try (RunningCluster cluster =
            new RunningCluster(
                directory,
                new LocalCluster.Shape(3, SHARDS, REPLICAS),
                "node.replayed-bytes=1048576");
        GraphDatabase database = new Errors().persist(cluster::open)) {
      load(database);
      List<Writer> writers = writers(database);
      List<Thread> threads = writers.stream().map(Thread::new).toList();
      threads.forEach(Thread::start);
      ReplicaMoves moves = new ReplicaMoves(cluster.settings(), LocalCluster.NAME);
      awaitCommits(500);

      cluster.processes().node(cluster.processes().addNode(true)).awaitBegun();
      cluster.processes().node(cluster.processes().addNode(true)).awaitBegun();
      move("add n4", cluster, () -> moves.add("n4"));
      move("add n5", cluster, () -> moves.add("n5"));
      assertThat(moves.add("n5")).as("asked for again").isEmpty();
      assertEven(cluster, 5);
      assertThat(copiedStores("n4") + copiedStores("n5"))
          .as("replicas whose logs do not begin with the first entry")
          .isPositive();

      move("drain n1", cluster, () -> moves.drain("n1"));
      awaitNoStores("n1");
      cluster.processes().node(1).close();

      cluster.kill(2);
      delete(directory.resolve("n2"));
      cluster.processes().node(cluster.processes().addNode(true)).awaitBegun();
      move("replace n2 with n6", cluster, () -> moves.replace("n2", "n6"));
      assertThat(moves.replace("n2", "n6")).as("asked for again").isEmpty();

      awaitCommits(200);
      stopping = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure).as("seed %d", SEED).isNull();
      ClusterStatus status = cluster.status();
      assertThat(status.shards())
          .allSatisfy(
              shard -> {
                assertThat(shard.replicas()).hasSize(REPLICAS).doesNotContain("n1", "n2");
                assertThat(shard.wanted()).isEqualTo(shard.replicas());
                assertThat(shard.problem()).isEmpty();
              });
      assertTold(database, writers);
      CheckReport report = new Errors().persist(() -> database.check(rows -> {}));
      assertThat(report.isClean()).as(report.examples().toString()).isTrue();
      System.out.println(acknowledged + " commits");
    }
  }

  private static void delete(Path lost) throws IOException {
    try (Stream<Path> files = Files.walk(lost)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void load(GraphDatabase database) {
    long begin = System.nanoTime();
    Errors errors = new Errors();
    Random random = new Random(SEED);
    for (int megabyte = 0; megabyte < LOADED_MEGABYTES; megabyte++) {
      byte[] bytes = new byte[20_000];
      errors.persist(
          () -> {
            try (GraphTransaction tx = database.begin()) {
              for (int i = 0; i < 25; i++) {
                random.nextBytes(bytes);
                Map<String, Object> filling = Map.of("filling", HexFormat.of().formatHex(bytes));
                tx.addVertex(null, "filling", filling, Stamp.AT_COMMIT);
              }
              tx.commit();
            }
            return null;
          });
    }
    System.out.printf(
        "loaded %d MB in %d ms%n", LOADED_MEGABYTES, (System.nanoTime() - begin) / 1_000_000);
  }

  /** The replicas of a node that have not got the first entry of their log from the log. */
  private int copiedStores(String node) throws IOException {
    int copied = 0;
    try (Stream<Path> logs = Files.list(directory.resolve(node).resolve("logs"))) {
      for (Path log : logs.toList()) {
        try (Stream<Path> files = Files.list(log.resolve("current"))) {
          List<String> names = files.map(file -> file.getFileName().toString()).toList();
          boolean isWhole =
              names.stream().anyMatch(name -> name.matches("log_(inprogress_0|0-\\d+)"));
          copied += isWhole ? 0 : 1;
        }
      }
    }
    return copied;
  }

  private interface Asked {
    List<ReplicaMoves.Move> moves();
  }

  private void move(String what, RunningCluster cluster, Asked asked) throws Exception {
    long begin = System.nanoTime();
    long commits = acknowledged.get();
    List<ReplicaMoves.Move> wanted = asked.moves();
    assertThat(wanted).as(what).isNotEmpty();
    List<ReplicaMoves.Move> done = new ArrayList<>();
    new ReplicaMoves(cluster.settings(), LocalCluster.NAME).await(wanted, done::add);
    assertThat(done).as(what).hasSameSizeAs(wanted).allMatch(ReplicaMoves.Move::isDone);
    assertThat(failure).as("%s, seed %d", what, SEED).isNull();
    System.out.printf(
        "%s: %d shards moved in %d ms, %d commits meanwhile%n",
        what, done.size(), (System.nanoTime() - begin) / 1_000_000, acknowledged.get() - commits);
    awaitCommits(100);
  }

  private void assertEven(RunningCluster cluster, int nodes) {
    Map<String, Integer> load = new TreeMap<>();
    cluster
        .status()
        .shards()
        .forEach(shard -> shard.replicas().forEach(node -> load.merge(node, 1, Integer::sum)));
    int least = SHARDS * REPLICAS / nodes;
    assertThat(load).hasSize(nodes);
    assertThat(load.values()).allSatisfy(each -> assertThat(each).isBetween(least, least + 1));
  }

  /** Waits until a node has removed all stores and logs. */
  private void awaitNoStores(String node) throws Exception {
    long begin = System.nanoTime();
    while (true) {
      List<Path> left = new ArrayList<>();
      try (Stream<Path> shards = Files.list(directory.resolve(node).resolve("shards"));
          Stream<Path> logs = Files.list(directory.resolve(node).resolve("logs"))) {
        shards
            .filter(each -> each.getFileName().toString().startsWith("shard-"))
            .forEach(left::add);
        logs.forEach(left::add);
      }
      if (left.isEmpty()) {
        return;
      }
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds until %s are removed, seed %d", left, SEED)
          .isLessThan(MOST_MILLIS);
      Thread.sleep(50);
    }
  }

  private void awaitCommits(int more) throws InterruptedException {
    long target = acknowledged.get() + more;
    long begin = System.nanoTime();
    while (acknowledged.get() < target) {
      assertThat(failure).as("seed %d", SEED).isNull();
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds for %d commits, seed %d", more, SEED)
          .isLessThan(MOST_MILLIS);
      Thread.sleep(5);
    }
  }

  private List<Writer> writers(GraphDatabase database) {
    Errors errors = new Errors();
    List<Writer> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Long> own =
          errors.persist(
              () -> {
                List<Long> added = new ArrayList<>();
                try (GraphTransaction tx = database.begin()) {
                  for (int i = 0; i < VERTICES; i++) {
                    added.add(tx.addVertex(null, "counter", Map.of(), Stamp.AT_COMMIT));
                  }
                  tx.commit();
                }
                return added;
              });
      writers.add(new Writer(database, own, SEED + writer));
    }
    return writers;
  }

  /** Each vertex has the number that its writer was told of last, or the one that it tried then. */
  private static void assertTold(GraphDatabase database, List<Writer> writers) {
    Errors errors = new Errors();
    for (Writer writer : writers) {
      long[] ids = writer.told.keySet().stream().mapToLong(Long::longValue).toArray();
      List<VertexRecord> read =
          errors.persist(
              () -> {
                try (GraphTransaction tx = database.begin()) {
                  return tx.vertices(ids, tx.snapshot());
                }
              });
      for (int i = 0; i < ids.length; i++) {
        long found =
            read.get(i).properties().stream()
                .filter(property -> property.key().equals("count"))
                .mapToLong(property -> (Long) property.value())
                .max()
                .orElseThrow();
        assertThat(found)
            .as("vertex %d, seed %d", ids[i], SEED)
            .isGreaterThanOrEqualTo(writer.told.get(ids[i]));
      }
    }
  }
}
