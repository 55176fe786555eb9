package io.graphmeta.rows;

import io.graphmeta.adjacency.ViewRange;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.util.Arrays;

/**
 * Walks the rows of a family element by element and resolves what a view sees of each.
 *
 * <p>Invariant: between calls the cursor is either at the end or at the first row of an element
 * that was not read yet. Versions that a view passes over cost a step each for the first few, then
 * one seek for all the others, so that a long history costs the present nothing. Belongs to one
 * thread.
 */
final class ElementReader implements AutoCloseable {
  private static final int STEPS_BEFORE_SEEK = 6;

  private final RowCursor cursor;
  private final ElementLayout layout;
  private final byte[] slot = new byte[RowKeys.MAX_ROW_KEY_BYTES];
  private final byte[] target = new byte[RowKeys.MAX_ROW_KEY_BYTES + 1];
  private final ViewRange range = new ViewRange();
  private boolean positioned;
  private long rowsRead;

  ElementReader(StorageEngine storage, Family family, StorageEngine.Scope scope) {
    this.cursor = storage.cursor(family, scope);
    this.layout = family == Family.ATTRIBUTES ? ElementLayout.VERTEX : ElementLayout.EDGE;
  }

  /** Moves to the first element at or behind a key; false if there is none in the scope. */
  boolean seek(byte[] key, int length) {
    positioned = cursor.seek(key, length);
    return positioned;
  }

  /** The views for which all is the same that was read since it was cleared, histories apart. */
  ViewRange range() {
    return range;
  }

  /** True if there is an element to read. */
  boolean hasElement() {
    return positioned;
  }

  /** The key of the first row of the element; overwritten by the next move. */
  byte[] key() {
    return cursor.key();
  }

  /** A copy of the part of the key that is the element's. */
  byte[] elementKey() {
    return Arrays.copyOf(cursor.key(), layout.elementBytes());
  }

  /**
   * Reads the element at the cursor into the page, if the view sees it, and moves to the next.
   *
   * @return whether an element was added
   */
  boolean read(ReadView view, Detail detail, int source, ElementPage.Builder page) {
    requireNotInterrupted();
    byte[] key = cursor.key();
    if (!layout.isKeyLength(cursor.keyLength())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row key of " + cursor.keyLength() + " bytes is not of the " + layout + " layout");
    }
    System.arraycopy(key, 0, slot, 0, layout.slotBytes());
    if (layout == ElementLayout.VERTEX) {
      page.beginVertex(source, BigEndian.getLong(key, 0));
    } else {
      page.beginEdge(
          source,
          BigEndian.getLong(key, 0),
          BigEndian.getShort(key, 8),
          BigEndian.getLong(key, 10),
          BigEndian.getFive(key, 18));
    }
    boolean seen;
    if (detail == Detail.HISTORY) {
      seen = readHistory(view, layout.elementBytes(), page);
    } else if (detail == Detail.BODIES) {
      seen =
          layout.propertyKeyId(slot) == RowKeys.BODY && readHistory(view, layout.slotBytes(), page);
      skip(layout.elementBytes());
    } else {
      seen = layout.propertyKeyId(slot) == RowKeys.BODY && readBody(view, detail, page);
      if (seen && detail == Detail.PROPERTIES) {
        readProperties(view, page);
      }
      skip(layout.elementBytes());
    }
    if (!seen) {
      page.dropElement();
    }
    return seen;
  }

  /**
   * Reads the element at the cursor into the page, if one of the views knows of it: the versions
   * that one of them sees, and all older ones of its body. Moves to the next.
   */
  void readDuring(ViewSpan views, ElementPage.Builder page) {
    requireNotInterrupted();
    System.arraycopy(cursor.key(), 0, slot, 0, layout.slotBytes());
    page.beginVertex(0, BigEndian.getLong(slot, 0));
    boolean known = layout.propertyKeyId(slot) == RowKeys.BODY;
    if (known) {
      known = readVersions(new ViewSpan(Long.MIN_VALUE, views.last()), page);
      skip(layout.slotBytes());
    }
    while (known && at(layout.elementBytes())) {
      System.arraycopy(cursor.key(), 0, slot, 0, layout.slotBytes());
      readVersions(views, page);
      skip(layout.slotBytes());
    }
    skip(layout.elementBytes());
    if (!known) {
      page.dropElement();
    }
  }

  /** Adds the versions of a slot that one of the views sees, and says whether there are any. */
  private boolean readVersions(ViewSpan views, ElementPage.Builder page) {
    long validAt = views.last().validAt();
    long firstValid = Long.MIN_VALUE;
    boolean any = false;
    int passed = 0;
    while (at(layout.slotBytes())) {
      byte[] key = cursor.key();
      long valid = layout.valid(key);
      long committed = layout.committed(key, cursor.keyLength());
      if (valid < firstValid) {
        break; // the first of the views sees what was read
      }
      if (valid > validAt && ++passed > STEPS_BEFORE_SEEK) {
        passed = Integer.MIN_VALUE;
        seekValid(validAt);
        continue;
      }
      if (views.last().sees(valid, committed)) {
        page.addRow(
            layout.propertyKeyId(slot),
            layout.valueId(slot),
            valid,
            committed,
            cursor.value(),
            cursor.valueLength());
        any = true;
        firstValid = valid <= views.validFrom() ? valid : firstValid;
      }
      step();
    }
    return any;
  }

  /** Moves to the next element without reading this one. */
  void pass() {
    requireNotInterrupted();
    System.arraycopy(cursor.key(), 0, slot, 0, layout.elementBytes());
    skip(layout.elementBytes());
  }

  private void requireNotInterrupted() {
    if ((++rowsRead & 0xff) == 0 && Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
  }

  /** Adds the visible bodies, latest first, and says whether the element exists. */
  private boolean readBody(ReadView view, Detail detail, ElementPage.Builder page) {
    boolean found = false;
    boolean exists = false;
    long foundValid = 0;
    long foundCommitted = 0;
    int passed = 0;
    while (at(layout.slotBytes())) {
      byte[] key = cursor.key();
      long valid = layout.valid(key);
      long committed = layout.committed(key, cursor.keyLength());
      if (!view.sees(valid, committed)) {
        range.unseen(valid, committed, view.validAt());
        if (valid > view.validAt() && ++passed > STEPS_BEFORE_SEEK) {
          passed = Integer.MIN_VALUE;
          range.passedOver(view);
          seekValid(view.validAt());
        } else {
          step();
        }
        continue;
      }
      range.seen(valid, committed);
      byte[] value = cursor.value();
      boolean tombstone = RowValues.isTombstone(value, 0);
      boolean sameMoment = found && valid == foundValid;
      if (found && !exists && !sameMoment) {
        break; // what was there before a deletion does not count any more
      }
      if (!found || !sameMoment || committed > foundCommitted) {
        if (sameMoment && exists) {
          page.dropRow();
        }
        if (!tombstone) {
          int length =
              detail == Detail.KEYS
                  ? RowValues.bodyHeaderLength(value, cursor.valueLength())
                  : cursor.valueLength();
          page.addRow(RowKeys.BODY, 0, valid, committed, value, length);
        }
        exists = found && !sameMoment ? exists : !tombstone;
        found = true;
        foundValid = valid;
        foundCommitted = committed;
      }
      step();
    }
    return exists;
  }

  /**
   * Adds the version that counts of every property slot, tombstones too. The cursor is behind the
   * bodies.
   */
  private void readProperties(ReadView view, ElementPage.Builder page) {
    while (true) {
      skipBodies();
      if (!at(layout.elementBytes())) {
        return;
      }
      System.arraycopy(cursor.key(), 0, slot, 0, layout.slotBytes());
      readSlot(view, page);
      skip(layout.slotBytes());
    }
  }

  private void skipBodies() {
    if (at(layout.elementBytes()) && layout.propertyKeyId(cursor.key()) == RowKeys.BODY) {
      skip(layout.slotBytes());
    }
  }

  private void readSlot(ReadView view, ElementPage.Builder page) {
    int propertyKey = layout.propertyKeyId(slot);
    long valueId = layout.valueId(slot);
    boolean found = false;
    long foundValid = 0;
    long foundCommitted = 0;
    int passed = 0;
    while (at(layout.slotBytes())) {
      byte[] key = cursor.key();
      long valid = layout.valid(key);
      long committed = layout.committed(key, cursor.keyLength());
      if (found && valid < foundValid) {
        return;
      }
      if (!view.sees(valid, committed)) {
        range.unseen(valid, committed, view.validAt());
        if (valid > view.validAt() && ++passed > STEPS_BEFORE_SEEK) {
          passed = Integer.MIN_VALUE;
          range.passedOver(view);
          seekValid(view.validAt());
        } else {
          step();
        }
        continue;
      }
      range.seen(valid, committed);
      if (!found || committed > foundCommitted) {
        if (found) {
          page.dropRow();
        }
        page.addRow(propertyKey, valueId, valid, committed, cursor.value(), cursor.valueLength());
        found = true;
        foundValid = valid;
        foundCommitted = committed;
      }
      step();
    }
  }

  private boolean readHistory(ReadView view, int sharedBytes, ElementPage.Builder page) {
    boolean any = false;
    while (at(sharedBytes)) {
      byte[] key = cursor.key();
      long committed = layout.committed(key, cursor.keyLength());
      if (committed <= view.knownAt()) {
        byte[] value = cursor.value();
        page.addRow(
            layout.propertyKeyId(key),
            layout.valueId(key),
            layout.valid(key),
            committed,
            value,
            cursor.valueLength());
        any = true;
      }
      step();
    }
    return any;
  }

  /** Moves behind the rows that share the first bytes of the slot. */
  private void skip(int sharedBytes) {
    for (int steps = 0; at(sharedBytes); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        System.arraycopy(slot, 0, target, 0, sharedBytes);
        Arrays.fill(target, sharedBytes, target.length, (byte) 0xff);
        positioned = cursor.seek(target, target.length);
        return;
      }
      step();
    }
  }

  private void seekValid(long validAt) {
    System.arraycopy(slot, 0, target, 0, layout.slotBytes());
    BigEndian.putLong(target, layout.slotBytes(), ~validAt);
    positioned = cursor.seek(target, layout.slotBytes() + 8);
  }

  private void step() {
    positioned = cursor.next();
  }

  private boolean at(int sharedBytes) {
    return positioned && Arrays.equals(cursor.key(), 0, sharedBytes, slot, 0, sharedBytes);
  }

  @Override
  public void close() {
    cursor.close();
  }
}
