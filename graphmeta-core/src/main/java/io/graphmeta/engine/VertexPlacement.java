package io.graphmeta.engine;

import java.util.List;

/**
 * Where a vertex and its edges lie.
 *
 * @param home the server that holds the vertex
 * @param out the partitions of the edges that leave it
 * @param in the partitions of the edges that enter it
 */
public record VertexPlacement(int home, List<Partition> out, List<Partition> in) {
  /**
   * A partition of the edges of a vertex in one direction.
   *
   * @param number 0 for the one at home
   * @param server that holds it
   * @param sinceStamp stamp of the commit that split it off; 0 if it was there from the start
   */
  public record Partition(int number, int server, long sinceStamp) {}
}
