package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.formats.GraphListing;
import io.graphmeta.formats.GraphListing.Point;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups of a cluster of real processes while clients write to it all the time; nodes are killed
 * meanwhile.
 */
@RunsAlone
class ClusterBackupIT {
  private static final int WRITERS = 2;
  private static final int FILES = 300;
  private static final long PAUSE_MILLIS = 10;

  @TempDir private static Path directory;
  private static RunningCluster cluster;
  private static GraphDatabase database;
  private static ExecutorService writers;
  private static final List<Future<?>> WRITING = new ArrayList<>();
  private static final AtomicInteger COMMITTED = new AtomicInteger();
  private static volatile boolean enough;
  private static long firstStamp;

  @BeforeAll
  static void begin() {
    cluster =
        new RunningCluster(
            directory.resolve("cluster"),
            3,
            8,
            "graphmeta.split-threshold=16",
            "node.wait-millis=500");
    database = cluster.open();
    Random random = new Random(5);
    for (int i = 0; i < FILES; i += 20) {
      try (GraphTransaction tx = database.begin()) {
        byte[] note = new byte[2000];
        for (int k = i; k < i + 20; k++) {
          random.nextBytes(note);
          tx.addVertex(
              "f" + k,
              "file",
              Map.of("n", k, "note", HexFormat.of().formatHex(note)),
              Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    try (GraphTransaction tx = database.begin()) {
      firstStamp = tx.snapshot().knownAt();
    }
    writers = Executors.newFixedThreadPool(WRITERS);
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      WRITING.add(writers.submit(() -> write(number)));
    }
  }

  @AfterAll
  static void end() throws Exception {
    enough = true;
    writers.shutdown();
    for (Future<?> each : WRITING) {
      each.get(1, TimeUnit.MINUTES);
    }
    database.close();
    cluster.close();
  }

  /** Jobs that read files, of which a few are read by many, and changes of files. */
  private static void write(int writer) {
    Random random = new Random(writer);
    try (GraphDatabase own = cluster.open()) {
      for (int i = 0; !enough; i++) {
        try (GraphTransaction tx = own.begin()) {
          List<Long> read = new ArrayList<>();
          for (int k = 0; k < 3; k++) {
            String id = "f" + random.nextInt(1 + random.nextInt(FILES));
            read.add(tx.verticesById(List.of(id), tx.snapshot()).get(0).key());
          }
          long job = tx.addVertex("j" + writer + "-" + i, "job", Map.of("n", i), Stamp.AT_COMMIT);
          for (long file : read) {
            tx.addEdge(null, job, "read", file, Map.of("bytes", i), Stamp.AT_COMMIT);
          }
          tx.commit();
          COMMITTED.incrementAndGet();
          Thread.sleep(PAUSE_MILLIS); // all of it is compared in the end
        } catch (InterruptedException e) {
          return;
        } catch (GraphMetaException e) {
          // A node is away, or another writer was first.
          assertThat(e.code().category())
              .as(e.getMessage())
              .isIn(ErrorCode.Category.RETRY, ErrorCode.Category.UNCERTAIN);
        }
      }
    }
  }

  private static Path target(String name) {
    return directory.resolve(name);
  }

  private static Cli run(int exitCode, String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isEqualTo(exitCode);
    return run;
  }

  private static JsonNode backup(Path target) throws IOException {
    List<String> line = new ArrayList<>(List.of("backup", "--json", target.toString()));
    line.addAll(List.of(cluster.options()));
    return new ObjectMapper().readTree(run(0, line.toArray(String[]::new)).out());
  }

  /**
   * What is restored is what a reader of the cluster at the stamp sees, with all of its history.
   */
  private static void compare(Path target, String backup, long stamp) {
    Path restored = directory.resolve("restored-" + backup);
    run(0, "restore", target.toString(), restored.toString(), "--backup", backup);
    try (GraphDatabase opened =
        GraphDatabases.open(GraphDatabases.asCreated(GraphMetaConfig.inDirectory(restored)))) {
      compare(opened, stamp);
    }
  }

  private static void compare(GraphDatabase restored, long stamp) {
    List<Point> points = List.of(new Point(stamp, stamp), new Point(firstStamp, stamp));
    List<String> expected = GraphListing.upTo(stamp, database, points);
    assertThat(restored.check(rows -> {}).examples()).isEmpty();
    List<String> found = GraphListing.upTo(Stamp.MAX, restored, points);
    for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
      assertThat(found.get(i)).as("line %s", i).isEqualTo(expected.get(i));
    }
    assertThat(found).hasSameSizeAs(expected).hasSizeGreaterThan(2 * FILES);
  }

  private static List<Path> checkpoints() throws IOException {
    List<Path> left = new ArrayList<>();
    for (int node = 1; node <= 3; node++) {
      Path place = directory.resolve("cluster/n" + node + "/shards/checkpoints");
      if (Files.exists(place)) {
        try (Stream<Path> entries = Files.list(place)) {
          left.addAll(entries.toList());
        }
      }
    }
    return left;
  }

  private static void awaitNoCheckpoints() throws Exception {
    for (int i = 0; i < 200 && !checkpoints().isEmpty(); i++) {
      Thread.sleep(50);
    }
    assertThat(checkpoints()).isEmpty();
  }

  @Test
  void aBackupIsTheGraphAtItsStampAndTheNextCopiesWhatIsNew() throws Exception {
    Path target = target("backups");
    int before = COMMITTED.get();
    JsonNode first = backup(target);
    assertThat(first.get("shards").asInt()).isEqualTo(8);
    assertThat(first.get("newFiles").asInt()).isBetween(50, first.get("files").asInt());
    while (COMMITTED.get() < before + 20) {
      Thread.sleep(20);
    }
    JsonNode second = backup(target);
    assertThat(second.get("newBytes").asLong()).isLessThan(second.get("bytes").asLong());
    assertThat(second.get("database")).isEqualTo(first.get("database"));
    assertThat(run(0, "backup", "verify", target.toString()).out()).endsWith("whole: 2 backups\n");
    for (JsonNode each : List.of(first, second)) {
      String name = each.get("backup").asText();
      BackupReader reader = new BackupReader(target, FileOperations.ON_DISK);
      compare(target, name, reader.find(name).database().stamp());
    }
    awaitNoCheckpoints();
  }

  @Test
  void aNodeThatDiesMeanwhileEndsTheBackupAndTheNextSucceeds() throws Exception {
    Path target = target("killed");
    AtomicInteger told = new AtomicInteger();
    assertThatThrownBy(
            () ->
                database.backup(
                    target,
                    200_000,
                    bytes -> {
                      if (told.incrementAndGet() == 2) {
                        cluster.kill(2);
                      }
                    }))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code().isAway()).as(e.toString()).isTrue())
        .hasMessageContaining("n2");
    assertThat(run(0, "backup", "list", target.toString()).lines()).isEmpty();
    cluster.processes().restart(2);
    BackupSummary next = database.backup(target, bytes -> {});
    assertThat(next.newFiles()).as("the files that were there are used").isLessThan(next.files());
    try (Stream<Path> incoming = Files.list(target.resolve("incoming"))) {
      assertThat(incoming).isEmpty();
    }
    assertThat(run(0, "backup", "verify", target.toString()).out()).endsWith("whole: 1 backup\n");
    compare(target, next.name(), next.database().stamp());
    awaitNoCheckpoints();
  }

  /** Two nodes instead of three, from directories that were made before they are started. */
  @Test
  void aBackupIsRestoredIntoAnotherCluster() throws Exception {
    Path target = target("moved");
    BackupSummary taken = database.backup(target, bytes -> {});
    Path place = directory.resolve("other");
    List<String> reached = new ArrayList<>();
    try (RunningCluster other =
        new RunningCluster(
            place,
            new LocalCluster.Shape(2, 8, 1),
            List.of(),
            address -> {
              reached.add(address); // first that of ZooKeeper
              if (reached.size() == 2) {
                restoreNodes(target, place, reached.get(0));
              }
              return address;
            })) {
      try (GraphDatabase restored = other.open()) {
        compare(restored, taken.database().stamp());
        try (GraphTransaction tx = restored.begin()) {
          tx.addVertex("after", "file", Map.of(), Stamp.AT_COMMIT);
          tx.commit();
        }
        assertThat(restored.backup(target, bytes -> {}).database().identity())
            .isNotEqualTo(taken.database().identity());
      }
      assertThat(run(1, restoring(target, place.resolve("again"), reached.get(0), "n1,n2")).err())
          .contains("has nodes already (n1, n2)");
    }
  }

  private static String[] restoring(Path target, Path place, String zookeeper, String nodes) {
    List<String> line = new ArrayList<>(List.of("restore", target.toString(), place.toString()));
    line.addAll(List.of("--cluster", "local", "--zookeeper", zookeeper, "--nodes", nodes));
    return line.toArray(String[]::new);
  }

  private static void restoreNodes(Path target, Path place, String zookeeper) {
    Path made = place.resolve("made");
    assertThat(run(1, restoring(target, made, zookeeper, "n1")).err())
        .contains("waits for 2 nodes, and 1 are named");
    assertThat(run(1, restoring(target, made, zookeeper, "n1,../n2")).err())
        .contains("'../n2' is no name of a node");
    assertThat(made).doesNotExist();
    run(0, restoring(target, made, zookeeper, "n1,n2"));
    try {
      for (String node : List.of("n1", "n2")) {
        Files.move(made.resolve(node), place.resolve(node));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aNodeThatIsStartedAgainMeanwhileIsAskedForAnotherCheckpoint() throws Exception {
    Path target = target("restarted");
    AtomicInteger told = new AtomicInteger();
    BackupSummary taken =
        database.backup(
            target,
            bytes -> {
              if (told.incrementAndGet() == 2) {
                cluster.kill(1);
                cluster.processes().restart(1);
              }
            });
    compare(target, taken.name(), taken.database().stamp());
    awaitNoCheckpoints();
  }
}
