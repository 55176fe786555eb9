package io.graphmeta.storage.memory;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineContractTest;

class MemoryStorageTest extends StorageEngineContractTest {
  @Override
  protected StorageEngine open() {
    return new MemoryStorage();
  }
}
