package io.graphmeta.bench.experiment;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import java.util.Arrays;

/**
 * A strategy with the ring of places that it splits vertices over: the shards, or the virtual nodes
 * as section 5.2.2 of the paper has it. Immutable.
 *
 * @param name what tables and legends call it
 * @param overVirtualNodes partitions are virtual nodes, several of which may be on one shard
 */
record Layout(String name, Placement placement, VirtualNodeMap map, boolean overVirtualNodes) {
  private static final int LABEL = 1;

  /** A layout over shards with virtual nodes going round them. */
  static Layout overShards(Placement placement, int virtualNodes, int shards) {
    VirtualNodeMap map =
        VirtualNodeMap.roundRobin(
            VirtualNodeMap.FIRST_EPOCH, Math.max(virtualNodes, powerOfTwo(shards)), shards);
    return new Layout(placement.name(), placement, map, false);
  }

  /** A layout over virtual nodes going round the shards. */
  static Layout overVirtualNodes(String name, Placement placement, int virtualNodes, int shards) {
    VirtualNodeMap map =
        VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, virtualNodes, shards);
    return new Layout(name, placement, map, true);
  }

  /** A layout over virtual nodes of which each shard has as many in a row. */
  static Layout overBlocks(String name, Placement placement, int virtualNodes, int shards) {
    int[] shardOf = new int[virtualNodes];
    Arrays.setAll(shardOf, node -> (int) ((long) node * shards / virtualNodes));
    VirtualNodeMap map = new VirtualNodeMap(VirtualNodeMap.FIRST_EPOCH, shards, shardOf);
    return new Layout(name, placement, map, true);
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast == 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }

  int shards() {
    return map.shards();
  }

  /** The key of a vertex, as the graph would give it. */
  long key(int vertex) {
    long counter = vertex + 1L;
    return VertexKeys.pack(LABEL, counter, map.virtualNode(counter));
  }

  /** The shard of a vertex. */
  int home(int vertex) {
    return map.shard(VertexKeys.virtualNode(key(vertex)));
  }

  /** Number of places that a vertex can be split over. */
  int places() {
    return overVirtualNodes ? map.virtualNodes() : map.shards();
  }

  private int place(int vertex) {
    return overVirtualNodes ? VertexKeys.virtualNode(key(vertex)) : home(vertex);
  }

  /** The shard of a partition of a vertex. */
  int shard(int vertex, int partition) {
    int place = (place(vertex) + partition) % places();
    return overVirtualNodes ? map.shard(place) : place;
  }

  SplitState initial() {
    return placement.initial(places());
  }

  /** The partition that the entry of an edge is in. */
  int partition(SplitState split, int vertex, int other) {
    return placement.partition(
        split, places(), key(vertex), place(vertex), key(other), place(other));
  }

  /** The partition that the next split of one makes, or -1. */
  int next(int partition, SplitState split) {
    return placement.next(partition, split, places());
  }
}
