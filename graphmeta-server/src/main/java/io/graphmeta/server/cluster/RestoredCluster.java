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
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the directories of the nodes of a cluster out of a backup, before any of them has joined:
 * the first placement depends on nothing but the names of the nodes, so that each has the shards
 * that it will be given.
 *
 * <p>Where a cluster keeps several replicas of each shard, one of them is restored, and copied to
 * the others by the nodes themselves when they are there. A node with none of the stores that it is
 * to go on with must not begin, since it would lead an empty shard: so the placement, which tells
 * it so, is written before there is any directory.
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
   * @param racks the names of all nodes, each with its rack, which is empty if it shares none
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
      SortedMap<String, String> racks,
      LongConsumer progress) {
    SortedSet<String> names = new TreeSet<>(racks.keySet());
    names.forEach(NodeDescription::requireName);
    Map<String, String> told = new TreeMap<>(racks);
    told.values().removeIf(String::isEmpty);
    told.values().forEach(NodeDescription::requireRack);
    try (ClusterMembership membership =
        ClusterMembership.open(
            ClusterClient.settings(config).zookeeper(), config.get(Setting.CLUSTER))) {
      ClusterDescription cluster = membership.view().cluster();
      requireAwaited(cluster, names);
      boolean replicated = cluster.replicas() > 1;
      ShardPlacement placement =
          replicated
              ? ShardPlacement.restored(cluster.shards(), cluster.replicas(), names, told)
              : ShardPlacement.first(cluster.shards(), 1, names, told);
      requireFresh(membership.view(), placement, replicated);
      RestoredNodes restored =
          new RestoredNodes(
              cluster.id().toString(),
              SharedSettings.of(
                  cluster, GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory"))),
              shards(placement, names),
              replicated,
              NodeDirectory.SHARDS,
              (node, made) -> {
                if (replicated) {
                  place(membership, placement);
                }
                NodeDirectory.make(made, cluster.id(), node, !replicated);
              });
      return GraphDatabases.restoreNodes(target, name, directory, restored, progress);
    }
  }

  private static void place(ClusterMembership membership, ShardPlacement placement) {
    ShardPlacement placed = membership.change(now -> now.isThere() ? now : placement);
    if (!placed.equals(placement)) {
      throw hasNodes(membership.view());
    }
  }

  /** As many nodes as the cluster waits for: fewer could not be given replicas of all shards. */
  private static void requireAwaited(ClusterDescription cluster, SortedSet<String> nodes) {
    int awaited = cluster.awaitedNodes();
    if (awaited != nodes.size()) {
      throw GraphMetaException.invalid(
          "Cluster "
              + cluster.name()
              + " waits for "
              + awaited
              + " nodes, and "
              + nodes.size()
              + " are named ("
              + String.join(", ", nodes)
              + "); expected as many names, each once");
    }
  }

  /** Nobody has joined, and nothing is placed but what the same command has placed before. */
  private static void requireFresh(ClusterView view, ShardPlacement placement, boolean replicated) {
    boolean isSame = replicated && view.placement().equals(placement);
    if (!view.nodes().isEmpty() || view.placement().isThere() && !isSame) {
      throw hasNodes(view);
    }
  }

  private static GraphMetaException hasNodes(ClusterView view) {
    SortedSet<String> nodes = new TreeSet<>(view.nodes().keySet());
    view.placement().wanted().forEach(nodes::addAll);
    return new GraphMetaException(
        ErrorCode.ALREADY_EXISTS,
        "Cluster "
            + view.cluster().name()
            + " has nodes already ("
            + String.join(", ", nodes)
            + "); a backup is restored for a cluster that 'graphmeta cluster init' has just made");
  }

  private static Map<String, List<Integer>> shards(
      ShardPlacement placement, SortedSet<String> nodes) {
    Map<String, List<Integer>> placed = new TreeMap<>();
    for (String node : nodes) {
      if (!placement.shardsOf(node).isEmpty()) {
        placed.put(node, placement.shardsOf(node));
      }
    }
    return placed;
  }
}
