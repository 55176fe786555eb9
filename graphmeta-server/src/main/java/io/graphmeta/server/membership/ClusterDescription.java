package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a cluster is from its making on. None of it changes. Immutable.
 *
 * @param name what people call it; one ZooKeeper has one cluster of a name
 * @param id tells it from every other cluster, also from one of the same name
 * @param created when it was made, to the millisecond
 * @param shards number of its shards
 * @param replicas how many nodes have each shard: an odd number, so that a majority of them is
 *     never half
 * @param awaitedNodes how many nodes are registered before shards are given to nodes
 * @param settings what must be equal in all its processes, by key; whoever makes the cluster gives
 *     them, and whoever opens it compares
 */
public record ClusterDescription(
    String name,
    UUID id,
    Instant created,
    int shards,
    int replicas,
    int awaitedNodes,
    SortedMap<String, String> settings) {
  /** Most shards of a cluster. */
  static final int MAX_SHARDS = 1024;

  /** Most replicas of a shard; more cost, and are lost no less often. */
  static final int MAX_REPLICAS = 5;

  /** Most nodes that are ever registered in a cluster. */
  static final int MAX_NODES = 1024;

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public ClusterDescription {
    Names.require("cluster", name);
    require("Number of shards", shards, MAX_SHARDS);
    require("Number of replicas", replicas, MAX_REPLICAS);
    require("Number of nodes to wait for", awaitedNodes, MAX_NODES);
    if (replicas % 2 == 0 || replicas > awaitedNodes) {
      throw GraphMetaException.invalid(
          "A cluster that waits for "
              + awaitedNodes
              + " nodes cannot have "
              + replicas
              + " replicas of each shard; expected 1, 3 or 5, each on a node of its own");
    }
    settings.forEach(ClusterDescription::requireSetting);
    created = Instant.ofEpochMilli(created.toEpochMilli());
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
  }

  /** A cluster that is not there yet, with an id of its own. */
  public static ClusterDescription of(
      String name,
      int shards,
      int replicas,
      int awaitedNodes,
      Map<String, String> settings,
      Instant created) {
    return new ClusterDescription(
        name, UUID.randomUUID(), created, shards, replicas, awaitedNodes, new TreeMap<>(settings));
  }

  private static void require(String what, int number, int max) {
    if (number < 1 || number > max) {
      throw GraphMetaException.invalid(
          what + " of a cluster is " + number + "; expected 1 to " + max);
    }
  }

  private static void requireSetting(String key, String value) {
    if (!ZnodeText.isKey(key) || !ZnodeText.isValue(value)) {
      throw GraphMetaException.invalid(
          "Setting '"
              + key
              + "' of a cluster is '"
              + value
              + "'; expected a key of letters, digits, '.' and '-', and a value of one line");
    }
  }
}
