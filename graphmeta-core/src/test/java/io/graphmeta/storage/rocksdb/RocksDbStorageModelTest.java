package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineModelContractTest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDbStorageModelTest extends StorageEngineModelContractTest {
  /** Buffers so small that rows reach files. */
  private static final RocksDbSettings SETTINGS =
      RocksDbSettings.defaults().withWriteBufferBytes(1 << 16);

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
    ((RocksDbStorage) store).flush();
  }
}
