package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineContractTest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class RocksDbStorageTest extends StorageEngineContractTest {
  @TempDir private Path directory;

  @Override
  protected StorageEngine open() {
    return RocksDbStorage.open(directory.resolve("db"), RocksDbSettings.defaults());
  }

  @Test
  void syncsAreCounted() {
    RowBatch batch = new RowBatch(16);
    batch.put(Family.META, new byte[] {1}, new byte[] {2});
    long before = store().statistics().syncs();
    store().write(batch, Durability.SYNC);
    long written = store().statistics().syncs();
    assertThat(written).isGreaterThan(before);
    store().sync();
    assertThat(store().statistics().syncs()).isGreaterThan(written);
  }

  @Test
  void filesThatWereCompressedInAnotherWayAreReadAndMerged() throws Exception {
    Path other = directory.resolve("other");
    byte[] value = new byte[200];
    try (RocksDbStorage made = RocksDbStorage.open(other, RocksDbSettings.defaults())) {
      RowBatch batch = new RowBatch(1 << 16);
      for (int i = 0; i < 300; i++) {
        batch.put(Family.OUT, key(i), value);
      }
      made.write(batch, Durability.SYNC);
    }
    compactAs(other, CompressionType.ZSTD_COMPRESSION);
    for (int opened = 0; opened < 2; opened++) {
      try (RocksDbStorage again = RocksDbStorage.open(other, RocksDbSettings.defaults())) {
        for (int i = 0; i < 300; i++) {
          assertThat(again.get(Family.OUT, key(i))).as("row %d", i).isEqualTo(value);
        }
        RowBatch more = new RowBatch(1 << 10);
        more.put(Family.OUT, key(300 + opened), value);
        again.write(more, Durability.SYNC);
        again.flush();
        try (RowCursor rows = again.cursor(Family.OUT, StorageEngine.Scope.FAMILY)) {
          int count = 0;
          for (boolean at = rows.seek(new byte[0], 0); at; at = rows.next()) {
            assertThat(rows.key()).startsWith(key(count++));
          }
          assertThat(count).isEqualTo(301 + opened);
        }
      }
      compactAs(other, CompressionType.LZ4HC_COMPRESSION);
    }
  }

  /** All of them, also one that is interrupted, and none before there is a place. */
  @Test
  void writesWaitForTables() throws Exception {
    RocksDbSettings settings = RocksDbSettings.defaults().withWriteBufferBytes(1 << 16);
    try (RocksDbStorage small = RocksDbStorage.open(directory.resolve("small"), settings)) {
      small.pauseFiles();
      AtomicInteger written = new AtomicInteger();
      AtomicBoolean interrupted = new AtomicBoolean();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int first = i * 100;
        Thread writer =
            new Thread(
                () -> {
                  for (int row = first; row < first + 100; row++) {
                    RowBatch batch = new RowBatch(1 << 12);
                    batch.put(Family.OUT, key(row), new byte[4000]);
                    small.write(batch, Durability.BACKGROUND);
                    written.incrementAndGet();
                  }
                  if (Thread.interrupted()) {
                    interrupted.set(true);
                  }
                });
        writer.start();
        writers.add(writer);
      }
      int stalled = -1;
      while (stalled != written.get()) {
        stalled = written.get();
        Thread.sleep(300);
      }
      assertThat(stalled).isLessThan(400);
      writers.get(0).interrupt();
      Thread.sleep(300);
      assertThat(written).hasValue(stalled);
      small.goOnWithFiles();
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(written).hasValue(400);
      assertThat(interrupted).as("the thread is still interrupted").isTrue();
      for (int row = 0; row < 400; row++) {
        assertThat(small.get(Family.OUT, key(row))).as("row %d", row).hasSize(4000);
      }
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(12).putLong(number).putInt(1).array();
  }

  /** Writes all rows of all families to the last level, compressed in a given way. */
  private static void compactAs(Path database, CompressionType compression) throws Exception {
    List<byte[]> names;
    try (Options options = new Options()) {
      names = RocksDB.listColumnFamilies(options, database.toString());
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (ColumnFamilyOptions family = new ColumnFamilyOptions().setCompressionType(compression);
        DBOptions options = new DBOptions();
        CompactRangeOptions force =
            new CompactRangeOptions()
                .setBottommostLevelCompaction(
                    CompactRangeOptions.BottommostLevelCompaction.kForce);
        RocksDB db =
            RocksDB.open(
                options,
                database.toString(),
                names.stream().map(name -> new ColumnFamilyDescriptor(name, family)).toList(),
                handles)) {
      for (ColumnFamilyHandle handle : handles) {
        db.compactRange(handle, null, null, force);
      }
      handles.forEach(ColumnFamilyHandle::close);
    }
  }

  @AfterEach
  void leavesNoIteratorBehind() {
    RocksDbStorage store = (RocksDbStorage) store();
    assertThat(store.openIterators())
        .as("iterators of cursors not closed")
        .isEqualTo(store.idleIterators());
    store.close();
    assertThat(store.openIterators()).isZero();
  }
}
