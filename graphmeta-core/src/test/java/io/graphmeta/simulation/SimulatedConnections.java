package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The connections from callers to nodes, as far as they can break: between any two messages, those
 * of one envelope too. What was under way on a broken one does not arrive, neither calls nor
 * answers, and whoever waits is told; the next message goes by another connection. Nodes live on.
 */
final class SimulatedConnections {
  /** How often something that only reads is sent again, as the way to a node does. */
  private static final int MOST_AGAIN = 4;

  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final int nodes;
  private double chance;
  private final Map<Long, Integer> epochs = new HashMap<>();
  private int breaks;

  /**
   * Connections of callers to nodes.
   *
   * @param nodes that host the shards, in turn
   * @param chance that a message is followed by a break of its connection
   */
  SimulatedConnections(Scheduler scheduler, SplittableRandom random, int nodes, double chance) {
    this.scheduler = scheduler;
    this.random = random;
    this.nodes = nodes;
    this.chance = chance;
  }

  private long connection(int from, int shard) {
    return (long) from << 32 | shard % nodes;
  }

  /** Tells the connection that there is now from all that were before it. */
  int epoch(int from, int shard) {
    return epochs.getOrDefault(connection(from, shard), 0);
  }

  /** Whether a connection is the one that there is now. */
  boolean isThere(int from, int shard, int epoch) {
    return epoch(from, shard) == epoch;
  }

  /** Something was sent; perhaps the connection breaks over it. */
  void sent(int from, int shard, long delayMicros) {
    if (chance > 0 && random.nextDouble() < chance) {
      breaks++;
      scheduler.after(
          1 + random.nextLong(2 * delayMicros),
          () -> epochs.merge(connection(from, shard), 1, Integer::sum));
    }
  }

  /** Whether what a break has ended is sent again. */
  boolean sendsAgain(Call call, int times) {
    return call.request() instanceof Request.Repeatable && times < MOST_AGAIN;
  }

  /** None breaks any more. */
  void end() {
    chance = 0;
  }

  /** How many have broken, or will. */
  int breaks() {
    return breaks;
  }
}
