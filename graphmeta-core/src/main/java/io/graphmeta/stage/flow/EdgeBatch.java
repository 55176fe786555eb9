package io.graphmeta.stage.flow;

import static java.util.Objects.requireNonNull;

import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.ElementPage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Edges at one operation, with a number for each, from which end each was reached, and its rows if
 * they were read. The list and the arrays are shared, not copied, and do not change.
 *
 * @param keys of the edges
 * @param fromSource whether an edge was reached from its source
 * @param bulks of each edge, the number of ways to it; where paths are kept, the number of the
 *     element of the request that leads to it
 * @param pages where the rows of each are; null if rows were not read
 * @param elements which element of its page each edge is
 */
public record EdgeBatch(
    List<EdgeKey> keys,
    boolean[] fromSource,
    long[] bulks,
    @Nullable ElementPage @Nullable [] pages,
    int[] elements) {
  private static final int[] NO_ELEMENTS = {};

  /** Edges without their rows. */
  public static EdgeBatch of(List<EdgeKey> keys, boolean[] fromSource, long[] bulks) {
    return new EdgeBatch(keys, fromSource, bulks, null, NO_ELEMENTS);
  }

  /**
   * Edges that were read at one of their ends.
   *
   * @param outgoing whether at their source
   * @param sources what they were reached from, with the number of ways to it
   * @param withRows whether their properties were read with them
   */
  public static EdgeBatch of(
      ElementPage page, boolean outgoing, VertexBatch sources, boolean withRows) {
    int size = page.elements();
    EdgeKey[] keys = new EdgeKey[size];
    boolean[] fromSource = new boolean[size];
    long[] bulks = new long[size];
    Arrays.fill(fromSource, outgoing);
    for (int e = 0; e < size; e++) {
      keys[e] = key(page, e, outgoing);
      bulks[e] = sources.bulk(page.source(e));
    }
    ElementPage[] pages = withRows ? new ElementPage[size] : null;
    int[] elements = withRows ? new int[size] : NO_ELEMENTS;
    if (pages != null) {
      Arrays.fill(pages, page);
      Arrays.setAll(elements, e -> e);
    }
    return new EdgeBatch(List.of(keys), fromSource, bulks, pages, elements);
  }

  /** The key of an edge that was read at its source, or at its destination. */
  public static EdgeKey key(ElementPage page, int e, boolean outgoing) {
    return outgoing
        ? new EdgeKey(page.owner(e), page.label(e), page.other(e), page.sequence(e))
        : new EdgeKey(page.other(e), page.label(e), page.owner(e), page.sequence(e));
  }

  /** Number of edges. */
  public int size() {
    return keys.size();
  }

  /** The key of an edge of the batch. */
  public EdgeKey key(int index) {
    return keys.get(index);
  }

  /** Whether the rows of an edge were read, and found. */
  public boolean hasRows(int index) {
    return pages != null && pages[index] != null;
  }

  /** The page that has the rows of an edge. */
  public ElementPage page(int index) {
    return requireNonNull(requireNonNull(pages)[index]);
  }

  /** The element of its page that an edge is. */
  public int element(int index) {
    return elements[index];
  }

  /** The edges of a set of positions. */
  public EdgeBatch keep(BitSet positions) {
    if (positions.cardinality() == size()) {
      return this;
    }
    int[] kept = positions.stream().toArray();
    EdgeKey[] keptKeys = new EdgeKey[kept.length];
    boolean[] keptFrom = new boolean[kept.length];
    long[] keptBulks = new long[kept.length];
    ElementPage[] keptPages = pages == null ? null : new ElementPage[kept.length];
    int[] keptElements = new int[pages == null ? 0 : kept.length];
    for (int i = 0; i < kept.length; i++) {
      keptKeys[i] = keys.get(kept[i]);
      keptFrom[i] = fromSource[kept[i]];
      keptBulks[i] = bulks[kept[i]];
      if (keptPages != null && pages != null) {
        keptPages[i] = pages[kept[i]];
        keptElements[i] = elements[kept[i]];
      }
    }
    return new EdgeBatch(List.of(keptKeys), keptFrom, keptBulks, keptPages, keptElements);
  }

  /** The same edges, each once. */
  public EdgeBatch once() {
    long[] ones = new long[size()];
    Arrays.fill(ones, 1);
    return new EdgeBatch(keys, fromSource, ones, pages, elements);
  }
}
