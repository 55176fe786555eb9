package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import io.graphmeta.transport.RequestHandler;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * One in-process server: a store and the shard over it. Answers requests of many threads until it
 * is closed.
 */
public final class ServerNode implements RequestHandler, AutoCloseable {
  /** Longest time to wait for the clock to reach the stamps of the run before, in microseconds. */
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;

  private final StorageEngine storage;
  private final Shard shard;

  private ServerNode(StorageEngine storage, Shard shard) {
    this.storage = storage;
    this.shard = shard;
  }

  /** A server that keeps its rows in memory. */
  public static ServerNode inMemory(GraphMetaConfig config, InstantSource clock) {
    return over(new MemoryStorage(), config, clock);
  }

  /**
   * A server over the store in a directory.
   *
   * @param create whether the store may be created
   */
  public static ServerNode open(
      Path directory, boolean create, GraphMetaConfig config, InstantSource clock) {
    RocksDbSettings settings =
        RocksDbSettings.defaults()
            .withBlockCacheBytes(config.number(Setting.BLOCK_CACHE_BYTES))
            .withWriteBufferBytes(config.number(Setting.WRITE_BUFFER_BYTES))
            .withBackgroundSyncIntervalMillis(config.number(Setting.BACKGROUND_SYNC_MILLIS))
            .withCreateIfMissing(create);
    return over(RocksDbStorage.open(directory, settings), config, clock);
  }

  private static ServerNode over(
      StorageEngine storage, GraphMetaConfig config, InstantSource clock) {
    try {
      awaitClock(storage, clock);
      Shard shard =
          new Shard(
              storage,
              clock,
              config.syncCommits() ? Durability.SYNC : Durability.BACKGROUND,
              (int) config.number(Setting.PAGE_BYTES),
              config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000);
      return new ServerNode(storage, shard);
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  /**
   * After a crash the clock may have to catch up with the stored bound of the stamps handed out
   * before.
   */
  private static void awaitClock(StorageEngine storage, InstantSource clock) {
    long ahead = Shard.aheadMicros(storage, clock);
    while (ahead > 0 && ahead <= MAX_CLOCK_WAIT_MICROS) {
      LockSupport.parkNanos(ahead * 1000);
      if (Thread.currentThread().isInterrupted()) {
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "The thread was interrupted while it opened a store");
      }
      ahead = Shard.aheadMicros(storage, clock);
    }
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    return shard.handle(call);
  }

  @Override
  public void close() {
    try {
      shard.close();
    } finally {
      storage.close();
    }
  }
}
