package io.graphmeta.frontier;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Vertices with a number for each. The arrays are shared, not copied, and do not change.
 *
 * @param keys of the vertices
 * @param bulks of each vertex, the number of ways to it, null if there is one to each; where paths
 *     are kept, the number of the element of a request that leads to it
 */
public record VertexBatch(long[] keys, long @Nullable [] bulks) {
  /** Vertices with one way to each. */
  public static VertexBatch of(long... keys) {
    return new VertexBatch(keys, null);
  }

  /** Number of vertices. */
  public int size() {
    return keys.length;
  }

  /** The number of ways to a vertex. */
  public long bulk(int index) {
    return bulks == null ? 1 : bulks[index];
  }

  /** The number of ways to all. */
  public long bulk() {
    if (bulks == null) {
      return keys.length;
    }
    long sum = 0;
    for (long bulk : bulks) {
      sum = Ways.sum(sum, bulk);
    }
    return sum;
  }

  /** The vertices of a set of positions. */
  public VertexBatch keep(BitSet positions) {
    int kept = positions.cardinality();
    if (kept == keys.length) {
      return this;
    }
    long[] keptKeys = new long[kept];
    long[] keptBulks = bulks == null ? null : new long[kept];
    int at = 0;
    for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
      keptKeys[at] = keys[i];
      if (bulks != null && keptBulks != null) {
        keptBulks[at] = bulks[i];
      }
      at++;
    }
    return new VertexBatch(keptKeys, keptBulks);
  }

  /** The same vertices, each once. */
  public VertexBatch once() {
    return bulks == null ? this : new VertexBatch(keys, null);
  }

  /** A range of the vertices. */
  public VertexBatch range(int from, int to) {
    return from == 0 && to == keys.length
        ? this
        : new VertexBatch(
            Arrays.copyOfRange(keys, from, to),
            bulks == null ? null : Arrays.copyOfRange(bulks, from, to));
  }
}
