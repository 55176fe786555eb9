package io.graphmeta.gtravel;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * One way from an entry of a traversal to one of its results. Between two vertices stands the edge
 * that was followed, whichever way it points.
 *
 * @param elements {@link VertexRecord} and {@link EdgeRecord} in turn, with their properties
 */
public record FullPath(List<Object> elements) {
  /** Copies the list. */
  public FullPath {
    elements = List.copyOf(elements);
  }

  /** The vertices on the way, in order. */
  public List<VertexRecord> vertices() {
    return only(VertexRecord.class);
  }

  /** The edges on the way, in order. */
  public List<EdgeRecord> edges() {
    return only(EdgeRecord.class);
  }

  private <T> List<T> only(Class<T> kind) {
    List<T> found = new ArrayList<>();
    for (Object element : elements) {
      if (kind.isInstance(element)) {
        found.add(kind.cast(element));
      }
    }
    return found;
  }
}
