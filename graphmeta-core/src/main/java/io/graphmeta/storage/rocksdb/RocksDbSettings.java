package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.GraphMetaException;

/**
 * Settings of one store. The defaults suit a laptop or a small shard with two cores.
 *
 * @param blockCacheBytes memory for blocks, indexes and filters read from files, in bytes
 * @param writeBufferBytes memory for the newest rows of each family before they are written to a
 *     file, in bytes; up to three such buffers per family exist while files are being written
 * @param backgroundSyncIntervalMillis time between background syncs, in milliseconds: what the loss
 *     of power can cost
 * @param createIfMissing whether to create the database if the directory is absent or empty
 * @param backgroundJobs threads that write and compact files
 * @param maxOpenFiles files kept open at most; -1 keeps all open
 * @param logRecovery what to do about damage of the write-ahead log that took what was synced
 * @param reservedDiskBytes where less is free on the disk, the store has {@linkplain
 *     io.graphmeta.storage.StorageEngine#requireRoom no room}, in bytes
 * @param hasLog whether the store has a write-ahead log; without it what was written since the last
 *     sync is lost with the process, all of it or its end, and who writes can bring it again
 */
public record RocksDbSettings(
    long blockCacheBytes,
    long writeBufferBytes,
    long backgroundSyncIntervalMillis,
    boolean createIfMissing,
    int backgroundJobs,
    int maxOpenFiles,
    LogRecovery logRecovery,
    long reservedDiskBytes,
    boolean hasLog) {

  /**
   * What to do about damage of the write-ahead log. The loss of an end that was not synced is none.
   */
  public enum LogRecovery {
    /** Refuse to open: rows that were synced are lost. */
    REFUSE_DAMAGE,
    /** Open with all batches before the damage and none after it, whatever was synced. */
    TO_LAST_GOOD_BATCH
  }

  /** Checks the ranges. */
  public RocksDbSettings {
    requireAtLeast("blockCacheBytes", blockCacheBytes, 1 << 16);
    requireAtLeast("writeBufferBytes", writeBufferBytes, 1 << 16);
    requireAtLeast("backgroundSyncIntervalMillis", backgroundSyncIntervalMillis, 1);
    requireAtLeast("backgroundJobs", backgroundJobs, 1);
    requireAtLeast("maxOpenFiles", maxOpenFiles, -1);
    requireAtLeast("reservedDiskBytes", reservedDiskBytes, 0);
  }

  /**
   * 256 MiB of block cache, 64 MiB of write buffer per family, a background sync each 100 ms,
   * created if missing, with no reserve on the disk.
   */
  public static RocksDbSettings defaults() {
    return new RocksDbSettings(
        256L << 20, 64L << 20, 100, true, 2, -1, LogRecovery.REFUSE_DAMAGE, 0, true);
  }

  /** These settings with another size of the block cache, in bytes. */
  public RocksDbSettings withBlockCacheBytes(long bytes) {
    return new RocksDbSettings(
        bytes,
        writeBufferBytes,
        backgroundSyncIntervalMillis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        reservedDiskBytes,
        hasLog);
  }

  /** These settings with another size of the write buffers, in bytes. */
  public RocksDbSettings withWriteBufferBytes(long bytes) {
    return new RocksDbSettings(
        blockCacheBytes,
        bytes,
        backgroundSyncIntervalMillis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        reservedDiskBytes,
        hasLog);
  }

  /** These settings with another time between background syncs, in milliseconds. */
  public RocksDbSettings withBackgroundSyncIntervalMillis(long millis) {
    return new RocksDbSettings(
        blockCacheBytes,
        writeBufferBytes,
        millis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        reservedDiskBytes,
        hasLog);
  }

  /** These settings, creating a missing database or not. */
  public RocksDbSettings withCreateIfMissing(boolean create) {
    return new RocksDbSettings(
        blockCacheBytes,
        writeBufferBytes,
        backgroundSyncIntervalMillis,
        create,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        reservedDiskBytes,
        hasLog);
  }

  /** These settings with another treatment of damage in the log. */
  public RocksDbSettings withLogRecovery(LogRecovery recovery) {
    return new RocksDbSettings(
        blockCacheBytes,
        writeBufferBytes,
        backgroundSyncIntervalMillis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        recovery,
        reservedDiskBytes,
        hasLog);
  }

  /** These settings with another reserve on the disk, in bytes. */
  public RocksDbSettings withReservedDiskBytes(long bytes) {
    return new RocksDbSettings(
        blockCacheBytes,
        writeBufferBytes,
        backgroundSyncIntervalMillis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        bytes,
        hasLog);
  }

  /** These settings, with a write-ahead log or without one. */
  public RocksDbSettings withLog(boolean log) {
    return new RocksDbSettings(
        blockCacheBytes,
        writeBufferBytes,
        backgroundSyncIntervalMillis,
        createIfMissing,
        backgroundJobs,
        maxOpenFiles,
        logRecovery,
        reservedDiskBytes,
        log);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw GraphMetaException.invalid(
          "Setting " + name + " is " + value + "; expected at least " + least);
    }
  }
}
