package io.graphmeta.server.cluster;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.RestoredNodes;
import io.graphmeta.server.membership.ClusterDescription;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.membership.ShardPlacement;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the directories of the nodes of a cluster out of a backup, before any of them has joined:
 * the first placement depends on nothing but the names of the nodes, so that each has the shards
 * that it will be given.
 */
public final class RestoredCluster {
  private RestoredCluster() {}

  /**
   * Restores a backup for a cluster that was made and has not begun.
   *
   * @param config names the cluster, as a client of it does
   * @param target the directory of backups
   * @param name of the backup; null for the newest
   * @param directory that is made, with a directory for each node
   * @param nodes the names of all nodes
   * @param progress is told the number of bytes copied so far
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the cluster does not fit: another number
   *     of nodes or shards, or nodes that are at work; {@code NOT_FOUND} if there is none; as
   *     {@link GraphDatabases#restore} does. Nothing was made then
   */
  public static BackupSummary restore(
      GraphMetaConfig config,
      Path target,
      @Nullable String name,
      Path directory,
      Collection<String> nodes,
      LongConsumer progress) {
    ClusterDescription cluster = fresh(config, nodes);
    return GraphDatabases.restoreNodes(
        target,
        name,
        directory,
        new RestoredNodes(
            cluster.id().toString(),
            SharedSettings.of(cluster, GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory"))),
            placed(cluster.shards(), new TreeSet<>(nodes)),
            NodeDirectory.SHARDS,
            (node, made) -> NodeDirectory.make(made, cluster.id(), node)),
        progress);
  }

  private static ClusterDescription fresh(GraphMetaConfig config, Collection<String> nodes) {
    nodes.forEach(NodeDescription::requireName);
    String name = config.get(Setting.CLUSTER);
    ClusterView view;
    try (ClusterMembership membership =
        ClusterMembership.open(ClusterClient.settings(config).zookeeper(), name)) {
      view = membership.view();
    }
    if (view.placement().isThere() || !view.nodes().isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_EXISTS,
          "Cluster "
              + name
              + " has nodes already ("
              + String.join(", ", view.nodes().keySet())
              + "); a backup is restored for a cluster that 'graphmeta cluster init' has just made");
    }
    int awaited = view.cluster().awaitedNodes();
    if (new TreeSet<>(nodes).size() != nodes.size() || awaited != nodes.size()) {
      throw GraphMetaException.invalid(
          "Cluster "
              + name
              + " waits for "
              + awaited
              + " nodes, and "
              + nodes.size()
              + " are named ("
              + String.join(", ", nodes)
              + "); expected as many names, each once");
    }
    if (view.cluster().replicas() > 1) {
      throw GraphMetaException.invalid(
          "Cluster "
              + view.cluster().name()
              + " keeps "
              + view.cluster().replicas()
              + " replicas of each shard; what is restored has one. Restore for a cluster made"
              + " without --replicas");
    }
    return view.cluster();
  }

  private static Map<String, List<Integer>> placed(int shards, SortedSet<String> nodes) {
    Map<String, List<Integer>> placed = new TreeMap<>();
    ShardPlacement first = ShardPlacement.first(shards, 1, nodes, Map.of());
    for (String node : nodes) {
      if (!first.shardsOf(node).isEmpty()) {
        placed.put(node, first.shardsOf(node));
      }
    }
    return placed;
  }
}
