package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A database on a disk that fills up: reads go on, writes say what to do, and go on when there is
 * room again. On a small file system in memory, which only a privileged user can mount.
 */
@Timeout(180)
class FullDiskTest {
  private static final int WRITERS = 3;
  private static final int VALUE_CHARACTERS = 3000;

  @TempDir private Path mountPoint;

  private boolean mounted;

  @BeforeEach
  void mount() throws InterruptedException {
    try {
      LoopDisk.run("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", mountPoint.toString());
      mounted = true;
    } catch (IOException e) {
      assumeTrue(
          false, "a file system in memory cannot be mounted, which needs root on Linux: " + e);
    }
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      LoopDisk.run("umount", mountPoint.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,sync,0",
    "1,background,0",
    "1,sync,8",
    "1,background,8",
    "4,sync,8",
    "4,background,8"
  })
  void readsGoOnAndWritesWhenThereIsRoom(int shards, String durability, int reservedMib)
      throws Exception {
    Path ballast = mountPoint.resolve("ballast");
    Files.write(ballast, new byte[16 << 20]);
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(mountPoint.resolve("db"))
            .with(Setting.SHARDS, shards)
            .with(Setting.DURABILITY, durability)
            .with(Setting.RESERVED_DISK_BYTES, reservedMib << 20)
            .with(Setting.BACKGROUND_SYNC_MILLIS, 5)
            .with(Setting.WRITE_BUFFER_BYTES, 1 << 20);
    List<String> acknowledged = new ArrayList<>();
    try (GraphDatabase database = GraphDatabases.open(config)) {
      acknowledged.addAll(fill(database));
      assertReadsGoOn(database, acknowledged);
      Path others = fillTheRest();
      assertReadsGoOn(database, acknowledged);

      Files.delete(ballast);
      Files.delete(others);
      awaitWrite(database);
      acknowledged.add("later");
      assertReads(database, acknowledged);
    }
    try (GraphDatabase again = GraphDatabases.open(config)) {
      assertReads(again, acknowledged);
      assertThat(again.check(rows -> {}).isClean()).isTrue();
    }
  }

  /** Several writers, each until it is refused; returns what was acknowledged. */
  private static List<String> fill(GraphDatabase database) throws InterruptedException {
    ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<RuntimeException> refusals = new ConcurrentLinkedQueue<>();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String name = "w" + writer + "-";
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int n = 0; ; n++) {
                    write(database, name + n);
                    acknowledged.add(name + n);
                  }
                } catch (RuntimeException e) {
                  refusals.add(e);
                }
              });
      thread.start();
      writers.add(thread);
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(refusals).hasSize(WRITERS);
    assertThat(acknowledged).hasSizeGreaterThan(100);
    return List.copyOf(acknowledged);
  }

  /** Other programs take what is left. */
  private Path fillTheRest() throws IOException {
    Path others = mountPoint.resolve("others");
    try (OutputStream out = Files.newOutputStream(others)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    return others;
  }

  /** For longer than a shard promises stamps ahead. */
  private static void assertReadsGoOn(GraphDatabase database, List<String> acknowledged)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    while (System.nanoTime() - end < 0) {
      assertReads(database, acknowledged);
      assertRefuses(database);
      Thread.sleep(100);
    }
  }

  /** Two vertices with an edge between them. */
  private static void write(GraphDatabase database, String id) {
    try (GraphTransaction tx = database.begin()) {
      StringBuilder noise = new StringBuilder();
      new Random(id.hashCode())
          .ints(VALUE_CHARACTERS, ' ', '~')
          .forEach(character -> noise.append((char) character));
      long from = tx.addVertex(id, "file", Map.of("text", noise.toString()), Stamp.AT_COMMIT);
      long to = tx.addVertex(id + "-to", "file", Map.of(), Stamp.AT_COMMIT);
      tx.addEdge(null, from, "wrote", to, Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  private static void assertReads(GraphDatabase database, List<String> acknowledged) {
    try (GraphTransaction tx = database.begin()) {
      List<VertexRecord> found = tx.verticesById(acknowledged, tx.snapshot());
      assertThat(found).as("acknowledged vertices").doesNotContainNull();
      long[] keys = found.stream().mapToLong(VertexRecord::key).toArray();
      int edges = 0;
      try (AdjacencyCursor cursor =
          tx.expand(new Expansion(keys, Direction.OUT, Set.of(), true), tx.snapshot())) {
        while (cursor.next()) {
          edges++;
        }
      }
      assertThat(edges).as("edges of acknowledged vertices").isEqualTo(keys.length);
    }
    assertThat(database.status()).isNotEmpty();
  }

  private static void assertRefuses(GraphDatabase database) {
    try {
      write(database, "refused" + System.nanoTime());
    } catch (GraphMetaException e) {
      // Over several shards those that have room may have taken their part.
      assertThat(e.code())
          .as(e.getMessage())
          .isIn(ErrorCode.STORAGE_FAILURE, ErrorCode.OUTCOME_UNKNOWN);
      assertThat(e).hasMessageContaining("no space left").hasMessageContaining("make room");
    }
  }

  private static void awaitWrite(GraphDatabase database) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    boolean done = false;
    while (!done) {
      try {
        write(database, "later");
        done = true;
      } catch (GraphMetaException e) {
        assertThat(System.nanoTime() - end).as(e.getMessage()).isNegative();
        Thread.sleep(100);
      }
    }
  }
}
