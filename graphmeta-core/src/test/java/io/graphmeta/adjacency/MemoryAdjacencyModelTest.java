package io.graphmeta.adjacency;

import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;

class MemoryAdjacencyModelTest extends AdjacencyModelContractTest {
  @Override
  StorageEngine open() {
    return new MemoryStorage();
  }
}
