package io.graphmeta.rows;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDbCachedRowsModelTest extends CachedRowsModelContractTest {
  @TempDir private Path directory;
  private int stores;

  @Override
  StorageEngine open() {
    return RocksDbStorage.open(
        directory.resolve("store-" + stores++),
        RocksDbSettings.defaults().withWriteBufferBytes(1 << 16));
  }
}
