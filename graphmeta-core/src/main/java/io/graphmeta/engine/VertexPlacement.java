package io.graphmeta.engine;

import java.util.List;

/**
 * Where a vertex and its edges lie.
 *
 * @param vertex its key
 * @param virtualNode that the vertex belongs to
 * @param home the shard that holds the vertex
 * @param out the partitions of the edges that leave it, by rising numbers
 * @param in the partitions of the edges that enter it, by rising numbers
 */
public record VertexPlacement(
    long vertex, int virtualNode, int home, List<Partition> out, List<Partition> in) {
  /**
   * A partition of the edges of a vertex in one direction.
   *
   * @param number 0 for the one at home
   * @param shard that holds it
   * @param sinceStamp stamp of the commit that split it off; 0 if it was there from the start
   * @param entries edges of the vertex in it
   */
  public record Partition(int number, int shard, long sinceStamp, long entries) {}

  /** Number of edges that leave it. */
  public long outDegree() {
    return out.stream().mapToLong(Partition::entries).sum();
  }

  /** Number of edges that enter it. */
  public long inDegree() {
    return in.stream().mapToLong(Partition::entries).sum();
  }
}
