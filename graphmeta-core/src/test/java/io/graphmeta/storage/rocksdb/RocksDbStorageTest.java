package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineContractTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
