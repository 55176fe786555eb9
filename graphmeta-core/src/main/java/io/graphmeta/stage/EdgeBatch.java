package io.graphmeta.stage;

import static java.util.Objects.requireNonNull;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.ElementPage;
import java.util.Arrays;
import java.util.BitSet;
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
record EdgeBatch(
    List<EdgeKey> keys,
    boolean[] fromSource,
    long[] bulks,
    @Nullable ElementPage @Nullable [] pages,
    int[] elements) {
  int size() {
    return keys.size();
  }

  EdgeKey key(int index) {
    return keys.get(index);
  }

  boolean hasRows(int index) {
    return pages != null && pages[index] != null;
  }

  ElementPage page(int index) {
    return requireNonNull(requireNonNull(pages)[index]);
  }

  int element(int index) {
    return elements[index];
  }

  /** The edges of a set of positions. */
  EdgeBatch keep(BitSet positions) {
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
  EdgeBatch once() {
    long[] ones = new long[size()];
    Arrays.fill(ones, 1);
    return new EdgeBatch(keys, fromSource, ones, pages, elements);
  }
}
