package io.graphmeta.shard.index;

import io.graphmeta.search.AttributeIndex;

/** Where a shard gets its index from. Used by the one thread that changes the index. */
public interface IndexSource {
  /**
   * Opens the index as it was committed last, or an empty one if there is none.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code CORRUPTION} if it is damaged, {@code
   *     STORAGE_FAILURE} if the disk refuses
   */
  AttributeIndex open();

  /** Removes the index, which is not open. The next that is opened is empty. */
  void remove();
}
