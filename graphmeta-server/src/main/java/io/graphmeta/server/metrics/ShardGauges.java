package io.graphmeta.server.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.engine.PeerStatus;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.server.metrics.ServerMetrics.Gauges;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The state of shards, all of a database or those of a node, and of the ways to other nodes as
 * gauges. One reading of the metrics asks once: what was asked for is good for a second. Safe for
 * use by many threads.
 */
public final class ShardGauges {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<List<ShardStatus>> shards;
  private final Supplier<List<PeerStatus>> peers;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private Map<Integer, ShardStatus> latest = Map.of();

  @GuardedBy("this")
  private long askedAtNanos;

  /**
   * Gauges of shards and of the ways to other nodes.
   *
   * @param shards asks them how they are doing
   * @param peers tells how other nodes are reached
   * @param nanoTime a clock that runs evenly, in nanoseconds
   */
  public ShardGauges(
      Supplier<List<ShardStatus>> shards, Supplier<List<PeerStatus>> peers, LongSupplier nanoTime) {
    this.shards = shards;
    this.peers = peers;
    this.nanoTime = nanoTime;
  }

  private synchronized Map<Integer, ShardStatus> status() {
    long now = nanoTime.getAsLong();
    if (latest.isEmpty() || now - askedAtNanos >= FRESH_NANOS) {
      Map<Integer, ShardStatus> asked = new TreeMap<>();
      shards.get().forEach(shard -> asked.put(shard.shard(), shard));
      latest = asked;
      askedAtNanos = now;
    }
    return latest;
  }

  /** Adds the gauges to the metrics. */
  public void register(ServerMetrics metrics) {
    metrics.gauge(
        "graphmeta.database.bytes",
        "Bytes of all files of the shards",
        () -> status().values().stream().mapToLong(ShardStatus::bytesOnDisk).sum());
    metrics.gaugesOf(
        () -> status().keySet().stream().map(String::valueOf).collect(Collectors.toSet()),
        (shard, gauges) -> addShard(Integer.parseInt(shard), gauges));
    metrics.gaugesOf(
        () -> peers.get().stream().map(PeerStatus::node).collect(Collectors.toSet()),
        this::addPeer);
  }

  private void addShard(int number, Gauges metrics) {
    ShardStatus shard = status().get(number);
    if (shard != null) {
      shard
          .rows()
          .keySet()
          .forEach(
              family ->
                  metrics.gauge(
                      "graphmeta.store.rows",
                      "Rows of a family in the store of a shard, estimated",
                      Map.of("shard", Integer.toString(number), "family", family),
                      () -> value(number, now -> now.rows().getOrDefault(family, 0L))));
    }
    add(
        metrics,
        number,
        "graphmeta.shard.away",
        "1 if a shard does not answer, else 0",
        status -> status.answers() ? 0 : 1);
    add(
        metrics,
        number,
        "graphmeta.store.bytes",
        "Bytes of all files of a shard",
        ShardStatus::bytesOnDisk);
    add(
        metrics,
        number,
        "graphmeta.resolved.behind.seconds",
        "How far the stamp that snapshots can have lies behind now",
        status -> status.behindMillis() / 1000.0);
    add(
        metrics,
        number,
        "graphmeta.intents.open",
        "Parts of transactions whose outcome a shard does not know",
        ShardStatus::openIntents);
    add(
        metrics,
        number,
        "graphmeta.intents.open.oldest.seconds",
        "Age of the oldest of them",
        status -> status.oldestOpenMillis() / 1000.0);
    add(
        metrics,
        number,
        "graphmeta.intents.decided",
        "Parts whose outcome is known, but not yet durably to all participants",
        ShardStatus::decidedIntents);
    add(
        metrics,
        number,
        "graphmeta.shard.faulty",
        "1 if a shard takes no commits until the database is opened again, else 0",
        status -> status.fault().isEmpty() ? 0 : 1);
    addAdjacency(metrics, number);
  }

  /** No number for a shard that is not there any more. */
  private double value(int shard, ToDoubleFunction<ShardStatus> of) {
    ShardStatus now = status().get(shard);
    return now == null ? Double.NaN : of.applyAsDouble(now);
  }

  private void addPeer(String node, Gauges metrics) {
    add(
        metrics,
        node,
        "graphmeta.peer.connected",
        "1 if calls to a node can be sent at once, else 0",
        peer -> peer.connected() ? 1 : 0);
    add(
        metrics,
        node,
        "graphmeta.peer.clock.offset.seconds",
        "By how much the clock of a node was ahead when it was last compared",
        peer -> peer.clockOffsetMicros() / 1e6);
    add(
        metrics,
        node,
        "graphmeta.peer.queued.bytes",
        "Bytes of calls to a node that wait to be sent",
        PeerStatus::queuedBytes);
  }

  private void add(
      Gauges metrics,
      String node,
      String name,
      String description,
      ToDoubleFunction<PeerStatus> value) {
    metrics.gauge(
        name,
        description,
        Map.of("node", node),
        () ->
            peers.get().stream()
                .filter(peer -> peer.node().equals(node))
                .mapToDouble(value)
                .findFirst()
                .orElse(Double.NaN));
  }

  private void addAdjacency(Gauges metrics, int number) {
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.bytes",
        "Memory for cached neighbours and rows in use",
        status -> status.adjacency().sizeBytes());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.limit.bytes",
        "Memory for cached neighbours and rows at most",
        status -> status.adjacency().limitBytes());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.entries",
        "Lists of neighbours, and rows, that are cached",
        status -> status.adjacency().entries());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.hits",
        "Reads of neighbours that were answered from memory",
        status -> status.adjacency().hits());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.misses",
        "Reads of neighbours that were answered from the store",
        status -> status.adjacency().misses());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.row.hits",
        "Reads of vertices, edges and ids that were answered from memory",
        status -> status.adjacency().rowHits());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.row.misses",
        "Reads of vertices, edges and ids that were answered from the store",
        status -> status.adjacency().rowMisses());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.evictions",
        "Lists of neighbours, and rows, that had to make room",
        status -> status.adjacency().evictions());
    add(
        metrics,
        number,
        "graphmeta.adjacency.cache.invalidations",
        "Lists of neighbours, and rows, that a commit ended",
        status -> status.adjacency().invalidations());
  }

  private void add(
      Gauges metrics,
      int shard,
      String name,
      String description,
      ToDoubleFunction<ShardStatus> value) {
    metrics.gauge(
        name, description, Map.of("shard", Integer.toString(shard)), () -> value(shard, value));
  }
}
