package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The nodes of a cluster that a backup is restored for: each is given the directory of a database
 * with its shards. Immutable.
 *
 * @param cluster identity of the cluster
 * @param shared settings that are the same for all of the cluster
 * @param shards the numbers of the shards of each node, ascending, by the name of the node
 * @param replicated whether other nodes are to have replicas of the same shards
 * @param database where in the directory of a node the database lies
 * @param made is told the name and the directory of each node when its database is there
 */
public record RestoredNodes(
    String cluster,
    GraphMetaConfig shared,
    Map<String, List<Integer>> shards,
    boolean replicated,
    String database,
    BiConsumer<String, Path> made) {
  /** Copies the map. */
  public RestoredNodes {
    shards = Map.copyOf(shards);
  }

  /** What a node hosts, when it begins. */
  Hosting hosting(String node) {
    List<Integer> own = shards.getOrDefault(node, List.of());
    return replicated ? Hosting.ofReplicas(cluster, own, own.size()) : Hosting.ofNode(cluster, own);
  }

  /** Fails if the cluster cannot hold the database. */
  void requireFits(GraphMetaConfig restored) {
    for (Setting setting : List.of(Setting.SHARDS, Setting.VIRTUAL_NODES, Setting.PLACEMENT)) {
      if (!shared.get(setting).equals(restored.get(setting))) {
        throw GraphMetaException.invalid(
            "The cluster was made with "
                + setting.key()
                + "="
                + shared.get(setting)
                + ", and the backup is of a database with "
                + restored.get(setting)
                + "; make a cluster with the same by 'graphmeta cluster init'");
      }
    }
  }
}
