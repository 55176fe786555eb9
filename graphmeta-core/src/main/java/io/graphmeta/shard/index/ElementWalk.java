package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the elements with a label in a store, by rising keys. Edges are those that belong on
 * this shard for readers of one snapshot. The edges with a label do not lie together, so a step
 * comes to an edge, or to a place to go on from. Belongs to one thread.
 */
final class ElementWalk implements AutoCloseable {
  private static final int EDGE_LABEL_AT = 8;

  private final RowCursor cursor;
  private final SplitTable splits;
  private final long snapshot;
  private final ElementLabel label;
  private final byte[] first;
  private boolean atElement;

  /** The vertex whose edges are walked over. */
  private long owner;

  private boolean hasOwner;
  private @Nullable LongPredicate here;

  /** A walk over all elements with a label. */
  ElementWalk(StorageEngine storage, SplitTable splits, long snapshot, ElementLabel label) {
    this(storage, splits, snapshot, label, Scope.FAMILY);
  }

  private ElementWalk(
      StorageEngine storage, SplitTable splits, long snapshot, ElementLabel label, Scope scope) {
    boolean ofEdges = label.element() == ElementKind.EDGE;
    cursor = storage.cursor(ofEdges ? Family.OUT : Family.ATTRIBUTES, scope);
    this.splits = splits;
    this.snapshot = snapshot;
    this.label = label;
    first = ofEdges ? new byte[0] : key(VertexKeys.firstOfLabel(label.id()));
  }

  /**
   * Visits the edges with one label that leave one vertex, until a visitor has seen enough.
   *
   * @param entries what their keys {@linkplain #entries begin with}
   */
  static void visitEntries(
      StorageEngine storage,
      SplitTable splits,
      long snapshot,
      byte[] entries,
      Predicate<byte[]> visitor) {
    ElementLabel label = ElementLabel.ofEdges(BigEndian.getShort(entries, EDGE_LABEL_AT));
    try (ElementWalk walk = new ElementWalk(storage, splits, snapshot, label, Scope.VERTEX)) {
      byte[] target = entries;
      while (target != null && startsWith(target, entries)) {
        byte[] place = walk.step(target);
        if (place != null && walk.isAtElement()) {
          if (!visitor.test(place)) {
            return;
          }
          place = after(place);
        }
        target = place;
      }
    }
  }

  /**
   * Moves to the first element at or behind a key, or to a place on the way to it.
   *
   * @param from a key, or what one begins with
   * @return the key of the element, or the place to go on from; null if there are no more
   */
  byte @Nullable [] step(byte[] from) {
    byte[] target = Arrays.compareUnsigned(from, first) < 0 ? first : from;
    atElement = false;
    if (!cursor.seek(target, target.length)) {
      return null;
    }
    return label.element() == ElementKind.EDGE ? atEdge(cursor.key()) : atVertex(cursor.key());
  }

  private static boolean startsWith(byte[] key, byte[] beginning) {
    return key.length >= beginning.length
        && Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length);
  }

  private byte @Nullable [] atVertex(byte[] key) {
    if (VertexKeys.labelId(BigEndian.getLong(key, 0)) != label.id()) {
      return null;
    }
    atElement = true;
    return Arrays.copyOf(key, Long.BYTES);
  }

  private byte @Nullable [] atEdge(byte[] key) {
    long vertex = BigEndian.getLong(key, 0);
    int labelId = BigEndian.getShort(key, EDGE_LABEL_AT);
    if (labelId < label.id()) {
      return entries(vertex, label.id());
    }
    if (labelId > label.id()) {
      return after(key(vertex));
    }
    byte[] edge = Arrays.copyOf(key, RowKeys.EDGE_KEY_BYTES);
    if (!hasOwner || vertex != owner) {
      here = splits.entriesHere(vertex, true, snapshot);
      owner = vertex;
      hasOwner = true;
    }
    atElement = here == null || here.test(BigEndian.getLong(key, RowKeys.OTHER_AT));
    return atElement ? edge : after(edge);
  }

  /** Whether the last step came to an element. */
  boolean isAtElement() {
    return atElement;
  }

  /** What the keys of the edges with a label that leave a vertex begin with. */
  static byte[] entries(long vertex, int labelId) {
    byte[] entries = Arrays.copyOf(key(vertex), EDGE_LABEL_AT + Short.BYTES);
    BigEndian.putShort(entries, EDGE_LABEL_AT, labelId);
    return entries;
  }

  /** The key of a vertex. */
  static byte[] key(long vertex) {
    byte[] key = new byte[Long.BYTES];
    BigEndian.putLong(key, 0, vertex);
    return key;
  }

  /** The least key behind all that begin with one; null if there is none. */
  static byte @Nullable [] after(byte[] key) {
    byte[] after = key.clone();
    for (int at = after.length - 1; at >= 0; at--) {
      if (++after[at] != 0) {
        return after;
      }
    }
    return null;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
