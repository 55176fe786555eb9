package io.graphmeta.server.cluster;

import io.graphmeta.server.membership.ClusterView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Nodes that have been away for so long that others are to have their shards. A node is away since
 * this process has seen it so first, without an interruption in which it could not see. Used by one
 * thread.
 */
final class LostNodes {
  private final long lostNanos;
  private final LongSupplier nanoTime;
  private final Map<String, Long> awaySince = new HashMap<>();

  /**
   * Nobody is lost yet.
   *
   * @param lostMillis how long a node may be away; 0: for ever
   */
  LostNodes(long lostMillis, LongSupplier nanoTime) {
    this.lostNanos = lostMillis * 1_000_000;
    this.nanoTime = nanoTime;
  }

  /**
   * Looks.
   *
   * @param sees whether what is known of the cluster is of now
   * @return the names of those that are lost
   */
  Set<String> look(ClusterView view, boolean sees) {
    Set<String> lost = new HashSet<>();
    if (lostNanos == 0 || !sees) {
      awaySince.clear();
      return lost;
    }
    long now = nanoTime.getAsLong();
    view.nodes()
        .forEach(
            (name, node) -> {
              if (node.present()) {
                awaySince.remove(name);
              } else if (now - awaySince.computeIfAbsent(name, first -> now) >= lostNanos) {
                lost.add(name);
              }
            });
    awaySince.keySet().retainAll(view.nodes().keySet());
    return lost;
  }
}
