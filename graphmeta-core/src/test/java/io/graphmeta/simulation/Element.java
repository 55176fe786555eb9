package io.graphmeta.simulation;

import io.graphmeta.model.EdgeKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A vertex or an edge that some transaction added, be it committed or not, with all its facts. */
final class Element {
  final Object key;
  final @Nullable String id;
  final String label;
  final List<Fact> facts = new ArrayList<>();

  Element(Object key, @Nullable String id, String label) {
    this.key = key;
    this.id = id;
    this.label = label;
  }

  boolean isVertex() {
    return key instanceof Long;
  }

  long vertexKey() {
    return (Long) key;
  }

  EdgeKey edgeKey() {
    return (EdgeKey) key;
  }

  /** The name of any element with this key. */
  static String name(Object key) {
    return key instanceof EdgeKey edge
        ? "e:"
            + Long.toHexString(edge.out())
            + "-"
            + Long.toHexString(edge.in())
            + "#"
            + edge.sequence()
        : "v:" + Long.toHexString((Long) key);
  }

  @Override
  public String toString() {
    return name(key) + (id == null ? "" : "(" + id + ")");
  }

  /**
   * One version of one slot that a transaction wrote.
   *
   * @param position of it among the facts of its writer
   * @param slot a property, or {@link #BODY} for the existence of the element
   * @param valid when it became true; {@link io.graphmeta.time.Stamp#AT_COMMIT} for when it was
   *     committed
   * @param value a value that no other fact has; null for an end or a removal
   */
  record Fact(
      int position, Element element, String slot, long valid, @Nullable Object value, Txn writer) {
    static final String BODY = "";

    @Override
    public String toString() {
      return element + "." + slot + "=" + value + (valid == 0 ? "" : " valid " + valid);
    }
  }
}
