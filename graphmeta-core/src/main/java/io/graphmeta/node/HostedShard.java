package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.storage.rocksdb.LogCuts;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard that this process hosts: a store, its log, the shard over them, and a thread that lets
 * the shard keep house. Answers requests of many threads until it is closed.
 */
public final class HostedShard implements RequestHandler, CheckpointedStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedShard.class);

  /** Longest time to wait for the clock to reach the stamps of the run before, in microseconds. */
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;

  private static final long TICK_MILLIS = 50;

  private static final int READERS_IDLE_SECONDS = 10;
  private static final int MAX_READERS_WAITING = 64;

  private final int number;
  private final HostSettings settings;
  private final InstantSource clock;
  private final StorageEngine storage;
  private final ReplicationLog log;
  private final Shard shard;

  /** The shard, or what lets those through to it who read. */
  private final RequestHandler handler;

  private final IndexFiles indexFiles;
  private final ThreadPoolExecutor readers;
  private @Nullable Thread housekeeping;
  private AtomicLong newestOfAll = new AtomicLong();
  private @Nullable SplitThread splitting;
  private @Nullable IndexThread indexing;
  private volatile boolean closing;

  HostedShard(
      int number,
      StorageEngine storage,
      ReplicationLog log,
      Shard shard,
      RequestHandler handler,
      IndexFiles indexFiles,
      HostSettings settings,
      InstantSource clock) {
    this.number = number;
    this.indexFiles = indexFiles;
    this.settings = settings;
    this.clock = clock;
    this.storage = storage;
    this.log = log;
    this.shard = shard;
    this.handler = handler;
    this.readers =
        new ThreadPoolExecutor(
            settings.readers(),
            settings.readers(),
            READERS_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_READERS_WAITING),
            work -> {
              Thread thread = new Thread(work, "graphmeta-traversals-" + number);
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
    shard.workOn(
        readers,
        settings.sharingReaders(),
        (int) settings.config().number(Setting.SHARED_STEP_ELEMENTS));
  }

  /** A shard that keeps its rows in memory, where there is nothing to sync. */
  public static HostedShard inMemory(int number, GraphMetaConfig config, InstantSource clock) {
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    return over(number, new MemoryStorage(), IndexFiles.IN_MEMORY, false, settings, clock);
  }

  /**
   * A shard over the store in a directory.
   *
   * @param create whether the store may be created
   */
  public static HostedShard open(
      int number, Path directory, boolean create, GraphMetaConfig config, InstantSource clock) {
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    return open(number, directory, create, settings, clock, null);
  }

  /**
   * As above, with a log that is cut together with those of the other shards, if with any. What
   * these build on is then not synced for its own sake.
   */
  static HostedShard open(
      int number,
      Path directory,
      boolean create,
      HostSettings settings,
      InstantSource clock,
      @Nullable LogCuts cuts) {
    StorageEngine store = RocksDbStorage.open(directory, settings.store(create), cuts);
    return over(number, store, IndexFiles.beside(directory), cuts != null, settings, clock);
  }

  private static HostedShard over(
      int number,
      StorageEngine storage,
      IndexFiles indexFiles,
      boolean isCut,
      HostSettings settings,
      InstantSource clock) {
    try {
      awaitClock(storage, clock);
      ReplicationLog log =
          new LocalLog(
              storage,
              "graphmeta-log-sync-" + number,
              settings.config().number(Setting.SHARD_THREADS) == 0);
      Shard shard = new Shard(number, storage, log, clock, settings.shard(isCut));
      return new HostedShard(number, storage, log, shard, shard, indexFiles, settings, clock);
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  /** Shares the greatest stamp that is committed with the other shards of a process. */
  void shareNewest(AtomicLong newest) {
    newestOfAll = newest;
  }

  /** Begins to keep house, if it may write. */
  public void begin() {
    if (handler == shard) {
      Thread thread = new Thread(this::keepHouse, "graphmeta-housekeeping-" + number);
      thread.setDaemon(true);
      housekeeping = thread;
      thread.start();
      indexing = new IndexThread(number, shard.follower(), indexFiles);
    }
  }

  /** Tells the shard how the others are reached, and begins to keep house if it may write. */
  public void join(Transport peers) {
    shard.join(peers);
    begin();
    if (handler != shard) {
      return;
    }
    VirtualNodeMap map = settings.map();
    Placement placement = settings.placement();
    if (placement.next(0, SplitState.WHOLE, map.shards()) >= 0) {
      EntryPlaces places = new EntryPlaces(map, placement);
      splitting = new SplitThread(number, map, places, settings.config(), clock, peers);
    }
  }

  @Override
  public void checkpoint(Path directory) {
    storage.checkpoint(directory);
  }

  /** The stamp of the newest split that the shard knows of; 0 if there was none. */
  public long newestSplit() {
    return shard.newestSplit();
  }

  @Override
  public void requireKept(long stamp) {
    shard.requireKept(stamp);
  }

  /** Its number among all shards of the database, from 0. */
  public int number() {
    return number;
  }

  /** Number of parts of transactions whose outcome the shard does not know. */
  public int openIntents() {
    return shard.openIntents();
  }

  /** Number of traversals that the shard keeps. */
  public int openTraversals() {
    return shard.openTraversals();
  }

  /** Splits what has grown on this shard, and returns how many splits there were. */
  public int splitNow() {
    SplitThread splits = splitting;
    return splits == null ? 0 : splits.splitNow();
  }

  /** Splits nothing until the same thread lets it {@link #goOnSplitting go on}. */
  public void pauseSplitting() {
    SplitThread splits = splitting;
    if (splits != null) {
      splits.pause();
    }
  }

  /** Splits again. */
  public void goOnSplitting() {
    SplitThread splits = splitting;
    if (splits != null) {
      splits.goOn();
    }
  }

  private void keepHouse() {
    boolean failed = false;
    while (!closing) {
      try {
        long newest = newestOfAll.accumulateAndGet(shard.newestStamp(), Math::max);
        shard.tick(System.nanoTime() / 1_000_000, newest);
        failed = false;
      } catch (Throwable e) { // no other thread would keep house
        if (!failed) {
          warn(e);
        }
        failed = true;
      }
      LockSupport.parkNanos(this, TICK_MILLIS * 1_000_000);
    }
  }

  private void warn(Throwable failure) {
    try {
      // What the disk refuses needs no trace: the message says where, and what to do.
      boolean known =
          failure instanceof GraphMetaException e && e.code() == ErrorCode.STORAGE_FAILURE;
      LOG.warn(
          "Housekeeping of shard {} failed and will be tried again: {}",
          number,
          failure.getMessage(),
          known ? null : failure);
    } catch (Throwable e) { // of want of memory
      // Housekeeping goes on without a word.
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
    return handler.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    return handler.answerAtOnce(call);
  }

  /** Ends the threads that read ahead, and says whether this one was interrupted meanwhile. */
  private boolean endReaders() {
    boolean interrupted = false;
    boolean ended = false;
    readers.shutdownNow();
    while (!ended) {
      try {
        ended = readers.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  /** Begins to close: no more housekeeping, which asks other shards. */
  public void leave() {
    Thread thread = housekeeping;
    closing = true;
    boolean interrupted = endReaders();
    SplitThread splits = splitting;
    if (splits != null) {
      interrupted |= splits.end();
    }
    IndexThread index = indexing;
    if (index != null) {
      interrupted |= index.end();
    }
    while (thread != null && thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join(TICK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The greatest stamp that was committed here, or may have been before the store was opened. */
  public long newestStamp() {
    return shard.newestStamp();
  }

  /**
   * Ends all that writes to the store, for good, when no more requests will come to this shard or
   * to others. The store stays open. Safe to call again.
   *
   * @param newest the greatest of the {@linkplain #newestStamp newest stamps} of all shards
   */
  public void endWrites(long newest) {
    leave();
    try {
      if (handler == shard) {
        shard.close(newest);
      }
    } finally {
      log.close();
    }
  }

  @Override
  public void close() {
    try {
      endWrites(0);
    } finally {
      storage.close();
    }
  }
}
