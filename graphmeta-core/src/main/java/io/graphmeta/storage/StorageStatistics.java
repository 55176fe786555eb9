package io.graphmeta.storage;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of one store.
 *
 * @param bytesOnDisk bytes of all files of the store, the log included; 0 for a store in memory
 * @param estimatedRows rows of each family, estimated by the engine
 * @param syncs how often writes were brought to disk since the store was opened
 * @param fault why the store takes no writes, or null
 */
public record StorageStatistics(
    long bytesOnDisk, Map<Family, Long> estimatedRows, long syncs, @Nullable String fault) {
  /** Of a store that has nothing to sync. */
  public StorageStatistics(long bytesOnDisk, Map<Family, Long> estimatedRows) {
    this(bytesOnDisk, estimatedRows, 0, null);
  }
}
