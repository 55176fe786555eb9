package io.graphmeta.storage;

import java.util.Map;

/**
 * Sizes of one store.
 *
 * @param bytesOnDisk bytes of all files of the store, the log included; 0 for a store in memory
 * @param estimatedRows rows of each family, estimated by the engine
 * @param syncs how often writes were brought to disk since the store was opened
 */
public record StorageStatistics(long bytesOnDisk, Map<Family, Long> estimatedRows, long syncs) {
  /** Of a store that has nothing to sync. */
  public StorageStatistics(long bytesOnDisk, Map<Family, Long> estimatedRows) {
    this(bytesOnDisk, estimatedRows, 0);
  }
}
