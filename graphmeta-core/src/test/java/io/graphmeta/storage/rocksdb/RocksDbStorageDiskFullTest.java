package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk that fills up, on a small file system in memory, which only a privileged user can mount.
 */
@Timeout(180)
class RocksDbStorageDiskFullTest {
  private static final RocksDbSettings SETTINGS =
      RocksDbSettings.defaults().withWriteBufferBytes(1 << 20).withBackgroundSyncIntervalMillis(10);
  private static final int MOUNTED_BYTES = 24 << 20;
  private static final int VALUE_BYTES = 4000;
  private static final int FULL_ROUNDS = Integer.getInteger("graphmeta.full-rounds", 3);

  /** More than RocksDB passes to the system at once: a part of an entry can be in the log. */
  private static final int LARGE_VALUE_BYTES = 2_500_000;

  @TempDir private Path mountPoint;

  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + MOUNTED_BYTES, "tmpfs", mountPoint.toString());
    assumeTrue(
        mounted,
        "a file system in memory cannot be mounted here; needs a privileged user on Linux");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", mountPoint.toString())).as("unmounted").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void acknowledgedRowsAreThereAfterRoomWasMade(Durability durability) throws Exception {
    Path ballast = mountPoint.resolve("ballast");
    Files.write(ballast, new byte[8 << 20]);
    Path directory = mountPoint.resolve("db");
    RocksDbStorage store = RocksDbStorage.open(directory, SETTINGS);
    int acknowledged = 0;
    @Nullable GraphMetaException refusal = null;
    try {
      refusal = null;
      while (refusal == null && acknowledged < 100_000) {
        refusal = tryWrite(store, acknowledged, VALUE_BYTES, durability);
        if (refusal == null) {
          acknowledged++;
        }
      }
      assertThat(refusal).as("the disk is full").isNotNull();
      assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(ErrorCode.STORAGE_FAILURE);
      assertThat(refusal.getMessage())
          .contains(directory.toRealPath().toString())
          .contains("no space left");
      assertRows(store, acknowledged, VALUE_BYTES);

      Files.delete(ballast);
      // RocksDB goes on by itself within seconds, unless something else failed meanwhile.
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      GraphMetaException later = tryWrite(store, acknowledged, VALUE_BYTES, durability);
      while (later != null && System.nanoTime() - deadline < 0) {
        assertThat(later.code()).as(later.getMessage()).isEqualTo(ErrorCode.STORAGE_FAILURE);
        later = tryWrite(store, acknowledged, VALUE_BYTES, durability);
      }
      acknowledged += later == null ? 1 : 0;
      assertRows(store, acknowledged, VALUE_BYTES);
    } finally {
      closeInAnyCase(store);
    }
    try (RocksDbStorage again = RocksDbStorage.open(directory, SETTINGS)) {
      assertNothingWasGivenUp(directory);
      assertRows(again, acknowledged, VALUE_BYTES);
      assertThat(tryWrite(again, acknowledged, VALUE_BYTES, durability)).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SYNC," + VALUE_BYTES,
    "BACKGROUND," + VALUE_BYTES,
    "SYNC," + LARGE_VALUE_BYTES,
    "BACKGROUND," + LARGE_VALUE_BYTES
  })
  void acknowledgedRowsAreThereAfterReopening(Durability durability, int valueBytes)
      throws Exception {
    Path ballast = mountPoint.resolve("ballast");
    Files.write(ballast, new byte[8 << 20]);
    Path directory = mountPoint.resolve("db");
    RocksDbStorage store = RocksDbStorage.open(directory, SETTINGS);
    int acknowledged = 0;
    while (acknowledged < 100_000
        && tryWrite(store, acknowledged, valueBytes, durability) == null) {
      acknowledged++;
    }
    closeInAnyCase(store);
    Files.delete(ballast);
    try (RocksDbStorage again = RocksDbStorage.open(directory, SETTINGS)) {
      assertNothingWasGivenUp(directory);
      assertRows(again, acknowledged, valueBytes);
      assertThat(tryWrite(again, acknowledged, valueBytes, durability)).isNull();
    }
  }

  /** What the disk refused is no loss. */
  private static void assertNothingWasGivenUp(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith(LogRecovery.GIVEN_UP));
    }
  }

  /** A sync that meets a write that fails must leave RocksDB able to go on by itself. */
  @Test
  @Timeout(3600) // a round takes RocksDB 5 seconds
  void writesGoOnByThemselvesWhileOthersSync() throws Exception {
    Path ballast = mountPoint.resolve("ballast");
    AtomicBoolean ended = new AtomicBoolean();
    try (RocksDbStorage store = RocksDbStorage.open(mountPoint.resolve("db"), SETTINGS)) {
      Thread syncing = new Thread(() -> syncUntil(ended, store));
      syncing.start();
      try {
        for (int round = 0; round < FULL_ROUNDS; round++) {
          takeRoom(ballast);
          awaitRefusal(store);
          Files.delete(ballast);
          awaitWrite(store, "round " + round);
        }
      } finally {
        ended.set(true);
        syncing.join();
      }
    }
  }

  /** RocksDB goes on trying to write a table, and would have the write wait for that. */
  @Test
  void aWriteThatWaitsForATableIsRefusedWithIt() throws Exception {
    Path ballast = mountPoint.resolve("ballast");
    try (RocksDbStorage store = RocksDbStorage.open(mountPoint.resolve("db"), SETTINGS)) {
      store.pauseFiles();
      AtomicInteger written = new AtomicInteger();
      List<GraphMetaException> refusals = new CopyOnWriteArrayList<>();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Thread writer = new Thread(() -> refusals.add(writeUntilRefused(store, written)));
        writer.start();
        writers.add(writer);
      }
      awaitStall(written);
      takeRoom(ballast);
      store.goOnWithFiles();
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(refusals)
          .hasSize(3)
          .allSatisfy(refusal -> assertThat(refusal).hasMessageContaining("no space left"));
      Files.delete(ballast);
      awaitWrite(store, "when there is room");
    }
  }

  /** Writes the same rows again and again, so that RocksDB has much to compact. */
  private static void awaitRefusal(RocksDbStorage store) {
    int row = 0;
    GraphMetaException refusal = null;
    while (refusal == null) {
      refusal = tryWrite(store, row++ % 1_000, VALUE_BYTES, Durability.BACKGROUND);
    }
    assertThat(refusal).hasMessageContaining("no space left").hasMessageContaining("make room");
  }

  /** RocksDB goes on by itself within seconds, unless something else failed meanwhile. */
  private static void awaitWrite(RocksDbStorage store, String when) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    GraphMetaException refusal = tryWrite(store, 0, VALUE_BYTES, Durability.BACKGROUND);
    while (refusal != null) {
      assertThat(refusal).as(when).hasMessageContaining("no space left");
      assertThat(System.nanoTime() - deadline).as(when).isNegative();
      refusal = tryWrite(store, 0, VALUE_BYTES, Durability.BACKGROUND);
    }
  }

  private static GraphMetaException writeUntilRefused(RocksDbStorage store, AtomicInteger written) {
    GraphMetaException refusal = null;
    while (refusal == null) {
      refusal = tryWrite(store, written.getAndIncrement(), VALUE_BYTES, Durability.BACKGROUND);
    }
    return refusal;
  }

  private static void awaitStall(AtomicInteger written) throws InterruptedException {
    int before = -1;
    while (written.get() != before) {
      before = written.get();
      Thread.sleep(500);
    }
  }

  /** Takes what is free. */
  private static void takeRoom(Path ballast) {
    try {
      Files.write(ballast, new byte[MOUNTED_BYTES]);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static void syncUntil(AtomicBoolean ended, RocksDbStorage store) {
    while (!ended.get()) {
      try {
        store.sync();
      } catch (GraphMetaException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
      }
    }
  }

  /** On a full disk closing may report that it could not sync, but closes. */
  private static void closeInAnyCase(RocksDbStorage store) {
    try {
      store.close();
    } catch (GraphMetaException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
    }
  }

  private static @Nullable GraphMetaException tryWrite(
      RocksDbStorage store, int row, int valueBytes, Durability durability) {
    byte[] value = new byte[valueBytes];
    new Random(row).nextBytes(value);
    RowBatch batch = new RowBatch(valueBytes + 64);
    batch.put(Family.OUT, key(row), value);
    try {
      store.write(batch, durability);
      return null;
    } catch (GraphMetaException e) {
      return e;
    }
  }

  private static void assertRows(RocksDbStorage store, int count, int valueBytes) {
    for (int row = 0; row < count; row++) {
      byte[] expected = new byte[valueBytes];
      new Random(row).nextBytes(expected);
      assertThat(store.get(Family.OUT, key(row)))
          .as("acknowledged row %d of %d", row, count)
          .isEqualTo(expected);
    }
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(8).putLong(row).array();
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 && !output.contains("denied");
    } catch (IOException e) {
      return false;
    }
  }
}
