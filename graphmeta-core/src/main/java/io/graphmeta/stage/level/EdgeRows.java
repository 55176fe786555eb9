package io.graphmeta.stage.level;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.flow.EdgeBatch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Reads the rows of edges at their sources. */
final class EdgeRows {
  private EdgeRows() {}

  /**
   * The edges of a batch with their rows, which are here. They are read in the order of the rows,
   * so that each block of the store is read once, one after the other.
   */
  static EdgeBatch read(EdgeBatch batch, PageReader rows, ReadView view) {
    ElementPage[] pages = new ElementPage[batch.size()];
    int[] elements = new int[batch.size()];
    Integer[] order = new Integer[batch.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparing(batch::key, EdgeRows::compareRows));
    List<EdgeKey> ordered = Arrays.stream(order).map(batch::key).toList();
    Request.Position from = Request.Position.START;
    while (from != null) {
      ElementPage page =
          rows.readEdges(new Request.ReadEdges(ordered, view, Detail.PROPERTIES, from.index()));
      for (int e = 0; e < page.elements(); e++) {
        int index = order[page.source(e)];
        pages[index] = page;
        elements[index] = e;
      }
      from = page.next();
    }
    return new EdgeBatch(batch.keys(), batch.fromSource(), batch.bulks(), pages, elements);
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
}
