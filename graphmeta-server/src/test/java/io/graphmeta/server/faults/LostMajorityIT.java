package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.LostMajority;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.server.cluster.ShardRecovery;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two of three nodes are lost for good, after the third one has missed commits of theirs: the
 * shards go on with what is left when they are told to, not before, and lose no more than what they
 * say. A lost node that comes back with what it had does not answer for it. Then it happens again,
 * and the one that is left ends as soon as it is told.
 */
@RunsAlone
final class LostMajorityIT {
  /** How often shards lose their majority; a second time takes two minutes. */
  private static final int LOSSES = Integer.getInteger("graphmeta.losses", 1);

  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int SHARDS = 4;
  private static final int WRITERS = 3;
  private static final int VERTICES = 100;
  private static final long MOST_MILLIS = 180_000;
  private static final long LOOK_MILLIS = 100;
  private static final String TIMEOUT = "graphmeta.zookeeper.session-timeout-millis=4000";

  /** So long each command waits for those that are lost. */
  private static final String ANSWER = "node.begin-timeout-millis=1500";

  @TempDir private Path directory;

  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean stopping;
  private volatile @Nullable Throwable failure;

  /** The number of the commit of a vertex that was told, by the stamps. */
  private final Map<Long, TreeMap<Long, Long>> told = new ConcurrentHashMap<>();

  private long numbers;

  /** Writes rising numbers to vertices of its own, two at once, and remembers what it was told. */
  private final class Writer implements Runnable {
    final GraphDatabase database;
    final List<Long> vertices;
    final Random random;
    long next;

    Writer(GraphDatabase database, List<Long> vertices, long first, long seed) {
      this.database = database;
      this.vertices = vertices;
      this.random = new Random(seed);
      this.next = first;
    }

    @Override
    public void run() {
      while (!stopping) {
        long one = vertices.get(random.nextInt(vertices.size()));
        long other = vertices.get(random.nextInt(vertices.size()));
        next++;
        try (GraphTransaction tx = database.begin()) {
          for (long vertex : Set.copyOf(List.of(one, other).stream().distinct().toList())) {
            tx.setVertexProperty(
                vertex, "count", next, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
          }
          long stamp = tx.commit();
          told.computeIfAbsent(one, any -> new TreeMap<>()).put(stamp, next);
          told.computeIfAbsent(other, any -> new TreeMap<>()).put(stamp, next);
          acknowledged.incrementAndGet();
        } catch (RuntimeException e) {
          GraphMetaException known = Errors.known(e);
          if (known == null
              || known.code().category() != ErrorCode.Category.RETRY
                  && known.code().category() != ErrorCode.Category.UNCERTAIN) {
            failure = e;
            return;
          }
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
        }
      }
    }
  }

  /** Writers at work, over vertices that stay. */
  private final class Writers {
    private final List<Thread> threads = new ArrayList<>();

    Writers(GraphDatabase database, List<List<Long>> vertices) {
      stopping = false;
      for (int writer = 0; writer < vertices.size(); writer++) {
        Writer made = new Writer(database, vertices.get(writer), numbers, SEED + writer);
        threads.add(new Thread(made));
      }
      numbers += 1_000_000;
      threads.forEach(Thread::start);
    }

    void end() throws InterruptedException {
      stopping = true;
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure).as("seed %d", SEED).isNull();
    }
  }

  @Test
  void shardsGoOnWithWhatIsLeftWhenTheyAreToldTo() throws Exception {
    System.out.println("seed " + SEED);
    try (RunningCluster cluster =
            new RunningCluster(
                directory,
                new LocalCluster.Shape(3, SHARDS, 3),
                "node.replayed-bytes=1048576",
                TIMEOUT,
                ANSWER);
        GraphDatabase database = new Errors().persist(cluster::open)) {
      List<List<Long>> vertices = vertices(database);
      loseTwo(cluster, database, vertices);
      long whole = accept(cluster);
      assertThat(lostParts(database, whole)).as("lost, seed %d", SEED).isPositive();

      told.clear();
      Writers writers = new Writers(database, vertices);
      awaitCommits(50);
      cluster.processes().restart(3); // with what it had, and still wanted
      await("the old replicas of n3 to be put aside", () -> aside(3).size() == SHARDS);
      assertThat(cluster.processes().node(cluster.processes().addNode(true))).isNotNull();
      cluster.processes().node(4).awaitBegun();
      ReplicaMoves moves = new ReplicaMoves(cluster.settings(), LocalCluster.NAME);
      moves.await(moves.replace("n2", "n4"), move -> System.out.println("done: " + move));
      await(
          "three replicas of each shard",
          () ->
              new Errors()
                  .persist(cluster::status).shards().stream()
                      .allMatch(shard -> hasAll(shard, Set.of("n1", "n3", "n4"))));
      awaitCommits(50);
      writers.end();
      assertThat(lostParts(database, Stamp.MAX)).as("lost, seed %d", SEED).isZero();
      assertClean(database);

      if (LOSSES > 1) {
        loseAgainAndEndTheOneThatIsLeft(cluster, database, vertices);
      }
    }
  }

  /** Its replica is of a former group while it runs: it is put aside, and copied anew. */
  @Test
  void ofTwoThatAreLeftOfFiveOneGoesOnAndTheOtherCopies() throws Exception {
    System.out.println("seed " + SEED);
    try (RunningCluster cluster =
            new RunningCluster(directory, new LocalCluster.Shape(5, 2, 5), TIMEOUT, ANSWER);
        GraphDatabase database = new Errors().persist(cluster::open)) {
      List<List<Long>> vertices = vertices(database);
      Writers writers = new Writers(database, vertices);
      awaitCommits(50);
      for (int node = 3; node <= 5; node++) {
        cluster.kill(node);
      }
      writers.end();
      for (int node = 3; node <= 5; node++) {
        awaitAbsent(cluster, "n" + node);
      }
      assertThat(recover(cluster, "n3,n4").out()).contains("nothing to do");
      long whole =
          new ShardRecovery(cluster.settings(), LocalCluster.NAME)
              .look(List.of("n3", "n4", "n5")).stream()
                  .mapToLong(LostMajority::settled)
                  .min()
                  .orElseThrow();
      Cli done = recover(cluster, "n3,n4,n5", "--accept-loss");
      System.out.println(done.out());
      assertThat(done.exitCode()).as(done.err()).isZero();
      lostParts(database, whole);
      await("the others to be put aside", () -> aside(1).size() + aside(2).size() == 2);
      told.clear();
      Writers more = new Writers(database, vertices);
      awaitCommits(50);
      await(
          "two replicas of each shard",
          () ->
              new Errors()
                  .persist(cluster::status).shards().stream()
                      .allMatch(shard -> hasAll(shard, Set.of("n1", "n2"))));
      awaitCommits(20);
      more.end();
      assertThat(lostParts(database, Stamp.MAX)).as("lost, seed %d", SEED).isZero();
      assertClean(database);
    }
  }

  private static boolean hasAll(ClusterStatus.HostedPart shard, Set<String> nodes) {
    return shard.problem().isEmpty()
        && Set.copyOf(shard.replicas()).equals(nodes)
        && shard.behind().stream().allMatch(behind -> behind >= 0);
  }

  // The first loss

  private void loseTwo(RunningCluster cluster, GraphDatabase database, List<List<Long>> vertices)
      throws Exception {
    Writers writers = new Writers(database, vertices);
    awaitCommits(200);
    assertRefused(recover(cluster, "n2"), "Node n2 is present");
    assertRefused(recover(cluster, "n2", "--accept-loss"), "Node n2 is present");
    assertRefused(recover(cluster, "n9"), "No node 'n9'");

    cluster.signal(1, "STOP"); // it misses what comes now
    awaitCommits(200);
    writers.end();
    cluster.kill(2);
    delete(directory.resolve("n2"));
    long epoch = awaitAbsent(cluster, "n2");
    assertThat(recover(cluster, "n2", "--accept-loss").out()).contains("nothing to do");
    assertRefused(recover(cluster, "n2,n3"), "Node n3 is present");
    cluster.kill(3);
    cluster.signal(1, "CONT");
    awaitAbsent(cluster, "n3");
    await("n1 to be there", () -> isPresent(cluster, "n1"));

    Cli told = recover(cluster, "n2,n3");
    System.out.println(told.out());
    assertThat(told.exitCode()).as(told.err()).isZero();
    assertThat(told.out()).contains("can go on with n1", "May be lost", "nothing was changed");
    assertThat(told.out()).contains("names of labels and properties");
    assertThat(cluster.status().epoch()).as("of the placement").isEqualTo(epoch);
    assertThat(cluster.status().isWell()).isFalse();
  }

  /** The stamp up to which the command has said that nothing is lost. */
  private long accept(RunningCluster cluster) {
    long whole =
        new ShardRecovery(cluster.settings(), LocalCluster.NAME)
            .look(List.of("n2", "n3")).stream()
                .mapToLong(LostMajority::settled)
                .min()
                .orElseThrow();
    assertThat(whole).as("the stamp up to which nothing is lost").isPositive();
    Cli done = recover(cluster, "n2,n3", "--accept-loss");
    System.out.println(done.out());
    assertThat(done.exitCode()).as(done.err()).isZero();
    assertThat(done.out()).contains("goes on with n1");
    Cli again = recover(cluster, "n2,n3", "--accept-loss", "--json");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.lines())
        .hasSize(SHARDS)
        .allMatch(line -> line.contains("\"leader\":\"n1\"") && !line.contains("keeps"));
    return whole;
  }

  /** How much of what was told is not there; nothing of it is of a stamp or before. */
  private int lostParts(GraphDatabase database, long whole) {
    long[] ids = told.keySet().stream().mapToLong(Long::longValue).toArray();
    List<VertexRecord> read =
        new Errors()
            .persist(
                () -> {
                  try (GraphTransaction tx = database.begin()) {
                    return tx.vertices(ids, tx.snapshot());
                  }
                });
    int lost = 0;
    for (int i = 0; i < ids.length; i++) {
      TreeMap<Long, Long> commits = told.get(ids[i]);
      long found =
          read.get(i).properties().stream()
              .filter(property -> property.key().equals("count"))
              .mapToLong(property -> (Long) property.value())
              .max()
              .orElse(0);
      long kept = commits.headMap(whole, true).values().stream().mapToLong(n -> n).max().orElse(0);
      assertThat(found).as("vertex %d, seed %d", ids[i], SEED).isGreaterThanOrEqualTo(kept);
      lost += (int) commits.values().stream().filter(number -> number > found).count();
    }
    System.out.println(lost + " parts of commits that were told are lost, up to " + whole);
    return lost;
  }

  // The second loss

  private void loseAgainAndEndTheOneThatIsLeft(
      RunningCluster cluster, GraphDatabase database, List<List<Long>> vertices) throws Exception {
    told.clear();
    Writers writers = new Writers(database, vertices);
    awaitCommits(100);
    cluster.kill(3);
    cluster.kill(4);
    writers.end();
    delete(directory.resolve("n3"));
    awaitAbsent(cluster, "n3");
    awaitAbsent(cluster, "n4");
    ShardRecovery recovery = new ShardRecovery(cluster.settings(), LocalCluster.NAME);
    List<String> lost = List.of("n3", "n4");
    List<LostMajority> found = recovery.look(lost);
    assertThat(found).hasSize(SHARDS).allMatch(each -> each.keeps().equals("n1"));
    assertThat(recovery.accept(lost, found)).hasSize(SHARDS);
    cluster.kill(1);
    cluster.processes().restart(1);
    assertThat(recovery.await(recovery.accepted(lost))).hasSize(SHARDS).containsValue("n1");
    long whole = found.stream().mapToLong(LostMajority::settled).min().orElseThrow();
    lostParts(database, whole);

    cluster.processes().restart(4); // with what it had
    await("the old replicas of n4 to be put aside", () -> aside(4).size() == SHARDS);
    told.clear();
    Writers more = new Writers(database, vertices);
    awaitCommits(50);
    await(
        "two replicas of each shard",
        () ->
            new Errors()
                .persist(cluster::status).shards().stream()
                    .allMatch(shard -> hasAll(shard, Set.of("n1", "n4"))));
    more.end();
    assertThat(lostParts(database, Stamp.MAX)).as("lost, seed %d", SEED).isZero();
    assertClean(database);
  }

  private static void assertClean(GraphDatabase database) {
    CheckReport report = new Errors().persist(() -> database.check(rows -> {}));
    assertThat(report.isClean()).as(report.examples().toString()).isTrue();
  }

  private List<Path> aside(int node) {
    try (Stream<Path> all = Files.list(directory.resolve("n" + node).resolve("former"))) {
      return all.filter(each -> Files.isDirectory(each.resolve("log"))).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  // The command

  private static Cli recover(RunningCluster cluster, String lost, String... more) {
    List<String> line = new ArrayList<>(List.of("cluster", "recover"));
    line.addAll(List.of("--zookeeper", cluster.processes().zookeeper()));
    line.addAll(List.of("--set", ANSWER, "--name", LocalCluster.NAME, "--lost", lost));
    line.addAll(List.of(more));
    return Cli.run(line.toArray(String[]::new));
  }

  private static void assertRefused(Cli refused, String why) {
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.err()).contains(why);
  }

  private static boolean isPresent(RunningCluster cluster, String name) {
    KnownNode node = new Errors().persist(cluster::view).nodes().get(name);
    return node != null && node.present();
  }

  /** The epoch of the placement then. */
  private static long awaitAbsent(RunningCluster cluster, String name) throws InterruptedException {
    await(name + " to be absent", () -> !isPresent(cluster, name));
    return cluster.view().placement().epoch();
  }

  private static void await(String what, BooleanSupplier isSo) throws InterruptedException {
    long begin = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds until %s, seed %d", what, SEED)
          .isLessThan(MOST_MILLIS);
      Thread.sleep(LOOK_MILLIS);
    }
    System.out.printf("%d ms until %s%n", (System.nanoTime() - begin) / 1_000_000, what);
  }

  private void awaitCommits(int more) throws InterruptedException {
    long target = acknowledged.get() + more;
    await(
        more + " commits",
        () -> {
          assertThat(failure).as("seed %d", SEED).isNull();
          return acknowledged.get() >= target;
        });
  }

  private static void delete(Path lost) throws IOException {
    try (Stream<Path> files = Files.walk(lost)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<List<Long>> vertices(GraphDatabase database) {
    Errors errors = new Errors();
    List<List<Long>> vertices = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      vertices.add(
          errors.persist(
              () -> {
                List<Long> added = new ArrayList<>();
                try (GraphTransaction tx = database.begin()) {
                  for (int i = 0; i < VERTICES; i++) {
                    added.add(tx.addVertex(null, "counter", Map.of("count", 0L), Stamp.AT_COMMIT));
                  }
                  tx.commit();
                }
                return added;
              }));
    }
    return vertices;
  }
}
