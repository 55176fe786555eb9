package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The disk below the index of a shard fills up, and not that below its store: writes go on, queries
 * find what is there, the log and the state of the indexes name the disk, and the index goes on by
 * itself when there is room again. On a small file system in memory, which only a privileged user
 * can mount.
 */
@Timeout(300)
class IndexFullDiskTest {
  private static final long FULL_MILLIS = 5_000;
  private static final long WAIT_SECONDS = 120;

  @TempDir private Path directory;

  private Path mounted = Path.of("");

  private Path mount(int shard) throws IOException, InterruptedException {
    Path files = Files.createDirectories(directory.resolve("db/shard-" + shard + "-index"));
    try {
      LoopDisk.run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", files.toString());
      mounted = files;
    } catch (IOException e) {
      assumeTrue(
          false, "a file system in memory cannot be mounted, which needs root on Linux: " + e);
    }
    return files;
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted.isAbsolute()) {
      LoopDisk.run("umount", mounted.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0", "4,0", "1,512"})
  void writesGoOnAndTheIndexWhenThereIsRoom(int shards, int leftKib) throws Exception {
    Random random = new Random(Long.getLong("graphmeta.seed", shards));
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("db"))
            .with(Setting.SHARDS, shards)
            .with(Setting.SPLIT_THRESHOLD, 8);
    GraphDatabases.open(config).close();
    int shard = shards - 1;
    Path files = mount(shard);
    AtomicLong written = new AtomicLong();
    try (IndexLog log = new IndexLog();
        GraphDatabase database = GraphDatabases.open(config)) {
      IndexedAnswers answers = new IndexedAnswers(database, random, IndexedWrites.begin(database));
      answers.awaitCaughtUp("new");
      IndexedWrites writes =
          new IndexedWrites(database, random.nextLong(), written::incrementAndGet);
      fill(files, leftKib);
      writes.start();
      awaitFault(database, shard);
      long before = written.get();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FULL_MILLIS);
      while (System.nanoTime() - end < 0) {
        answers.ask(2, "full");
        Thread.sleep(50);
      }
      assertThat(written.get()).as("writes while the disk is full").isGreaterThan(before + 100);
      // With a little room the index is there now and then.
      assertThat(awaitFault(database, shard)).contains(files.toString(), "No space left on device");
      for (int other = 0; other < shard; other++) {
        assertThat(fault(database, other)).isEmpty();
      }
      assertThat(IndexLog.warnings(log.lines()))
          .isNotEmpty()
          .allSatisfy(
              line ->
                  assertThat(line)
                      .contains("shard " + shard, files.toString(), "No space left on device"));

      Files.delete(files.resolve("ballast"));
      awaitNoFault(database, shard);
      answers.ask(2, "room");
      assertThat(writes.stop()).isEmpty();
      answers.awaitCaughtUp("room");
      answers.ask(2, "caught up");
      assertThat(answers.assertClean("caught up")).isPositive();
      await(() -> toldInTurns(log.lines()), "each failure is told once, and its end");
      assertThat(IndexLog.buildsOfKept(log.lines()))
          .as("goes on from its last commit")
          .hasSize(2 * shards);
    }
  }

  /**
   * Whether the last failure has ended. With a little room there is one after the other: each is
   * told once, and not again before its end is.
   */
  private static boolean toldInTurns(List<String> lines) {
    boolean failed = false;
    for (String line : lines) {
      if (line.contains("WARN ")) {
        assertThat(failed).as("told again before its end: %s in %s", line, lines).isFalse();
        failed = true;
      } else if (line.contains(" is there again")) {
        assertThat(failed).as("an end of nothing in %s", lines).isTrue();
        failed = false;
      }
    }
    return !failed;
  }

  /** Other programs take what is left, but for a little. */
  private static void fill(Path files, int leftKib) throws IOException {
    try (OutputStream out = Files.newOutputStream(files.resolve("ballast"))) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    try (FileChannel ballast =
        FileChannel.open(files.resolve("ballast"), StandardOpenOption.WRITE)) {
      ballast.truncate(ballast.size() - leftKib * 1024L);
    }
  }

  private static String fault(GraphDatabase database, int shard) {
    List<IndexStatus> indexes = database.indexes().list();
    return indexes.isEmpty() ? "" : indexes.get(0).shards().get(shard).fault();
  }

  private static String awaitFault(GraphDatabase database, int shard) throws InterruptedException {
    AtomicReference<String> told = new AtomicReference<>("");
    await(
        () -> {
          told.set(fault(database, shard));
          return !told.get().isEmpty();
        },
        "a full disk is told");
    return told.get();
  }

  private static void awaitNoFault(GraphDatabase database, int shard) throws InterruptedException {
    await(() -> fault(database, shard).isEmpty(), "the index goes on when there is room");
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition, String what) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - end).as(what).isNegative();
      Thread.sleep(20);
    }
  }
}
