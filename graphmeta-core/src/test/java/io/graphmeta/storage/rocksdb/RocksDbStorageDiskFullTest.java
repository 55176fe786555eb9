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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
  private static final int VALUE_BYTES = 4000;

  /** More than RocksDB passes to the system at once: a part of an entry can be in the log. */
  private static final int LARGE_VALUE_BYTES = 2_500_000;

  @TempDir private Path mountPoint;

  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", mountPoint.toString());
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
