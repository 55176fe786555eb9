package io.graphmeta.storage.memory;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngineModelContractTest;

class MemoryStorageModelTest extends StorageEngineModelContractTest {
  @Override
  protected StorageEngine open() {
    return new MemoryStorage();
  }

  @Override
  protected StorageEngine reopen(StorageEngine store) {
    return store;
  }

  @Override
  protected void disturb(StorageEngine store) {}
}
