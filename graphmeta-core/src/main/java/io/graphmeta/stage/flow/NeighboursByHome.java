package io.graphmeta.stage.flow;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.stage.program.Operation;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds neighbours to the frontier of the shard that is the home of each. The neighbours of one
 * vertex are sorted by shard first, so that those of each shard are added in one loop. Belongs to
 * one thread.
 */
public final class NeighboursByHome {
  /** Neighbours that are sorted by shard at once. */
  private static final int PORTION = 128;

  private final VirtualNodeMap map;
  private final LongBulkMap[] reached;
  private final long[][] apart;
  private final int[] sizes;

  /**
   * Adds to maps.
   *
   * @param reached for each shard
   */
  public NeighboursByHome(VirtualNodeMap map, LongBulkMap[] reached) {
    this.map = map;
    this.reached = reached;
    this.apart = new long[reached.length][PORTION];
    this.sizes = new int[reached.length];
  }

  /**
   * Adds a range of neighbours.
   *
   * @param wanted ids of the labels that they must have; null for any
   * @param bulk number of ways to each
   */
  public void add(long[] others, int from, int to, @Nullable BitSet wanted, long bulk) {
    for (int begin = from; begin < to; begin += PORTION) {
      layApart(others, begin, Math.min(to, begin + PORTION), wanted);
      for (int shard = 0; shard < sizes.length; shard++) {
        if (sizes[shard] > 0) {
          reached[shard].addAll(apart[shard], 0, sizes[shard], bulk);
          sizes[shard] = 0;
        }
      }
    }
  }

  private void layApart(long[] others, int from, int to, @Nullable BitSet wanted) {
    for (int i = from; i < to; i++) {
      if (wanted == null || Operation.Hop.isWanted(others[i], wanted)) {
        int home = map.shard(VertexKeys.virtualNode(others[i]));
        apart[home][sizes[home]++] = others[i];
      }
    }
  }
}
