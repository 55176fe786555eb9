package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineContractTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class RocksDbStorageTest extends StorageEngineContractTest {
  @TempDir private Path directory;

  @Override
  protected StorageEngine open() {
    return RocksDbStorage.open(directory.resolve("db"), RocksDbSettings.defaults());
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
