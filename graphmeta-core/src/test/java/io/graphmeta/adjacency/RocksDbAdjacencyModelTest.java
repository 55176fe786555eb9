package io.graphmeta.adjacency;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDbAdjacencyModelTest extends AdjacencyModelContractTest {
  @TempDir private Path directory;
  private int stores;

  @Override
  StorageEngine open() {
    return RocksDbStorage.open(
        directory.resolve("store-" + stores++),
        RocksDbSettings.defaults().withWriteBufferBytes(1 << 16));
  }
}
