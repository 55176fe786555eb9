package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ChangeRows;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;

/**
 * A position in the list of changes as it was when this was opened. Rows that were deleted and are
 * not compacted yet lie below the stamps that are sought, and cost nobody a step. Belongs to one
 * thread.
 */
final class ChangeCursor implements AutoCloseable {
  /** What a row names. */
  enum Named {
    VERTEX,
    EDGE,
    /** All edges with one label that leave a vertex and belong here. */
    ENTRIES
  }

  private final RowCursor cursor;

  ChangeCursor(StorageEngine storage) {
    cursor = storage.cursor(Family.CHANGED, Scope.FAMILY);
  }

  /** Moves to the first row above a stamp; false if there is none. */
  boolean seekAbove(long stamp) {
    byte[] first = new byte[8];
    BigEndian.putLong(first, 0, stamp + 1);
    return checked(cursor.seek(first, first.length));
  }

  boolean next() {
    return checked(cursor.next());
  }

  private boolean checked(boolean positioned) {
    if (positioned) {
      cursor.value();
      ChangeRows.requireRow(cursor.keyLength(), cursor.valueLength());
    }
    return positioned;
  }

  /** A copy of the key. */
  byte[] key() {
    return Arrays.copyOf(cursor.key(), cursor.keyLength());
  }

  long stamp() {
    return ChangeRows.stamp(cursor.key());
  }

  Named names() {
    return switch (cursor.keyLength()) {
      case ChangeRows.VERTEX_ROW_BYTES -> Named.VERTEX;
      case ChangeRows.EDGE_ROW_BYTES -> Named.EDGE;
      default -> Named.ENTRIES;
    };
  }

  /** The vertex; that which the edges leave. */
  long vertex() {
    return ChangeRows.vertex(cursor.key());
  }

  /** The label of the edge, or of the edges. */
  int edgeLabelId() {
    return ChangeRows.edgeLabelId(cursor.key());
  }

  /** A copy of the key of the element, or of what the keys of the edges begin with. */
  byte[] element() {
    return Arrays.copyOfRange(cursor.key(), ChangeRows.ELEMENT_AT, cursor.keyLength());
  }

  long leastValid() {
    return ChangeRows.leastValid(cursor.key(), cursor.value(), cursor.valueLength());
  }

  @Override
  public void close() {
    cursor.close();
  }
}
