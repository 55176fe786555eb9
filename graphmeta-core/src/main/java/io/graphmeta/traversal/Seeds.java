package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import java.util.List;

/**
 * What a traversal with a given source begins with. Arrays are not copied.
 *
 * @param vertices keys; one that comes twice counts twice
 * @param edges keys; one that comes twice counts twice
 */
public record Seeds(long[] vertices, List<EdgeKey> edges) {
  /** Of a traversal that begins with a scan. */
  public static final Seeds NONE = new Seeds(new long[0], List.of());

  /** Vertices. */
  public static Seeds vertices(long... keys) {
    return new Seeds(keys, List.of());
  }

  /** Edges. */
  public static Seeds edges(List<EdgeKey> keys) {
    return new Seeds(new long[0], List.copyOf(keys));
  }
}
