package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineModelContractTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store without a log of its own: as any store while it is open, and whole after a crash. */
class UnloggedStoreTest extends StorageEngineModelContractTest {
  /** Buffers so small that rows reach files. */
  private static final RocksDbSettings SETTINGS =
      RocksDbSettings.defaults().withWriteBufferBytes(1 << 16).withLog(false);

  private static final byte[] LAST = {'l'};

  @TempDir private Path directory;

  @Override
  protected StorageEngine open() throws Exception {
    return RocksDbStorage.open(Files.createTempDirectory(directory, "db"), SETTINGS);
  }

  @Override
  protected StorageEngine reopen(StorageEngine store) {
    store.close();
    return RocksDbStorage.open(((RocksDbStorage) store).directory(), SETTINGS);
  }

  @Override
  protected void disturb(StorageEngine store) {
    store.sync();
  }

  /**
   * Batches over all families, some of them large, so that the buffer of one family is full before
   * the others. Copies of the files as they are at any moment hold all batches up to one, not less
   * than those that were synced.
   */
  @Test
  void whatACrashLeavesIsAllUpToSomeBatch() throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    Path original = directory.resolve("original");
    Set<Long> found = new HashSet<>();
    try (RocksDbStorage store = RocksDbStorage.open(original, SETTINGS)) {
      long synced = 0;
      long written = 0;
      for (int copy = 0; copy < 12; copy++) {
        for (int more = random.nextInt(40); more > 0; more--) {
          store.write(batch(++written, random.nextInt(20_000)), Durability.BACKGROUND);
        }
        if (random.nextInt(3) == 0) {
          store.sync();
          synced = written;
        }
        Path crashed = directory.resolve("crashed-" + copy);
        store.pauseFiles(); // none is removed while it is copied
        copyFiles(original, crashed);
        store.goOnWithFiles();
        found.add(check(crashed, synced, written, "seed %d, copy %d".formatted(seed, copy)));
      }
    }
    check(original, 0, Long.MAX_VALUE, "closed, seed " + seed);
    assertThat(found).as("moments, seed %d", seed).hasSizeGreaterThan(2);
  }

  private static RowBatch batch(long number, int bytes) {
    RowBatch batch = new RowBatch(64);
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    for (Family family : Family.values()) {
      int size = family.ordinal() == number % Family.values().length ? bytes : 1;
      batch.put(family, key, new byte[size]);
      batch.put(Family.META, LAST, key);
    }
    return batch;
  }

  private static long check(Path crashed, long synced, long written, String what) {
    try (RocksDbStorage store = RocksDbStorage.open(crashed, SETTINGS)) {
      byte[] last = store.get(Family.META, LAST);
      long newest = last == null ? 0 : ByteBuffer.wrap(last).getLong();
      assertThat(newest).as(what).isBetween(synced, written);
      for (long number = 1; number <= newest + 5; number++) {
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        for (Family family : Family.values()) {
          assertThat(store.get(family, key) != null)
              .as("%s: row %d of %s, newest %d", what, number, family, newest)
              .isEqualTo(number <= newest);
        }
      }
      return newest;
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    List<Path> files;
    try (Stream<Path> listed = Files.list(from)) {
      files = listed.toList();
    }
    for (Path file : files) {
      if (!file.endsWith("LOCK")) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
