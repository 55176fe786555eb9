package io.graphmeta.protocol;

import io.graphmeta.model.EdgeKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of a traversal on one shard.
 *
 * @param count of a plan that counts: what was counted since the last page
 * @param vertices of a plan that ends at vertices and wants elements
 * @param edges of a plan that ends at edges and wants elements
 * @param tuples of a plan that projects: the columns of each, one behind the other
 * @param bulks how often each element or tuple was found; empty if each was found once
 * @param more whether there are more pages
 * @param rows of a plan that wants vertices with their properties: the rows of the vertices of this
 *     page; null of any other
 */
public record TraversalPage(
    long count,
    long[] vertices,
    List<EdgeKey> edges,
    byte[][] tuples,
    long[] bulks,
    boolean more,
    @Nullable ElementPage rows) {
  /** Nothing. */
  public static final TraversalPage EMPTY =
      new TraversalPage(0, new long[0], List.of(), new byte[0][], new long[0], false);

  /** Results without rows. */
  public TraversalPage(
      long count,
      long[] vertices,
      List<EdgeKey> edges,
      byte[][] tuples,
      long[] bulks,
      boolean more) {
    this(count, vertices, edges, tuples, bulks, more, null);
  }

  /** Number of elements or tuples. */
  public int size() {
    return vertices.length + edges.size() + tuples.length;
  }

  /** How often an element or tuple was found. */
  public long bulk(int index) {
    return bulks.length == 0 ? 1 : bulks[index];
  }
}
