package io.graphmeta.protocol;

import io.graphmeta.model.EdgeKey;
import java.util.List;

/**
 * Elements that arrive at a position of a traversal.
 *
 * @param position the operation of the plan to go on with, in the low {@value #OPERATION_BITS}
 *     bits; above them what the shards among themselves tell of it, and the round of its loop
 * @param vertices keys, each once; none if edges arrive
 * @param edges keys; none if vertices arrive
 * @param reached of each edge, whether it was reached from its source
 * @param bulks number of ways to each element; empty if there is one to each
 */
public record FrontierPart(
    int position, long[] vertices, List<EdgeKey> edges, boolean[] reached, long[] bulks) {
  /** Bits of a position that are its operation. */
  public static final int OPERATION_BITS = 14;

  private static final boolean[] NONE = {};

  /** The operation of a position. */
  public static int operation(int position) {
    return position & (1 << OPERATION_BITS) - 1;
  }

  /** Vertices. */
  public static FrontierPart vertices(int position, long[] keys, long[] bulks) {
    return new FrontierPart(position, keys, List.of(), NONE, bulks);
  }

  /** Number of elements. */
  public int size() {
    return vertices.length + edges.size();
  }

  /** The number of ways to an element. */
  public long bulk(int index) {
    return bulks.length == 0 ? 1 : bulks[index];
  }
}
