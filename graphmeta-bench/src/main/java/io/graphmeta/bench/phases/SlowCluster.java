package io.graphmeta.bench.phases;

import io.graphmeta.log.LocalLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.router.Router;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.Durability;
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
 * Servers over stores that were filled before, with empty caches. Each has two threads for requests
 * and one to read ahead.
 */
final class SlowCluster implements AutoCloseable {
  private static final int VIRTUAL_NODES = 1024;
  private static final int MAX_FRONTIER = 10_000_000;
  private static final long CACHE_BYTES = 64L << 20;
  private static final long REQUEST_MILLIS = 600_000;
  private static final long TICK_NANOS = 20_000_000;
  private static final int SETTLED_ROUNDS = 30;

  private final List<Shard> shards = new ArrayList<>();
  private final List<LocalLog> logs = new ArrayList<>();
  private final List<ExecutorService> readers = new ArrayList<>();
  private final LateTransport transport;
  private final Transactions transactions;

  /**
   * How slow everything is, by server.
   *
   * @param messageNanos of a message to the server, and of its answers
   * @param seekNanos of a seek in its store
   */
  record Slowness(long[] messageNanos, long[] seekNanos) {}

  SlowCluster(List<StorageEngine> stores, Slowness slowness, Phases phases) {
    int servers = stores.size();
    VirtualNodeMap map =
        VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, VIRTUAL_NODES, servers);
    ShardSettings settings =
        new ShardSettings(
            map,
            Placements.DIDO,
            128,
            600_000,
            Durability.BACKGROUND,
            Durability.BACKGROUND,
            1 << 20,
            500_000,
            REQUEST_MILLIS,
            500,
            200_000,
            MAX_FRONTIER,
            CACHE_BYTES);
    List<RequestHandler> handlers = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      StorageEngine storage =
          new SlowStorage(stores.get(server), server, slowness.seekNanos()[server], phases);
      LocalLog log = new LocalLog(storage, "log-sync-" + server);
      Shard shard = new Shard(server, storage, log, InstantSource.system(), settings);
      logs.add(log);
      shards.add(shard);
      handlers.add(recorded(server, shard, phases));
      String name = SlowStorage.READ_AHEAD + "-" + server;
      ExecutorService reader =
          Executors.newSingleThreadExecutor(
              work -> {
                Thread thread = new Thread(work, name);
                thread.setDaemon(true);
                return thread;
              });
      readers.add(reader);
      shard.readAheadOn(reader);
    }
    transport =
        new LateTransport(
            new LocalTransport(handlers, new LocalTransport.Options(2, 4096, false)),
            slowness.messageNanos());
    shards.forEach(shard -> shard.join(transport));
    Router router =
        new Router(
            transport,
            map,
            Placements.DIDO,
            new HybridClock(InstantSource.system(), 0, 500_000),
            REQUEST_MILLIS,
            System.nanoTime());
    transactions =
        new Transactions(router, new TransactionLimits(1L << 30, 1 << 20, 1024, MAX_FRONTIER, 128));
  }

  private static RequestHandler recorded(int server, Shard shard, Phases phases) {
    return (Call call) -> {
      if (call.request() instanceof Request.RunLevel) {
        long now = System.nanoTime();
        phases.add(server, Phases.Kind.START, now, now);
      }
      return shard.handle(call);
    };
  }

  /** Waits until all servers know the outcome of all transactions. */
  void settle() {
    long settledRounds = 0;
    while (settledRounds < SETTLED_ROUNDS) {
      shards.forEach(shard -> shard.tick(System.nanoTime() / 1_000_000));
      boolean open = shards.stream().anyMatch(shard -> shard.openIntents() > 0);
      settledRounds = open ? 0 : settledRounds + 1;
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  GraphTransaction begin() {
    return transactions.begin();
  }

  @Override
  public void close() {
    readers.forEach(ExecutorService::shutdownNow);
    transport.close();
    shards.forEach(Shard::close);
    logs.forEach(LocalLog::close);
  }
}
