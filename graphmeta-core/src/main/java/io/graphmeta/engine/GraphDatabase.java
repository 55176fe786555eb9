package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.node.DatabaseDirectory;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open graph database: shards in this process, reached through the transport. Safe for use by
 * many threads; hands out one transaction to each caller of {@link #begin}.
 */
public final class GraphDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GraphDatabase.class);
  private static final SecureRandom CLIENTS = new SecureRandom();

  private final GraphMetaConfig config;
  private final HostedShards shards;
  private final List<HostedShard> nodes;
  private final CountingTransport transport;
  private final InstantSource clock;
  private final Router router;
  private final Transactions transactions;
  private final AtomicBoolean closed = new AtomicBoolean();

  private GraphDatabase(
      GraphMetaConfig config,
      HostedShards shards,
      CountingTransport transport,
      InstantSource clock) {
    this.config = config;
    this.shards = shards;
    this.clock = clock;
    this.nodes = shards.all();
    this.transport = transport;
    this.router =
        new Router(
            transport,
            map(config),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(clock, 0, config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000),
            config.number(Setting.REQUEST_TIMEOUT_MILLIS),
            CLIENTS.nextLong());
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

  private static GraphDatabase open(
      GraphMetaConfig config, HostedShards shards, InstantSource clock) {
    List<HostedShard> nodes = shards.all();
    CountingTransport transport =
        new CountingTransport(new LocalTransport(nodes, transportOptions(config)));
    try {
      if (nodes.size() == 1) {
        nodes.get(0).begin();
      } else {
        nodes.forEach(node -> node.join(transport));
        if (!config.isReadOnly()) {
          new IntentRecovery(nodes, config.number(Setting.REQUEST_TIMEOUT_MILLIS)).run();
        }
      }
      return new GraphDatabase(config, shards, transport, clock);
    } catch (RuntimeException e) {
      nodes.forEach(HostedShard::leave);
      transport.close();
      throw e;
    }
  }

  private static LocalTransport.Options transportOptions(GraphMetaConfig config) {
    return new LocalTransport.Options(
        (int) config.number(Setting.SHARD_THREADS),
        (int) config.number(Setting.SHARD_QUEUE),
        config.get(Setting.ENCODE_MESSAGES).equals("true"));
  }

  /**
   * Opens a database, and creates it if the configuration allows and it is not there.
   *
   * <p>With {@link Setting#READ_ONLY} it is read as it is now, while another process may write it;
   * transactions that write fail with {@code READ_ONLY_DATABASE}.
   *
   * <p>A database of an older format is upgraded first, for which no older build opens it again.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN}, {@code NOT_A_DATABASE}, {@code NEWER_FORMAT},
   *     {@code OLDER_FORMAT}, {@code MISMATCHED_SETTINGS}, {@code CORRUPTION} or {@code
   *     STORAGE_FAILURE}; nothing is changed then, but by an upgrade, which goes on when the
   *     database is opened again
   */
  public static GraphDatabase open(GraphMetaConfig config) {
    return open(config, InstantSource.system());
  }

  /** As {@link #open(GraphMetaConfig)}, with stamps that follow a given clock. */
  public static GraphDatabase open(GraphMetaConfig config, InstantSource clock) {
    HostedShards shards = HostedShards.open(config, clock);
    try {
      return open(config, shards, clock);
    } catch (RuntimeException e) {
      try {
        shards.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * A configuration with the settings that were fixed when the database in its directory was
   * created; the same configuration if there is none.
   */
  public static GraphMetaConfig asCreated(GraphMetaConfig config) {
    return DatabaseDirectory.asCreated(config);
  }

  /** The configuration it was opened with. */
  public GraphMetaConfig config() {
    return config;
  }

  /** A new transaction over a snapshot of now. */
  public GraphTransaction begin() {
    requireOpen();
    return transactions.begin();
  }

  /** Labels of vertices that were ever used, in the order of their first use. */
  public List<String> vertexLabels() {
    return names(NameKind.VERTEX_LABEL);
  }

  /** Labels of edges that were ever used, in the order of their first use. */
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

  /**
   * Verifies that stored rows agree with one another: every edge has its entry at both ends with
   * the same stamps, both ends exist while it does, ids lead to their elements and back, every
   * label and property key is defined, every value can be read, no set has a value twice, every row
   * lies with its shard, and no transaction is there in part. What commits meanwhile is left out.
   *
   * @param progress is told the number of rows read so far
   */
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

  /** Calls sent to the shards since the database was opened, by the kind of their request. */
  public Map<String, Long> callsSent() {
    return transport.sent();
  }

  /** How each shard is doing, in the order of their numbers. */
  public List<ShardStatus> status() {
    requireOpen();
    List<ShardStatus> all = new ArrayList<>();
    for (int shard = 0; shard < router.shards(); shard++) {
      all.add(status(shard));
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
    Response.Status status = router.call(shard, new Request.ReadStatus(), Response.Status.class);
    Map<String, Long> rows = new LinkedHashMap<>();
    status
        .rows()
        .forEach((family, count) -> rows.put(family.name().toLowerCase(Locale.ROOT), count));
    return new ShardStatus(
        shard,
        status.bytesOnDisk(),
        rows,
        status.resolvedStamp(),
        Math.max(0, (nowMicros() - Stamp.micros(status.resolvedStamp())) / 1000),
        status.openIntents(),
        status.openIntents() == 0 ? 0 : status.oldestOpenMillis(),
        status.decidedIntents(),
        status.syncs(),
        status.fault(),
        CacheStatus.of(status.adjacency()));
  }

  private long nowMicros() {
    return Stamp.epochMicros(clock.instant());
  }

  /**
   * Where a vertex, by its key, and its edges lie now. Reads all entries of the vertex, on the
   * shards where they lie.
   */
  public VertexPlacement placement(long vertex) {
    requireOpen();
    return PlacementProbe.ofNow(router, vertex);
  }

  /** As {@link #placement(long)}, of several vertices and the edges that a view sees. */
  public List<VertexPlacement> placement(Collection<Long> vertices, ReadView view) {
    requireOpen();
    return new PlacementProbe(router, resolved(view)).vertices(vertices);
  }

  /**
   * How what a view sees is spread over the shards and virtual nodes. Each shard reads all of its
   * rows once, in pages, which writers need not wait for.
   *
   * @param hottest the most vertices to be told one by one; at least 1
   * @param progress is told the number of rows read so far
   * @throws GraphMetaException {@code SNAPSHOT_TOO_OLD} if it takes longer than moved rows are kept
   *     and vertices were split meanwhile
   */
  public PlacementReport placementReport(int hottest, ReadView view, LongConsumer progress) {
    requireOpen();
    return new PlacementScan(
            new PlacementProbe(router, resolved(view)), map(config), hottest, progress)
        .run();
  }

  /** The view as a transaction of now reads it. */
  private ReadView resolved(ReadView view) {
    try (GraphTransaction tx = begin()) {
      return tx.view(view.validAt(), view.knownAt());
    }
  }

  /**
   * Splits all vertices that have grown over the threshold, as the shards do by themselves a moment
   * later. For tests and tools.
   *
   * @return number of splits
   */
  public int splitNow() {
    requireOpen();
    int all = 0;
    int splits = 1;
    while (splits > 0) {
      splits = nodes.stream().mapToInt(HostedShard::splitNow).sum();
      all += splits;
    }
    return all;
  }

  /**
   * Removes all elements and their history. For tests and tools: transactions that are open can no
   * longer commit, and over several shards no other thread may commit meanwhile, since one is
   * cleared after another.
   */
  public void clear() {
    requireOpen();
    nodes.forEach(HostedShard::pauseSplitting); // a split between two shards would leave rows
    try {
      router.clear();
    } finally {
      nodes.forEach(HostedShard::goOnSplitting);
    }
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The database is closed; open it again");
    }
  }

  /** Waits for commits under way and closes; open transactions are lost. Safe to call again. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      nodes.forEach(HostedShard::leave);
      transport.close();
      shards.close();
    }
  }
}
