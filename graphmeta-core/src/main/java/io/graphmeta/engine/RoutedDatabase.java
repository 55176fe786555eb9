package io.graphmeta.engine;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.BackupWriter;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transfer.Pace;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every open database does through its router, wherever its shards are. Safe for use by many
 * threads.
 */
abstract class RoutedDatabase implements GraphDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedDatabase.class);
  private static final SecureRandom CLIENTS = new SecureRandom();

  private final GraphMetaConfig config;
  private final CountingTransport transport;
  private final InstantSource clock;
  private final Router router;
  private final Transactions transactions;
  private final Indexes indexes;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Held while a backup is taken, of which there is one at a time. */
  private final ReentrantLock backingUp = new ReentrantLock();

  RoutedDatabase(GraphMetaConfig config, CountingTransport transport, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.transport = transport;
    this.router =
        new Router(
            transport,
            map(config),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(clock, 0, config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000),
            config.number(Setting.REQUEST_TIMEOUT_MILLIS),
            CLIENTS.nextLong());
    this.indexes = new RoutedIndexes(router, this::requireOpen);
    this.transactions =
        new Transactions(
            router,
            new TransactionLimits(
                HeapGauge.ofProcess().atMost(config.number(Setting.MAX_TRANSACTION_BYTES), 4),
                (int) config.number(Setting.MAX_VALUE_BYTES),
                (int) config.number(Setting.MAX_ID_BYTES),
                (int) config.number(Setting.MAX_FRONTIER),
                (int) config.number(Setting.SPLIT_THRESHOLD),
                (int) config.number(Setting.OPEN_TRAVERSALS)));
  }

  private static VirtualNodeMap map(GraphMetaConfig config) {
    return VirtualNodeMap.roundRobin(
        VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), (int) config.number(Setting.SHARDS));
  }

  @Override
  public GraphMetaConfig config() {
    return config;
  }

  @Override
  public GraphTransaction begin() {
    requireOpen();
    return transactions.begin();
  }

  @Override
  public long seen() {
    return router.seen();
  }

  @Override
  public void resume(long stamp) {
    requireOpen();
    router.resume(stamp);
  }

  @Override
  public List<String> vertexLabels() {
    return names(NameKind.VERTEX_LABEL);
  }

  @Override
  public List<String> edgeLabels() {
    return names(NameKind.EDGE_LABEL);
  }

  private List<String> names(NameKind kind) {
    requireOpen();
    return router.schema().names(kind).stream()
        .map(SchemaName::name)
        .filter(name -> !GeneratedIds.isReserved(name))
        .toList();
  }

  @Override
  public Indexes indexes() {
    return indexes;
  }

  @Override
  public CheckReport check(LongConsumer progress) {
    requireOpen();
    return new ConsistencyCheck(
            router,
            progress,
            this::nowMicros,
            config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000,
            config.number(Setting.REQUEST_TIMEOUT_MILLIS))
        .run();
  }

  @Override
  public Map<String, Long> callsSent() {
    return transport.sent();
  }

  @Override
  public List<ShardStatus> status() {
    requireOpen();
    List<ShardStatus> all = new ArrayList<>();
    for (int shard = 0; shard < router.shards(); shard++) {
      try {
        all.add(status(shard));
      } catch (GraphMetaException e) {
        if (!e.code().isAway() && e.code() != ErrorCode.TIMEOUT) {
          throw e;
        }
        all.add(ShardStatus.away(shard, String.valueOf(e.getMessage())));
      }
    }
    return all;
  }

  private ShardStatus status(int shard) {
    // A shard without work resolves no stamps by itself: the question makes it do so.
    try {
      router.call(shard, new Request.Snapshot(0), Response.Stamped.class);
    } catch (GraphMetaException e) {
      LOG.debug("Shard {} gives no snapshot; its status says why", shard, e);
    }
    return ShardStatus.of(
        shard, router.call(shard, new Request.ReadStatus(), Response.Status.class), nowMicros());
  }

  private long nowMicros() {
    return Stamp.epochMicros(clock.instant());
  }

  @Override
  public VertexPlacement placement(long vertex) {
    requireOpen();
    return PlacementProbe.ofNow(router, vertex);
  }

  @Override
  public List<VertexPlacement> placement(Collection<Long> vertices, ReadView view) {
    requireOpen();
    return new PlacementProbe(router, resolved(view)).vertices(vertices);
  }

  @Override
  public PlacementReport placementReport(int hottest, ReadView view, LongConsumer progress) {
    requireOpen();
    return new PlacementScan(
            new PlacementProbe(router, resolved(view)), map(config), hottest, progress)
        .run();
  }

  final Router router() {
    return router;
  }

  /** All shards, for who drops versions of this database. */
  final RoutedShards retained() {
    requireOpen();
    return new RoutedShards(
        router,
        this::databaseAt,
        () -> status().stream().mapToLong(ShardStatus::bytesOnDisk).sum(),
        config.number(Setting.REQUEST_TIMEOUT_MILLIS),
        this::requireOpen);
  }

  /** What the database is, for a copy of it at a stamp. */
  abstract BackedUpDatabase databaseAt(long stamp);

  /** How fast files are copied. */
  final Pace pace(long bytesPerSecond) {
    return new Pace(bytesPerSecond, System::nanoTime, router::pause);
  }

  /** Lets one backup of this database be taken at a time, into a target that is opened for it. */
  final BackupSummary backingUp(Path target, Function<BackupWriter, BackupSummary> taking) {
    if (!backingUp.tryLock()) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN, "Another backup of the database is being taken; try again later");
    }
    try (BackupWriter writer = BackupWriter.open(target, true, FileOperations.ON_DISK)) {
      return taking.apply(writer);
    } finally {
      backingUp.unlock();
    }
  }

  /** Waits for the backup that is being taken, if there is one, and lets no other begin. */
  final void endBackups() {
    backingUp.lock();
  }

  /** The view as a transaction of now reads it. */
  private ReadView resolved(ReadView view) {
    try (GraphTransaction tx = begin()) {
      return tx.view(view.validAt(), view.knownAt());
    }
  }

  /** The stamp of a snapshot of now. */
  final long snapshotStamp() {
    try (GraphTransaction tx = begin()) {
      return tx.snapshot().knownAt();
    }
  }

  /** Waits until a shard has everything at or below a stamp, durable and decided. */
  final void awaitResolved(int shard, long stamp) {
    long resolved = router.call(shard, new Request.Snapshot(stamp), Response.Stamped.class).stamp();
    if (resolved < stamp) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "Shard "
              + shard
              + " does not get to "
              + Stamp.format(stamp)
              + "; 'graphmeta status' says why");
    }
  }

  /** Removes all rows of all shards. */
  final void clearShards() {
    router.clear();
  }

  final void requireOpen() {
    if (closed.get()) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The database is closed; open it again");
    }
  }

  /** Ends what was opened beside the router, once. */
  abstract void closeParts();

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      closeParts();
    }
  }
}
