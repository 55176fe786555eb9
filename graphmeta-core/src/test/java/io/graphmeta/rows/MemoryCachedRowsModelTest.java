package io.graphmeta.rows;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;

class MemoryCachedRowsModelTest extends CachedRowsModelContractTest {
  @Override
  StorageEngine open() {
    return new MemoryStorage();
  }
}
