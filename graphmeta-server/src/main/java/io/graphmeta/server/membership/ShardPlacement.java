package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Which node hosts which shard. Immutable.
 *
 * @param epoch 0 as long as no shard has a node, and one more with each change
 * @param nodes the name of the node of each shard, by the number of the shard; empty in epoch 0
 */
public record ShardPlacement(long epoch, List<String> nodes) {
  /** The placement of a cluster that has just been made. */
  static final ShardPlacement NONE = new ShardPlacement(0, List.of());

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public ShardPlacement {
    nodes = List.copyOf(nodes);
    nodes.forEach(node -> Names.require("node", node));
    if (epoch < 0 || nodes.isEmpty() != (epoch == 0)) {
      throw GraphMetaException.invalid(
          "A placement of "
              + nodes.size()
              + " shards has epoch "
              + epoch
              + "; expected 0 for none, and a positive number else");
    }
  }

  /** Whether shards have nodes. */
  public boolean isThere() {
    return epoch > 0;
  }

  /**
   * The first one: shard after shard to node after node, so that none has two more than another.
   */
  public static ShardPlacement first(int shards, SortedSet<String> nodes) {
    List<String> names = List.copyOf(nodes);
    List<String> placed = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      placed.add(names.get(shard % names.size()));
    }
    return new ShardPlacement(1, placed);
  }
}
