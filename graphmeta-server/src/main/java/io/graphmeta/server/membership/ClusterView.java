package io.graphmeta.server.membership;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was last read of a cluster. Immutable, so that whoever asks it waits for nobody.
 *
 * <p>Its parts are read one after the other: the placement, then who is present, then the nodes.
 * Nodes are never unregistered, so each node of the placement is among the nodes as soon as all of
 * them have joined, which those of a restored cluster may not have.
 *
 * @param cluster what the cluster is
 * @param nodes all nodes that have ever joined, by name
 * @param placement which of them hosts which shard
 */
public record ClusterView(
    ClusterDescription cluster, SortedMap<String, KnownNode> nodes, ShardPlacement placement) {
  /** Takes what was read. */
  public ClusterView {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
  }

  /** Whether shards have nodes, and all of these have joined. */
  public boolean isServed() {
    return placement.isThere()
        && placement.replicas().stream().allMatch(nodes.keySet()::containsAll);
  }

  /** The racks of nodes that have told one, by the names of the nodes. */
  public Map<String, String> racks() {
    Map<String, String> racks = new TreeMap<>();
    nodes.forEach(
        (name, node) -> {
          if (!node.description().rack().isEmpty()) {
            racks.put(name, node.description().rack());
          }
        });
    return racks;
  }
}
