package io.graphmeta.stage.flow;

import static java.util.Objects.requireNonNull;

import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.RowReads;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Edges at one operation, with the number of ways to each, from which end each was reached, and its
 * rows if they were read. The list and arrays are shared, not copied; nobody changes them.
 *
 * @param keys of the edges
 * @param fromSource whether an edge was reached from its source
 * @param bulks ways to each edge
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

  /** Edges with one way to each, without their rows. */
  public static EdgeBatch of(List<EdgeKey> keys, boolean[] fromSource) {
    long[] ones = new long[keys.size()];
    Arrays.fill(ones, 1);
    return new EdgeBatch(keys, fromSource, ones, null, NO_ELEMENTS);
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

  /**
   * The edges with their rows, read at their source, which is here: in the order of the rows, so
   * that each block is read once, one after the other.
   */
  public EdgeBatch withRows(RowReads rows, ReadView view) {
    ElementPage[] read = new ElementPage[size()];
    int[] at = new int[size()];
    Integer[] order = new Integer[size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(keys::get, EdgeBatch::compareRows));
    List<EdgeKey> ordered = Arrays.stream(order).map(keys::get).toList();
    Request.Position from = Request.Position.START;
    while (from != null) {
      ElementPage page =
          rows.readEdges(new Request.ReadEdges(ordered, view, Detail.PROPERTIES, from.index()));
      for (int e = 0; e < page.elements(); e++) {
        int position = order[page.source(e)];
        read[position] = page;
        at[position] = e;
      }
      from = page.next();
    }
    return new EdgeBatch(keys, fromSource, bulks, read, at);
  }

  private static int compareRows(EdgeKey a, EdgeKey b) {
    int order = Long.compareUnsigned(a.out(), b.out());
    if (order == 0) {
      order = Integer.compare(a.labelId(), b.labelId());
    }
    if (order == 0) {
      order = Long.compareUnsigned(a.in(), b.in());
    }
    return order == 0 ? Long.compare(a.sequence(), b.sequence()) : order;
  }

  public int size() {
    return keys.size();
  }

  public EdgeKey key(int index) {
    return keys.get(index);
  }

  public boolean hasRows(int index) {
    return pages != null && pages[index] != null;
  }

  public ElementPage page(int index) {
    return requireNonNull(requireNonNull(pages)[index]);
  }

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
