package io.graphmeta.engine;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How a graph is spread over its shards and virtual nodes.
 *
 * @param shards what lies on each, in the order of their numbers
 * @param virtualNodes what belongs to the vertices of each, wherever it lies, in the order of their
 *     numbers
 * @param hottest the vertices with the most edges in one direction, the hottest first; without what
 *     lies on shards that are away: vertices at home there, and partitions of others
 */
public record PlacementReport(
    List<Shard> shards, List<VirtualNode> virtualNodes, List<VertexPlacement> hottest) {
  /**
   * What lies on a shard.
   *
   * @param shard its number
   * @param sizes of what belongs there
   * @param keptRows rows that do not: of entries that were moved and are kept for older snapshots,
   *     or that are on their way here
   * @param keptBytes their size
   * @param away why it did not answer, in words, so that not all of it was counted; empty if it did
   */
  public record Shard(int shard, StoredSizes sizes, long keptRows, long keptBytes, String away) {}

  /**
   * What belongs to the vertices of a virtual node.
   *
   * @param number of the virtual node
   * @param shard the home of its vertices
   */
  public record VirtualNode(int number, int shard, StoredSizes sizes) {}

  /** What lies on all shards. */
  public StoredSizes all() {
    return shards.stream().map(Shard::sizes).reduce(StoredSizes.NONE, StoredSizes::plus);
  }

  /** The fullest shard over the mean of all; 1 if there is nothing. */
  public double imbalanceOfShards(ToLongFunction<StoredSizes> size) {
    return imbalance(shards.stream().mapToLong(each -> size.applyAsLong(each.sizes())).toArray());
  }

  /** The fullest virtual node over the mean of all, empty ones too; 1 if there is nothing. */
  public double imbalanceOfVirtualNodes(ToLongFunction<StoredSizes> size) {
    return imbalance(
        virtualNodes.stream().mapToLong(each -> size.applyAsLong(each.sizes())).toArray());
  }

  private static double imbalance(long[] sizes) {
    long sum = 0;
    long max = 0;
    for (long size : sizes) {
      sum += size;
      max = Math.max(max, size);
    }
    return sum == 0 ? 1 : (double) max * sizes.length / sum;
  }
}
