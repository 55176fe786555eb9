package io.graphmeta.adjacency;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the edges of one vertex in one direction, of one label or all, from the rows of the store,
 * and finds out for which other views they are the same. Belongs to one thread.
 *
 * <p>Of each edge only the bodies from the latest to the one that counts are looked at: what is
 * older matters to no view that sees that one. A body that the view sees and that counts keeps the
 * unit from views that do not see it; one that the view does not see keeps it from views that do.
 */
final class UnitLoader implements AutoCloseable {
  private static final int STEPS_BEFORE_SEEK = 6;
  private static final int SLOT_BYTES = ElementLayout.EDGE.slotBytes();
  private static final int ELEMENT_BYTES = ElementLayout.EDGE.elementBytes();
  private static final int FIRST_ROOM = 256;

  private final StorageEngine storage;
  private final SplitTable splits;
  private final Family family;
  private final boolean outgoing;
  private final int maxOthers;
  private final byte[] slot = new byte[SLOT_BYTES];
  private final byte[] target = new byte[RowKeys.MAX_ROW_KEY_BYTES + 1];
  private @Nullable RowCursor opened;

  // What is being read
  private long vertex;
  private int label;
  private long snapshot;
  private long validAt;
  private long knownAt;
  private boolean positioned;
  private @Nullable LongPredicate here;

  // What was read of it
  private long[] others = new long[FIRST_ROOM];
  private int count;
  private long[] segments = new long[4];
  private int segmentCount;
  private final ViewRange range = new ViewRange();

  private int rowsRead;
  private long bytesRead;

  UnitLoader(StorageEngine storage, SplitTable splits, boolean outgoing, int maxOthers) {
    this.storage = storage;
    this.splits = splits;
    this.outgoing = outgoing;
    this.family = outgoing ? Family.OUT : Family.IN;
    this.maxOthers = maxOthers;
  }

  /** Reads what is written now, until it is closed. */
  void open() {
    if (opened == null) {
      opened = storage.cursor(family, Scope.VERTEX);
    }
  }

  private RowCursor cursor() {
    RowCursor cursor = opened;
    if (cursor == null) {
      throw GraphMetaException.internal("Units were loaded without a cursor");
    }
    return cursor;
  }

  /** Begins with a unit; label 0 for all labels. */
  void start(long ofVertex, int ofLabel, ReadView view) {
    vertex = ofVertex;
    label = ofLabel;
    here = splits.entriesHere(vertex, outgoing, view.snapshot());
    snapshot = view.snapshot();
    validAt = view.validAt();
    knownAt = view.knownAt();
    range.clear();
    BigEndian.putLong(target, 0, vertex);
    BigEndian.putShort(target, 8, label);
    positioned = cursor().seek(target, label == 0 ? 8 : 10);
  }

  /**
   * Reads the neighbours of the unit, or the next part of them.
   *
   * @return true if there are no more
   */
  boolean fill() {
    count = 0;
    segmentCount = 0;
    RowCursor cursor = cursor();
    int currentLabel = 0;
    while (positioned && BigEndian.getLong(cursor.key(), 0) == vertex) {
      int rowLabel = BigEndian.getShort(cursor.key(), 8);
      if (label != 0 && rowLabel != label) {
        break;
      }
      if (count == maxOthers) {
        endSegment(currentLabel);
        splits.requireKept(vertex, outgoing, snapshot);
        return false;
      }
      if (rowLabel != currentLabel) {
        endSegment(currentLabel);
        currentLabel = rowLabel;
      }
      readElement(cursor);
    }
    endSegment(currentLabel);
    splits.requireKept(vertex, outgoing, snapshot);
    return true;
  }

  private void endSegment(int ofLabel) {
    int begin = segmentCount == 0 ? 0 : Unit.endOf(segments[segmentCount - 1]);
    if (count > begin) {
      if (segmentCount == segments.length) {
        segments = Arrays.copyOf(segments, 2 * segmentCount);
      }
      segments[segmentCount++] = (long) ofLabel << 32 | count;
    }
  }

  private void readElement(RowCursor cursor) {
    if (!ElementLayout.EDGE.isKeyLength(cursor.keyLength())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row key of " + cursor.keyLength() + " bytes is not of the EDGE layout");
    }
    System.arraycopy(cursor.key(), 0, slot, 0, SLOT_BYTES);
    if (isHere() && ElementLayout.EDGE.propertyKeyId(slot) == RowKeys.BODY && readBody(cursor)) {
      if (count == others.length) {
        others = Arrays.copyOf(others, (int) Math.min(maxOthers, 2L * count));
      }
      others[count++] = BigEndian.getLong(slot, 10);
    }
    skipElement(cursor);
  }

  private boolean isHere() {
    LongPredicate test = here;
    return test == null || test.test(BigEndian.getLong(slot, 10));
  }

  /** Whether the edge exists for the view. */
  private boolean readBody(RowCursor cursor) {
    boolean found = false;
    boolean exists = false;
    long foundValid = 0;
    long foundCommitted = 0;
    do {
      byte[] key = cursor.key();
      long valid = ElementLayout.EDGE.valid(key);
      long committed = ElementLayout.EDGE.committed(key, cursor.keyLength());
      if (found && (valid < foundValid || committed < foundCommitted)) {
        break;
      }
      if (valid > validAt || committed > knownAt) {
        range.unseen(valid, committed, validAt);
      } else {
        found = true;
        foundValid = valid;
        foundCommitted = committed;
        exists = !RowValues.isTombstone(cursor.value(), 0);
      }
      step(cursor);
    } while (at(cursor, SLOT_BYTES));
    if (found) {
      range.seen(foundValid, foundCommitted);
    }
    return exists;
  }

  private void skipElement(RowCursor cursor) {
    for (int steps = 0; at(cursor, ELEMENT_BYTES); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        System.arraycopy(slot, 0, target, 0, ELEMENT_BYTES);
        Arrays.fill(target, ELEMENT_BYTES, target.length, (byte) 0xff);
        positioned = cursor.seek(target, target.length);
        return;
      }
      step(cursor);
    }
  }

  private void step(RowCursor cursor) {
    if ((++rowsRead & 0xff) == 0 && Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
    bytesRead += cursor.keyLength();
    positioned = cursor.next();
  }

  private boolean at(RowCursor cursor, int sharedBytes) {
    return positioned && Arrays.equals(cursor.key(), 0, sharedBytes, slot, 0, sharedBytes);
  }

  /** The unit that was read, if one {@link #fill} read it whole. */
  long[] unit() {
    int begin = Unit.HEADER + segmentCount;
    long[] unit = new long[begin + count];
    unit[Unit.KEY] = vertex;
    unit[Unit.TAG] = (long) segmentCount << 32 | Unit.tag(label, outgoing);
    range.copyTo(unit);
    for (int i = 0; i < segmentCount; i++) {
      unit[Unit.HEADER + i] = segments[i] + begin;
    }
    System.arraycopy(others, 0, unit, begin, count);
    return unit;
  }

  /** Visits what the last {@link #fill} read; false if told to end. */
  boolean visit(int index, NeighbourVisitor visitor) {
    int begin = 0;
    for (int i = 0; i < segmentCount; i++) {
      int end = Unit.endOf(segments[i]);
      if (!visitor.neighbours(index, Unit.labelOf(segments[i]), others, begin, end)) {
        return false;
      }
      begin = end;
    }
    return true;
  }

  /** Neighbours that the last {@link #fill} read. */
  int count() {
    return count;
  }

  /** Bytes of keys read so far. */
  long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {
    RowCursor cursor = opened;
    if (cursor != null) {
      opened = null;
      cursor.close();
    }
  }
}
