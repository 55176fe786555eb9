package io.graphmeta.adjacency;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;

/**
 * Reads the edges of one vertex in one direction, of one label or all, from the rows of the store.
 * Belongs to one thread.
 *
 * <p>Of each edge only the body that counts is looked at, and of its value only the first byte.
 */
final class UnitLoader implements AutoCloseable {
  private static final int STEPS_BEFORE_SEEK = 6;
  private static final int MAX_CHUNK = 1 << 16;
  private static final int SLOT_BYTES = ElementLayout.EDGE.slotBytes();
  private static final int ELEMENT_BYTES = ElementLayout.EDGE.elementBytes();

  private final RowCursor cursor;
  private final byte[] slot = new byte[SLOT_BYTES];
  private final byte[] target = new byte[RowKeys.MAX_ROW_KEY_BYTES + 1];
  private long[] others = new long[256];
  private boolean positioned;
  private long rowsRead;
  private long bytesRead;
  private long edgesRead;

  UnitLoader(StorageEngine storage, boolean outgoing) {
    this.cursor = storage.cursor(outgoing ? Family.OUT : Family.IN, Scope.VERTEX);
  }

  /** Reads the neighbours of a vertex by edges of a label, 0 for all; false if told to stop. */
  boolean read(long vertex, int label, ReadView view, int index, NeighbourVisitor visitor) {
    BigEndian.putLong(target, 0, vertex);
    BigEndian.putShort(target, 8, label);
    int prefix = label == 0 ? 8 : 10;
    positioned = cursor.seek(target, prefix);
    int count = 0;
    int countLabel = 0;
    while (positioned && BigEndian.getLong(cursor.key(), 0) == vertex) {
      int rowLabel = BigEndian.getShort(cursor.key(), 8);
      if (label != 0 && rowLabel != label) {
        break;
      }
      if (count > 0 && (rowLabel != countLabel || count == MAX_CHUNK)) {
        if (!visitor.neighbours(index, countLabel, others, 0, count)) {
          return false;
        }
        count = 0;
      }
      countLabel = rowLabel;
      long other = BigEndian.getLong(cursor.key(), 10);
      if (readElement(view)) {
        if (count == others.length) {
          others = Arrays.copyOf(others, count * 2);
        }
        others[count++] = other;
        edgesRead++;
      }
    }
    return count == 0 || visitor.neighbours(index, countLabel, others, 0, count);
  }

  private boolean readElement(ReadView view) {
    byte[] key = cursor.key();
    if (!ElementLayout.EDGE.isKeyLength(cursor.keyLength())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row key of " + cursor.keyLength() + " bytes is not of the EDGE layout");
    }
    System.arraycopy(key, 0, slot, 0, SLOT_BYTES);
    boolean found = false;
    boolean exists = false;
    long foundValid = 0;
    long foundCommitted = 0;
    while (ElementLayout.EDGE.propertyKeyId(slot) == RowKeys.BODY && at(SLOT_BYTES)) {
      long valid = ElementLayout.EDGE.valid(cursor.key());
      long committed = ElementLayout.EDGE.committed(cursor.key(), cursor.keyLength());
      if (found && valid < foundValid) {
        break;
      }
      if (view.sees(valid, committed) && (!found || committed > foundCommitted)) {
        found = true;
        foundValid = valid;
        foundCommitted = committed;
        exists = !RowValues.isTombstone(cursor.value(), 0);
      }
      step();
    }
    skipElement();
    return exists;
  }

  private void skipElement() {
    for (int steps = 0; at(ELEMENT_BYTES); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        System.arraycopy(slot, 0, target, 0, ELEMENT_BYTES);
        Arrays.fill(target, ELEMENT_BYTES, target.length, (byte) 0xff);
        positioned = cursor.seek(target, target.length);
        return;
      }
      step();
    }
  }

  private void step() {
    if ((++rowsRead & 0xff) == 0 && Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
    bytesRead += cursor.keyLength();
    positioned = cursor.next();
  }

  private boolean at(int sharedBytes) {
    return positioned && Arrays.equals(cursor.key(), 0, sharedBytes, slot, 0, sharedBytes);
  }

  long edgesRead() {
    return edgesRead;
  }

  long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {
    cursor.close();
  }
}
