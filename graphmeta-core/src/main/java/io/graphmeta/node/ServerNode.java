package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReadOnlyLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.storage.rocksdb.LogCuts;
import io.graphmeta.storage.rocksdb.RocksDbReader;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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

  /** How often a store is opened to be read that tells nothing yet. */
  private static final int MAX_UNSETTLED = 10;

  private static final long INTENT_MILLIS = 500;
  private static final long MIN_CACHE_BYTES = 1 << 16;
  private static final int MAX_INTENTS = 200_000;
  private static final int READERS_IDLE_SECONDS = 10;
  private static final int MAX_READERS_WAITING = 64;

  private final int server;
  private final GraphMetaConfig config;
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

  private ServerNode(
      int server,
      StorageEngine storage,
      ReplicationLog log,
      Shard shard,
      RequestHandler handler,
      GraphMetaConfig config,
      InstantSource clock) {
    this.server = server;
    this.config = config;
    this.clock = clock;
    this.storage = storage;
    this.log = log;
    this.shard = shard;
    this.handler = handler;
    this.readers =
        new ThreadPoolExecutor(
            readers(config),
            readers(config),
            READERS_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_READERS_WAITING),
            work -> {
              Thread thread = new Thread(work, "graphmeta-traversals-" + server);
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
    boolean oneProcessor = Runtime.getRuntime().availableProcessors() == 1;
    int most = oneProcessor && config.number(Setting.TRAVERSAL_THREADS) == 0 ? 0 : readers(config);
    shard.workOn(readers, most, (int) config.number(Setting.SHARED_STEP_ELEMENTS));
  }

  private static int readers(GraphMetaConfig config) {
    int others = Runtime.getRuntime().availableProcessors() - 1;
    long shared = others / config.number(Setting.SERVERS);
    long wanted = config.number(Setting.TRAVERSAL_THREADS);
    return (int) Math.max(1, wanted > 0 ? wanted : shared);
  }

  /** A server that keeps its rows in memory, where there is nothing to sync. */
  public static ServerNode inMemory(int server, GraphMetaConfig config, InstantSource clock) {
    return over(server, new MemoryStorage(), false, config, clock);
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
    return over(
        server,
        RocksDbStorage.open(directory, storeSettings(create, config), cuts),
        cuts != null,
        config,
        clock);
  }

  /**
   * Servers over the stores of a database that another process may write, to read them as they are
   * at the greatest stamp at which all of them tell all.
   *
   * @param directories of the stores of all servers, in their order
   * @throws GraphMetaException {@code NOT_A_DATABASE} if there is none
   */
  public static List<ServerNode> openToRead(
      List<Path> directories, GraphMetaConfig config, InstantSource clock) {
    List<StorageEngine> stores = new ArrayList<>();
    boolean done = false;
    try {
      long stamp = openSettled(directories, config, stores);
      List<ServerNode> nodes = new ArrayList<>();
      for (StorageEngine store : stores) {
        int server = nodes.size();
        ReplicationLog log = new ReadOnlyLog();
        Shard shard = new Shard(server, store, log, clock, shardSettings(false, config));
        RequestHandler reads = new ReadOnlyRequests(shard, stamp);
        nodes.add(new ServerNode(server, store, log, shard, reads, config, clock));
      }
      done = true;
      return nodes;
    } finally {
      if (!done) {
        stores.forEach(StorageEngine::close);
      }
    }
  }

  /** Opens the stores, again if the writer has only just begun, and tells their common stamp. */
  private static long openSettled(
      List<Path> directories, GraphMetaConfig config, List<StorageEngine> stores) {
    int servers = directories.size();
    for (int attempt = 0; attempt < MAX_UNSETTLED; attempt++) {
      long stamp = Long.MAX_VALUE;
      for (int server = 0; server < servers; server++) {
        stores.add(RocksDbReader.open(directories.get(server), storeSettings(false, config)));
        boolean isEarlier =
            servers == 1 && attempt == MAX_UNSETTLED - 1; // of a build without notes
        stamp = Math.min(stamp, Shard.settledStamp(stores.get(server), isEarlier));
      }
      if (stamp > 0) {
        return stamp;
      }
      stores.forEach(StorageEngine::close);
      stores.clear();
      LockSupport.parkNanos(TICK_MILLIS * 1_000_000);
    }
    throw new GraphMetaException(
        ErrorCode.NOT_A_DATABASE,
        directories.get(0).getParent()
            + " does not tell up to where it can be read; open and close it once to write, with"
            + " this version");
  }

  /** The store in a directory, without a server. */
  static StorageEngine openStore(Path directory, boolean create, GraphMetaConfig config) {
    return RocksDbStorage.open(directory, storeSettings(create, config));
  }

  /** How the store of a server works. */
  static RocksDbSettings storeSettings(boolean create, GraphMetaConfig config) {
    return RocksDbSettings.defaults()
        .withBlockCacheBytes(shareOfCache(config))
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
  private static long shareOfCache(GraphMetaConfig config) {
    return Math.max(
        MIN_CACHE_BYTES, config.number(Setting.BLOCK_CACHE_BYTES) / config.number(Setting.SERVERS));
  }

  /** As for blocks; it lies in the heap, which others need too. */
  private static long shareOfAdjacencyCache(GraphMetaConfig config) {
    long bytes =
        Math.min(
            config.number(Setting.ADJACENCY_CACHE_BYTES), Runtime.getRuntime().maxMemory() / 4);
    return bytes / config.number(Setting.SERVERS);
  }

  private static ServerNode over(
      int server,
      StorageEngine storage,
      boolean isCut,
      GraphMetaConfig config,
      InstantSource clock) {
    try {
      awaitClock(storage, clock);
      ReplicationLog log =
          new LocalLog(
              storage, "graphmeta-log-sync-" + server, config.number(Setting.SERVER_THREADS) == 0);
      Shard shard = new Shard(server, storage, log, clock, shardSettings(isCut, config));
      return new ServerNode(server, storage, log, shard, shard, config, clock);
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  private static ShardSettings shardSettings(boolean isCut, GraphMetaConfig config) {
    boolean persistent = config.isPersistent(); // in memory there is nothing to sync
    boolean alone = config.number(Setting.SERVERS) == 1;
    return new ShardSettings(
        map(config),
        Placements.named(config.get(Setting.PLACEMENT)),
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
        shareOfAdjacencyCache(config),
        (int) config.number(Setting.MAX_NAMES));
  }

  private static VirtualNodeMap map(GraphMetaConfig config) {
    return VirtualNodeMap.roundRobin(
        VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), (int) config.number(Setting.SERVERS));
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
    VirtualNodeMap map = map(config);
    Placement placement = Placements.named(config.get(Setting.PLACEMENT));
    if (placement.next(0, SplitState.WHOLE, map.servers()) >= 0) {
      EntryPlaces places = new EntryPlaces(map, placement);
      splitting = new SplitThread(server, map, places, config, clock, peers);
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
    } catch (OutOfMemoryError e) {
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
