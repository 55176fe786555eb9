package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.DroppedVersions;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Old versions of a cluster of real processes with three replicas of each shard are dropped while
 * clients write and read; a node is killed meanwhile.
 */
@RunsAlone
@Timeout(400)
class ClusterRetentionIT {
  private static final int NODES = 3;
  private static final int SHARDS = 4;
  private static final int FILES = 120;
  private static final int VERSIONS = 6;
  private static final int NOTE_LENGTH = 4_000;
  private static final long WAIT_MILLIS = 60_000;

  @TempDir private Path directory;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicInteger commits = new AtomicInteger();
  private volatile boolean enough;

  @Test
  void versionsAreDroppedWhileTheClusterGoesOn() throws Exception {
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, SHARDS, 3);
    try (RunningCluster cluster = new RunningCluster(directory.resolve("cluster"), shape)) {
      try (GraphDatabase database = cluster.open()) {
        List<Long> stamps = fill(database);
        long middle = stamps.get(VERSIONS / 2);
        Map<String, Object> then = sizes(database, middle);
        assertThat(then).hasSize(FILES);
        run(cluster, "backup", directory.resolve("before").toString());

        Thread writer = start(() -> write(database));
        Thread reader = start(() -> assertReads(database, middle, then));
        Path archives = directory.resolve("archives");
        JsonNode dropped =
            new ObjectMapper()
                .readTree(
                    run(
                            cluster,
                            "retention",
                            "--keep",
                            "file=0m",
                            "--archive",
                            archives.toString(),
                            "--json")
                        .out());
        assertThat(dropped.get("versions").asLong())
            .as("versions of two properties, of which the first are in the body, and the last stay")
            .isBetween(2 * (VERSIONS - 2L) * FILES, 2 * VERSIONS * (long) FILES);
        assertRefused(database, middle);
        cluster.kill(1);
        await("the others answer", () -> answers(database));
        assertRefused(database, middle);
        enough = true;
        writer.join();
        reader.join();
        assertThat(failure.get()).isNull();
        assertThat(commits.get()).as("commits meanwhile").isPositive();
        assertThat(sizes(database, newest(database))).hasSize(FILES);
        await("room is given back", this::hasRoom);
        assertThat(database.check(rows -> {}).examples()).isEmpty();
        cluster.processes().restart(1);
        await("all replicas follow", () -> isFollowed(cluster));
        run(cluster, "backup", directory.resolve("after").toString());
        restore(archives, middle, then);
      }
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private Thread start(Action action) {
    Thread thread =
        new Thread(
            () -> {
              while (!enough && failure.get() == null) {
                try {
                  action.run();
                } catch (GraphMetaException e) {
                  boolean isOfKill =
                      e.code().category() == ErrorCode.Category.RETRY
                          || e.code().category() == ErrorCode.Category.UNCERTAIN;
                  if (!isOfKill) {
                    failure.compareAndSet(null, e);
                  }
                } catch (Exception | AssertionError e) {
                  failure.compareAndSet(null, e);
                }
              }
            });
    thread.start();
    return thread;
  }

  /** Each commit has a version of all files. */
  private static List<Long> fill(GraphDatabase database) {
    Random random = new Random(7);
    List<Long> stamps = new ArrayList<>();
    long[] files = new long[FILES];
    for (int version = 0; version < VERSIONS; version++) {
      try (GraphTransaction tx = database.begin()) {
        for (int file = 0; file < FILES; file++) {
          if (version == 0) {
            files[file] = tx.addVertex("f" + file, "file", Map.of(), Stamp.AT_COMMIT);
          }
          set(tx, files[file], "size", random.nextInt());
          set(tx, files[file], "note", note(random));
        }
        stamps.add(tx.commit());
      }
    }
    return stamps;
  }

  private static void set(GraphTransaction tx, long vertex, String key, Object value) {
    tx.setVertexProperty(vertex, key, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
  }

  private static String note(Random random) {
    return random
        .ints(NOTE_LENGTH, ' ', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static List<String> ids() {
    return IntStream.range(0, FILES).mapToObj(file -> "f" + file).toList();
  }

  private static Map<String, Object> sizes(GraphDatabase database, long stamp) {
    Map<String, Object> sizes = new TreeMap<>();
    try (GraphTransaction tx = database.begin()) {
      for (VertexRecord file : tx.verticesById(ids(), new ReadView(stamp, stamp))) {
        for (PropertyRecord property :
            file == null ? List.<PropertyRecord>of() : file.properties()) {
          if (property.key().equals("size")) {
            sizes.put(file.id(), property.value());
          }
        }
      }
    }
    return sizes;
  }

  private void write(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      int number = commits.get();
      VertexRecord file = tx.verticesById(List.of("f" + number % FILES), tx.snapshot()).get(0);
      set(tx, file.key(), "size", number);
      long job = tx.addVertex(null, "job", Map.of("n", number), Stamp.AT_COMMIT);
      tx.addEdge(null, job, "wrote", file.key(), Map.of(), Stamp.AT_COMMIT);
      tx.commit();
      commits.incrementAndGet();
    }
  }

  /** Either as it was, or refused. */
  private static void assertReads(GraphDatabase database, long stamp, Map<String, Object> then) {
    try {
      assertThat(sizes(database, stamp)).isEqualTo(then);
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.BELOW_WATERMARK) {
        throw e;
      }
    }
  }

  private static void assertRefused(GraphDatabase database, long stamp) {
    try {
      assertThat(sizes(database, stamp)).as("answered").isNull();
    } catch (GraphMetaException e) {
      assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.BELOW_WATERMARK);
    }
  }

  private static boolean answers(GraphDatabase database) {
    try {
      return sizes(database, newest(database)).size() == FILES;
    } catch (GraphMetaException e) {
      return false;
    }
  }

  private static long newest(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      return tx.snapshot().knownAt();
    }
  }

  /** Whether the tables of the nodes that live have two versions of each file, and not all. */
  private boolean hasRoom() {
    long least = (NODES - 1L) * 2 * FILES * NOTE_LENGTH * 3 / 4; // compressed
    long bytes = 0;
    for (int node = 2; node <= NODES; node++) {
      try (Stream<Path> files = Files.walk(directory.resolve("cluster/n" + node + "/shards"))) {
        bytes +=
            files
                .filter(file -> file.toString().endsWith(".sst"))
                .mapToLong(file -> file.toFile().length())
                .sum();
      } catch (IOException | UncheckedIOException e) {
        return false; // files come and go
      }
    }
    return bytes > least && bytes < 2 * least;
  }

  private static boolean isFollowed(RunningCluster cluster) {
    ClusterStatus status = cluster.status();
    return status.isWell()
        && status.shards().stream()
            .allMatch(shard -> shard.behind().stream().allMatch(entries -> entries == 0));
  }

  private void restore(Path archives, long middle, Map<String, Object> then) {
    Path copy = directory.resolve("copy");
    run("restore", directory.resolve("after").toString(), copy.toString());
    GraphMetaConfig config = GraphDatabases.asCreated(GraphMetaConfig.inDirectory(copy));
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertRefused(database, middle);
    }
    run("archive", "restore", archives.toString(), "--db", copy.toString());
    assertThat(DroppedVersions.missed(config)).isEmpty();
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(sizes(database, middle)).isEqualTo(then);
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  private static Cli run(RunningCluster cluster, String... words) {
    return run(Stream.of(words, cluster.options()).flatMap(Stream::of).toArray(String[]::new));
  }

  private static Cli run(String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isZero();
    return run;
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long begunNanos = System.nanoTime();
    while (!condition.holds()) {
      assertThat((System.nanoTime() - begunNanos) / 1_000_000).as(what).isLessThan(WAIT_MILLIS);
      assertThat(failure.get()).isNull();
      Thread.sleep(100);
    }
  }
}
