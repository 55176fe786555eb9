package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedSet;

/**
 * Which nodes host which shard. Immutable.
 *
 * @param epoch 0 as long as no shard has a node, and one more with each change
 * @param replicas the names of the nodes of each shard, by the number of the shard, as many of
 *     each; empty in epoch 0
 */
public record ShardPlacement(long epoch, List<List<String>> replicas) {
  /** The placement of a cluster that has just been made. */
  static final ShardPlacement NONE = new ShardPlacement(0, List.of());

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public ShardPlacement {
    replicas = replicas.stream().map(List::copyOf).toList();
    for (List<String> nodes : replicas) {
      nodes.forEach(node -> Names.require("node", node));
      if (nodes.size() != replicas.get(0).size() || new HashSet<>(nodes).size() != nodes.size()) {
        throw GraphMetaException.invalid(
            "A shard is placed on "
                + nodes
                + "; expected "
                + replicas.get(0).size()
                + " different nodes");
      }
    }
    if (epoch < 0 || replicas.isEmpty() != (epoch == 0)) {
      throw GraphMetaException.invalid(
          "A placement of "
              + replicas.size()
              + " shards has epoch "
              + epoch
              + "; expected 0 for none, and a positive number else");
    }
  }

  /** Whether shards have nodes. */
  public boolean isThere() {
    return epoch > 0;
  }

  /** The numbers of the shards of which a node has a replica, ascending. */
  public List<Integer> shardsOf(String node) {
    List<Integer> shards = new ArrayList<>();
    for (int shard = 0; shard < replicas.size(); shard++) {
      if (replicas.get(shard).contains(node)) {
        shards.add(shard);
      }
    }
    return List.copyOf(shards);
  }

  /**
   * The first one: shard after shard to node after node, and the other replicas to the nodes that
   * follow, so that none has two more than another.
   */
  public static ShardPlacement first(int shards, int replicas, SortedSet<String> nodes) {
    List<String> names = List.copyOf(nodes);
    List<List<String>> placed = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      List<String> of = new ArrayList<>();
      for (int replica = 0; replica < replicas; replica++) {
        of.add(names.get((shard + replica) % names.size()));
      }
      placed.add(of);
    }
    return new ShardPlacement(1, placed);
  }
}
