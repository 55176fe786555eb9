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
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One in-process server: a store, its log, the shard over them, and a thread that lets the shard
 * keep house if there are other servers. Answers requests of many threads until it is closed.
 */
public final class ServerNode implements RequestHandler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

  /** Longest time to wait for the clock to reach the stamps of the run before, in microseconds. */
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;

  private static final long TICK_MILLIS = 50;

  private static final int READERS_IDLE_SECONDS = 10;
  private static final int MAX_READERS_WAITING = 64;

  private final int server;
  private final NodeSettings settings;
  private final InstantSource clock;
  private final StorageEngine storage;
  private final ReplicationLog log;
  private final Shard shard;

  /** The shard, or what lets those through to it who read. */
  private final RequestHandler handler;

  private final ThreadPoolExecutor readers;
  private @Nullable Thread housekeeping;
  private @Nullable SplitThread splitting;
  private volatile boolean closing;

  ServerNode(
      int server,
      StorageEngine storage,
      ReplicationLog log,
      Shard shard,
      RequestHandler handler,
      NodeSettings settings,
      InstantSource clock) {
    this.server = server;
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
              Thread thread = new Thread(work, "graphmeta-traversals-" + server);
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
    shard.workOn(
        readers,
        settings.sharingReaders(),
        (int) settings.config().number(Setting.SHARED_STEP_ELEMENTS));
  }

  /** A server that keeps its rows in memory, where there is nothing to sync. */
  public static ServerNode inMemory(int server, GraphMetaConfig config, InstantSource clock) {
    return over(server, new MemoryStorage(), false, new NodeSettings(config), clock);
  }

  /**
   * A server over the store in a directory.
   *
   * @param create whether the store may be created
   */
  public static ServerNode open(
      int server, Path directory, boolean create, GraphMetaConfig config, InstantSource clock) {
    return open(server, directory, create, config, clock, null);
  }

  /**
   * As above, with a log that is cut together with those of the other servers, if with any. What
   * these build on is then not synced for its own sake.
   */
  public static ServerNode open(
      int server,
      Path directory,
      boolean create,
      GraphMetaConfig config,
      InstantSource clock,
      @Nullable LogCuts cuts) {
    NodeSettings settings = new NodeSettings(config);
    StorageEngine store = RocksDbStorage.open(directory, settings.store(create), cuts);
    return over(server, store, cuts != null, settings, clock);
  }

  private static ServerNode over(
      int server,
      StorageEngine storage,
      boolean isCut,
      NodeSettings settings,
      InstantSource clock) {
    try {
      awaitClock(storage, clock);
      ReplicationLog log =
          new LocalLog(
              storage,
              "graphmeta-log-sync-" + server,
              settings.config().number(Setting.SERVER_THREADS) == 0);
      Shard shard = new Shard(server, storage, log, clock, settings.shard(isCut));
      return new ServerNode(server, storage, log, shard, shard, settings, clock);
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  /** Begins to keep house, if it may write. */
  public void begin() {
    if (handler == shard) {
      Thread thread = new Thread(this::keepHouse, "graphmeta-housekeeping-" + server);
      thread.setDaemon(true);
      housekeeping = thread;
      thread.start();
    }
  }

  /** Tells the server how the others are reached, and begins to keep house if it may write. */
  public void join(Transport peers) {
    shard.join(peers);
    begin();
    if (handler != shard) {
      return;
    }
    VirtualNodeMap map = settings.map();
    Placement placement = settings.placement();
    if (placement.next(0, SplitState.WHOLE, map.servers()) >= 0) {
      EntryPlaces places = new EntryPlaces(map, placement);
      splitting = new SplitThread(server, map, places, settings.config(), clock, peers);
    }
  }

  /** Number of parts of transactions whose outcome the server does not know. */
  public int openIntents() {
    return shard.openIntents();
  }

  /** Number of traversals that the server keeps. */
  public int openTraversals() {
    return shard.openTraversals();
  }

  /** Splits what has grown on this server, and returns how many splits there were. */
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
        shard.tick(System.nanoTime() / 1_000_000);
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
          "Housekeeping of server {} failed and will be tried again: {}",
          server,
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

  /** Begins to close: no more housekeeping, which asks other servers. */
  public void leave() {
    Thread thread = housekeeping;
    closing = true;
    boolean interrupted = endReaders();
    SplitThread splits = splitting;
    if (splits != null) {
      interrupted |= splits.end();
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

  /** The greatest stamp under which rows were written here, since the store was opened. */
  public long newestStamp() {
    return shard.newestStamp();
  }

  /**
   * Ends all that writes to the store, for good, when no more requests will come to this server or
   * to others. The store stays open. Safe to call again.
   *
   * @param newest the greatest of the {@linkplain #newestStamp newest stamps} of all servers
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
