package io.graphmeta.server.cli.cluster;

import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.admin.AdminEndpoint;
import io.graphmeta.server.cluster.ClusterNode;
import io.graphmeta.server.cluster.ReplicaStatus;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.metrics.ServerMetrics.Gauges;
import io.graphmeta.server.metrics.ShardGauges;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeSettings;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Health and metrics of a node, where they are asked for. */
final class NodeAdmin implements AutoCloseable {
  private final @Nullable ServerMetrics metrics;
  private final @Nullable AdminEndpoint endpoint;

  private NodeAdmin(@Nullable ServerMetrics metrics, @Nullable AdminEndpoint endpoint) {
    this.metrics = metrics;
    this.endpoint = endpoint;
  }

  /**
   * Listens where the settings say, if they do.
   *
   * @throws GraphMetaException if the address cannot be taken
   */
  static NodeAdmin start(ClusterNode node, NodeSettings settings) {
    int port = settings.integer(NodeSetting.ADMIN_PORT);
    if (port < 0) {
      return new NodeAdmin(null, null);
    }
    ServerMetrics metrics = new ServerMetrics();
    try {
      new ShardGauges(node::status, node::peers, System::nanoTime).register(metrics);
      metrics.gaugesOf(
          () ->
              node.replicas().stream()
                  .map(replica -> Integer.toString(replica.shard()))
                  .collect(Collectors.toSet()),
          (shard, gauges) -> addReplica(gauges, node, Integer.parseInt(shard)));
      metrics.gauge(
          "graphmeta.node.connections",
          "Open connections of other nodes and of clients",
          node::connections);
      metrics.gauge(
          "graphmeta.node.clock.ignored.seconds",
          "By how much the clock of the machine was set while the node was at work, which it does not"
              + " follow; below 0 if it was set back",
          () -> node.clockIgnoredMicros() / 1e6);
      metrics.count(
          "graphmeta.node.connections.refused",
          "Connections that were closed because of what came by them",
          node::refusedConnections);
      return new NodeAdmin(
          metrics,
          AdminEndpoint.start(
              settings.get(NodeSetting.ADMIN_HOST), port, metrics, () -> requireWell(node)));
    } catch (RuntimeException e) {
      metrics.close();
      throw e;
    }
  }

  private static void addReplica(Gauges metrics, ClusterNode node, int shard) {
    add(
        metrics,
        shard,
        "graphmeta.replica.alive",
        "1 if the replica of a shard follows its group, else 0",
        () -> replica(node, shard).alive() ? 1 : 0);
    add(
        metrics,
        shard,
        "graphmeta.replica.leads",
        "1 if the replica leads its group, else 0",
        () -> replica(node, shard).leads() ? 1 : 0);
    add(
        metrics,
        shard,
        "graphmeta.replica.term",
        "The term that the replica is in: how often its group has elected, or tried to",
        () -> replica(node, shard).term());
    add(
        metrics,
        shard,
        "graphmeta.replica.applied",
        "Entries of the log of the group that are in the store of the replica",
        () -> replica(node, shard).applied() + 1);
    add(
        metrics,
        shard,
        "graphmeta.replica.lag",
        "Entries that the replica knows to be agreed on and has not applied",
        () -> replica(node, shard).lag());
  }

  private static void add(
      Gauges metrics, int shard, String name, String description, DoubleSupplier value) {
    metrics.gauge(name, description, Map.of("shard", Integer.toString(shard)), value::getAsDouble);
  }

  private static ReplicaStatus replica(ClusterNode node, int shard) {
    return node.replicas().stream()
        .filter(replica -> replica.shard() == shard)
        .findAny()
        .orElseThrow();
  }

  private static void requireWell(ClusterNode node) {
    for (ReplicaStatus replica : node.replicas()) {
      if (!replica.problem().isEmpty()) {
        throw new GraphMetaException(
            ErrorCode.UNAVAILABLE, "shard " + replica.shard() + ": " + replica.problem());
      }
    }
    for (ShardStatus shard : node.status()) {
      String fault = shard.answers() ? shard.fault() : shard.away();
      if (!fault.isEmpty()) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, "shard " + shard.shard() + ": " + fault);
      }
    }
  }

  /** Where it listens; null if nowhere. */
  @Nullable String address() {
    if (endpoint == null) {
      return null;
    }
    InetSocketAddress address = endpoint.address();
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    if (metrics != null) {
      metrics.close();
    }
  }
}
