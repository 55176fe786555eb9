package io.graphmeta.bench.cluster;

import io.graphmeta.log.LocalLog;
import io.graphmeta.move.Splitter;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.router.Router;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Shards over stores in memory that outlive it. Each has two threads for requests and one to read
 * ahead; one thread of all keeps house, and splits what has grown if it is to.
 */
public final class SlowCluster implements AutoCloseable {
  private static final int VIRTUAL_NODES = 1024;
  private static final int MAX_NAMES = 1000;
  private static final int MAX_FRONTIER = 10_000_000;
  private static final int SLICE_ELEMENTS = 16;
  private static final long REQUEST_MILLIS = 600_000;
  private static final long MOVED_ROWS_KEPT_MILLIS = 600_000;
  private static final long INTENT_MILLIS = 500;
  private static final int MAX_INTENTS = 200_000;
  private static final long MAX_CLOCK_OFFSET_MICROS = 500_000;
  private static final long TICK_NANOS = 20_000_000;
  private static final int SETTLED_ROUNDS = 30;

  private final List<Shard> shards = new ArrayList<>();
  private final List<LocalLog> logs = new ArrayList<>();
  private final List<ExecutorService> readers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final VirtualNodeMap map;
  private final Options options;
  private final HoldTimes transport;
  private final Transactions transactions;
  private volatile boolean closing;

  /**
   * What is not the same in all experiments.
   *
   * @param threshold entries of a partition that are not split yet
   * @param cacheBytes for neighbours and rows, of each shard
   * @param splitting whether what has grown is split
   */
  public record Options(Placement placement, int threshold, long cacheBytes, boolean splitting) {}

  /** Hears what the shards do. Safe for use by many threads. */
  public interface Observer {
    /** Hears nothing. */
    Observer NONE =
        new Observer() {
          @Override
          public void read(
              int shard, Family family, boolean ahead, long startNanos, long endNanos) {}

          @Override
          public void levelStarts(int shard, long nanos) {}
        };

    /**
     * Rows were read.
     *
     * @param ahead whether by a thread that reads ahead
     */
    void read(int shard, Family family, boolean ahead, long startNanos, long endNanos);

    /** A shard was told to run a level of a traversal. */
    void levelStarts(int shard, long nanos);
  }

  /** Shards over stores. */
  public SlowCluster(
      List<? extends StorageEngine> stores, Slowness slowness, Options options, Observer observer) {
    int count = stores.size();
    this.options = options;
    map = VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, VIRTUAL_NODES, count);
    List<RequestHandler> handlers = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Shard shard = shard(number, new SlowStorage(stores.get(number), number, slowness, observer));
      handlers.add(observed(number, shard, observer));
    }
    transport =
        new HoldTimes(
            new LateTransport(
                new LocalTransport(handlers, new LocalTransport.Options(2, 4096, false)),
                slowness.messageNanos()));
    shards.forEach(shard -> shard.join(transport));
    transactions =
        new Transactions(
            router(),
            new TransactionLimits(
                1L << 30, 1 << 20, 1024, MAX_FRONTIER, options.threshold(), 1024));
    begin("housekeeping", this::keepHouse);
    awaitOutcomes();
    for (int number = 0; options.splitting() && number < count; number++) {
      Splitter splitter = new Splitter(number, router(), new EntryPlaces(map, options.placement()));
      begin("split-" + number, () -> split(splitter));
    }
  }

  private Shard shard(int number, StorageEngine storage) {
    LocalLog log = new LocalLog(storage, "log-sync-" + number);
    ShardSettings settings =
        new ShardSettings(
            map,
            options.placement(),
            options.threshold(),
            MOVED_ROWS_KEPT_MILLIS,
            Durability.BACKGROUND,
            Durability.BACKGROUND,
            1 << 20,
            MAX_CLOCK_OFFSET_MICROS,
            REQUEST_MILLIS,
            INTENT_MILLIS,
            MAX_INTENTS,
            MAX_FRONTIER,
            SLICE_ELEMENTS,
            options.cacheBytes(),
            MAX_NAMES,
            false);
    Shard shard = new Shard(number, storage, log, InstantSource.system(), settings);
    String name = SlowStorage.READ_AHEAD + "-" + number;
    ExecutorService reader = Executors.newSingleThreadExecutor(work -> daemon(name, work));
    shard.workOn(reader, 0, Integer.MAX_VALUE);
    shards.add(shard);
    logs.add(log);
    readers.add(reader);
    return shard;
  }

  private Router router() {
    return new Router(
        transport,
        map,
        options.placement(),
        new HybridClock(InstantSource.system(), 0, MAX_CLOCK_OFFSET_MICROS),
        REQUEST_MILLIS,
        System.nanoTime());
  }

  private static RequestHandler observed(int number, Shard shard, Observer observer) {
    return (Call call) -> {
      if (call.request() instanceof Request.RunLevel) {
        observer.levelStarts(number, System.nanoTime());
      }
      return shard.handle(call);
    };
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  private void begin(String name, Runnable work) {
    Thread thread = daemon(name, work);
    threads.add(thread);
    thread.start();
  }

  private void keepHouse() {
    while (!closing) {
      long newest = shards.stream().mapToLong(Shard::newestStamp).max().orElse(0);
      shards.forEach(shard -> shard.tick(System.nanoTime() / 1_000_000, newest));
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  private void split(Splitter splitter) {
    while (!closing) {
      if (splitter.run() == 0) {
        LockSupport.parkNanos(TICK_NANOS);
      }
    }
  }

  /** Waits for what was committing when the stores were used last, as every opening has to. */
  private void awaitOutcomes() {
    while (hasOpenIntents()) {
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  private boolean hasOpenIntents() {
    return shards.stream().anyMatch(shard -> shard.openIntents() > 0);
  }

  /** Waits until all shards know the outcome of all transactions, and nothing is split any more. */
  public void settle() {
    int settledRounds = 0;
    while (settledRounds < SETTLED_ROUNDS) {
      int moves = transport.moves();
      LockSupport.parkNanos(TICK_NANOS);
      settledRounds = hasOpenIntents() || transport.moves() > moves ? 0 : settledRounds + 1;
    }
  }

  /** How long entries were held while they were moved, of all moves so far. */
  public HoldTimes holds() {
    return transport;
  }

  /** Begins a transaction; by any thread. */
  public GraphTransaction begin() {
    return transactions.begin();
  }

  @Override
  public void close() {
    closing = true;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
    readers.forEach(ExecutorService::shutdownNow);
    transport.close();
    shards.forEach(Shard::close);
    logs.forEach(LocalLog::close);
  }
}
