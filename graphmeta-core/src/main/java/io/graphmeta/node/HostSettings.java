package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.rocksdb.RocksDbSettings;

/**
 * What a configuration, which is that of a whole database, comes to for each shard that a process
 * hosts.
 *
 * @param config of the database
 * @param hosting the shards of the process
 */
record HostSettings(GraphMetaConfig config, Hosting hosting) {
  private static final long INTENT_MILLIS = 500;
  private static final long MIN_CACHE_BYTES = 1 << 16;
  private static final int MAX_INTENTS = 200_000;

  /** How the store works. */
  RocksDbSettings store(boolean create) {
    return RocksDbSettings.defaults()
        .withBlockCacheBytes(shareOfCache())
        .withWriteBufferBytes(config.number(Setting.WRITE_BUFFER_BYTES))
        .withBackgroundSyncIntervalMillis(config.number(Setting.BACKGROUND_SYNC_MILLIS))
        .withCreateIfMissing(create)
        .withReservedDiskBytes(config.number(Setting.RESERVED_DISK_BYTES))
        .withLogRecovery(
            config.get(Setting.LOG_RECOVERY).equals("to-last-good-batch")
                ? RocksDbSettings.LogRecovery.TO_LAST_GOOD_BATCH
                : RocksDbSettings.LogRecovery.REFUSE_DAMAGE);
  }

  /** The memory for cached blocks is that of the whole database. */
  private long shareOfCache() {
    return Math.max(MIN_CACHE_BYTES, config.number(Setting.BLOCK_CACHE_BYTES) / hosted());
  }

  private int hosted() {
    return hosting.sharing();
  }

  /** As for blocks; it lies in the heap, which others need too. */
  private long shareOfAdjacencyCache() {
    long bytes =
        Math.min(
            config.number(Setting.ADJACENCY_CACHE_BYTES), Runtime.getRuntime().maxMemory() / 4);
    return bytes / hosted();
  }

  /**
   * How the shard works.
   *
   * @param isCut whether the log is cut together with those of the other shards, so that what these
   *     build on is not synced for its own sake
   */
  ShardSettings shard(boolean isCut) {
    boolean persistent = config.isPersistent(); // in memory there is nothing to sync
    boolean alone = hosting.isWhole() && config.number(Setting.SHARDS) == 1;
    return new ShardSettings(
        map(),
        placement(),
        (int) config.number(Setting.SPLIT_THRESHOLD),
        config.number(Setting.MOVED_ROWS_KEPT_MILLIS),
        persistent && config.syncCommits() ? Durability.SYNC : Durability.BACKGROUND,
        persistent && !alone && !isCut ? Durability.SYNC : Durability.BACKGROUND,
        (int) config.number(Setting.PAGE_BYTES),
        config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000,
        config.number(Setting.REQUEST_TIMEOUT_MILLIS),
        INTENT_MILLIS,
        MAX_INTENTS,
        (int) config.number(Setting.MAX_FRONTIER),
        (int) config.number(Setting.SLICE_ELEMENTS),
        shareOfAdjacencyCache(),
        (int) config.number(Setting.MAX_NAMES),
        !hosting.isWhole());
  }

  /** Which shard has which virtual node. */
  VirtualNodeMap map() {
    return VirtualNodeMap.roundRobin(
        VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), (int) config.number(Setting.SHARDS));
  }

  /** Where a vertex with many edges goes when it is split. */
  Placement placement() {
    return Placements.named(config.get(Setting.PLACEMENT));
  }

  /** How many threads work for traversals, at most. */
  int readers() {
    int others = Runtime.getRuntime().availableProcessors() - 1;
    long shared = others / hosted();
    long wanted = config.number(Setting.TRAVERSAL_THREADS);
    return (int) Math.max(1, wanted > 0 ? wanted : shared);
  }

  /** How many of them share the work on one large level, at most. */
  int sharingReaders() {
    boolean oneProcessor = Runtime.getRuntime().availableProcessors() == 1;
    return oneProcessor && config.number(Setting.TRAVERSAL_THREADS) == 0 ? 0 : readers();
  }
}
