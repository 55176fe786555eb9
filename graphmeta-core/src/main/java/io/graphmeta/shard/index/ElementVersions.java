package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.TypedIds;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexedVersion;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * What the rows of an element say of a slot
 *
 * A slot has statements, each with two stamps: its own rows, and, for the single value of a key,
 * which edges have only, each body that has a value for the key. A body that is a tombstone is a
 * statement about every slot. Of a body and a row with the same stamps the row counts, but of a
 * tombstone and a row the tombstone: it ends the element, whatever its transaction wrote of it
 * before. In the order of (valid, committed) each statement but the last has a next one, and that is
 * what ends it: at a view that sees both, the first does not count. Where there are more that hide
 * it from other views, that is left to those who confirm.
 *
 * An element that has ended does not begin again, but its end can be told of later than changes
 * behind it. What is said of a slot at or behind the end is not true at any view that sees the end,
 * so that the end ends it, too, where no next statement does.
 *
 * Rows come with the latest valid stamp first, so a slot is read from its end: the statement read
 * before ends the one that is read. Of statements with one valid stamp the live one comes first and
 * then the backfilled ones, latest committed first; so each group of them is put in order by itself.
 *
 * A change at a valid stamp V can add statements at and above V, and give another end to those of
 * the greatest valid stamp below V. So reading ends there, however long the history is. What is
 * committed above the stamp of this reader is passed over: it may still be undone, and would then
 * have ended what never ended.
 */

/** Reads the indexed versions of vertices, or of edges, up to a stamp. Belongs to one thread. */
final class ElementVersions implements AutoCloseable {
  private static final int STEPS_BEFORE_SEEK = 6;
  private static final Comparator<Statement> LATEST_FIRST =
      Comparator.comparingLong(Statement::committed)
          .thenComparing(Statement::endsElement)
          .thenComparing(Statement::ofRow)
          .reversed();

  private final RowCursor cursor;
  private final ElementLayout layout;
  private final long stamp;
  private final Consumer<IndexedVersion> into;
  private final byte[] slot;
  private final List<Body> bodies = new ArrayList<>();
  private final List<Statement> group = new ArrayList<>();
  private boolean positioned;

  private byte[] element = {};
  private long leastValid;

  /** The end of the element, behind which nothing said of it is true; null if it has none. */
  private @Nullable Statement end;

  /**
   * A reader of the rows that are in the store now.
   *
   * @param kind of the elements
   * @param stamp a resolved stamp; what is committed above it is not read
   * @param into receives the versions
   */
  ElementVersions(
      StorageEngine storage, ElementKind kind, long stamp, Consumer<IndexedVersion> into) {
    boolean ofVertices = kind == ElementKind.VERTEX;
    this.cursor = storage.cursor(ofVertices ? Family.ATTRIBUTES : Family.OUT, Scope.VERTEX);
    this.layout = ofVertices ? ElementLayout.VERTEX : ElementLayout.EDGE;
    this.slot = new byte[layout.slotBytes()];
    this.stamp = stamp;
    this.into = into;
  }

  /** A version of the body; values are where they begin in the bytes. */
  private record Body(
      long valid, long committed, boolean tombstone, byte[] bytes, Map<Integer, Integer> valueAt) {}

  /** Of a slot: the value, or null for a tombstone. */
  private record Statement(
      long valid, long committed, boolean ofRow, boolean endsElement, @Nullable Object value) {}

  /**
   * Gives the versions of an element that a change may have added or given another end.
   *
   * @param key of the element
   * @param definitions of the label of the element
   * @param changedSince the least valid stamp of the change; 0 for all versions
   */
  void read(byte[] key, List<IndexDefinition> definitions, long changedSince) {
    element = key;
    leastValid = changedSince;
    Map<Integer, List<IndexDefinition>> byKey = new TreeMap<>();
    definitions.forEach(
        each -> byKey.computeIfAbsent(each.keyId(), keyId -> new ArrayList<>()).add(each));
    readBodies(byKey);
    end = end();
    byKey.forEach(
        (keyId, ofKey) -> {
          if (keyId == IndexDefinition.ID) {
            readSlot(keyId, 0, false, ofKey);
          } else {
            readKey(keyId, ofKey);
          }
        });
    bodies.clear();
  }

  private void readBodies(Map<Integer, List<IndexDefinition>> keys) {
    beginSlot(RowKeys.BODY, 0);
    positioned = cursor.seek(slot, slot.length);
    boolean closed = false;
    long closedAt = 0;
    for (; at(slot.length); positioned = cursor.next()) {
      long valid = layout.valid(cursor.key());
      long committed = layout.committed(cursor.key(), cursor.keyLength());
      if (committed > stamp) {
        continue;
      }
      if (closed && valid < closedAt) {
        return; // all below is older than the statements that may get another end
      }
      Body body = body(valid, committed, keys);
      bodies.add(body);
      if (valid < leastValid && (body.tombstone || body.valueAt.size() == keys.size())) {
        closed = true;
        closedAt = valid;
      }
    }
  }

  private @Nullable Statement end() {
    Body last = null;
    for (Body body : bodies) {
      if (last != null && body.valid != last.valid) {
        break;
      }
      last = last == null || body.committed > last.committed ? body : last;
    }
    return last == null || !last.tombstone
        ? null
        : new Statement(last.valid, last.committed, false, true, null);
  }

  private Body body(long valid, long committed, Map<Integer, List<IndexDefinition>> keys) {
    byte[] bytes = Arrays.copyOf(cursor.value(), cursor.valueLength());
    Map<Integer, Integer> valueAt = new HashMap<>();
    if (RowValues.isTombstone(bytes, 0)) {
      return new Body(valid, committed, true, bytes, valueAt);
    }
    ByteReader in = new ByteReader(bytes, 0, bytes.length);
    if (keys.containsKey(IndexDefinition.ID)) {
      valueAt.put(IndexDefinition.ID, 0);
    }
    if ((in.getByte() & RowValues.HAS_ID) != 0) {
      in.skip(in.getVarInt());
    }
    for (int count = in.remaining() == 0 ? 0 : in.getVarInt(); count > 0; count--) {
      int key = in.getVarInt();
      int length = in.getVarInt();
      if (keys.containsKey(key)) {
        valueAt.put(key, in.position());
      }
      in.skip(length);
    }
    return new Body(valid, committed, false, bytes, valueAt);
  }

  private void readKey(int keyId, List<IndexDefinition> definitions) {
    int sharedByKey = layout.elementBytes() + Short.BYTES;
    beginSlot(keyId, 0);
    positioned = cursor.seek(slot, sharedByKey);
    if (layout == ElementLayout.EDGE) {
      readSlot(keyId, 0, true, definitions);
      return;
    }
    boolean single = false;
    while (at(sharedByKey)) {
      long valueId = layout.valueId(cursor.key());
      if (!single && valueId != 0) {
        readSlot(keyId, 0, false, definitions);
      }
      single = true;
      beginSlot(keyId, valueId);
      readSlot(keyId, valueId, true, definitions);
      leaveSlot(keyId, valueId);
    }
    if (!single) {
      readSlot(keyId, 0, false, definitions);
    }
  }

  /** Moves behind the rows of the slot. */
  private void leaveSlot(int keyId, long valueId) {
    for (int steps = 0; at(slot.length); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        if (valueId == RowKeys.MAX_SEQUENCE) {
          positioned = false;
          return;
        }
        beginSlot(keyId, valueId + 1);
        positioned = cursor.seek(slot, slot.length);
        return;
      }
      positioned = cursor.next();
    }
  }

  private void beginSlot(int keyId, long valueId) {
    System.arraycopy(element, 0, slot, 0, element.length);
    BigEndian.putShort(slot, element.length, keyId);
    if (layout == ElementLayout.VERTEX) {
      BigEndian.putFive(slot, element.length + Short.BYTES, valueId);
    }
  }

  private boolean at(int sharedBytes) {
    return positioned && Arrays.equals(cursor.key(), 0, sharedBytes, slot, 0, sharedBytes);
  }

  /**
   * Gives the versions of a slot.
   *
   * @param hasRows whether the cursor is at its first row, if it has any
   */
  private void readSlot(
      int keyId, long valueId, boolean hasRows, List<IndexDefinition> definitions) {
    int nextBody = 0;
    Statement later = end;
    for (boolean first = true; ; first = false) {
      nextBody = sayingBody(nextBody, keyId, valueId);
      long bodyValid = nextBody < bodies.size() ? bodies.get(nextBody).valid : Long.MIN_VALUE;
      long rowValid = hasRows && passUnresolved() ? layout.valid(cursor.key()) : Long.MIN_VALUE;
      long valid = Math.max(bodyValid, rowValid);
      if (valid == Long.MIN_VALUE || first && valid < leastValid) {
        return; // there is no more, or nothing of the slot has changed
      }
      group.clear();
      while (hasRows && passUnresolved() && layout.valid(cursor.key()) == valid) {
        group.add(statementOfRow());
        positioned = cursor.next();
      }
      while (nextBody < bodies.size() && bodies.get(nextBody).valid == valid) {
        group.add(statementOfBody(bodies.get(nextBody), keyId));
        nextBody = sayingBody(nextBody + 1, keyId, valueId);
      }
      later = giveGroup(valueId, later, definitions);
      if (valid < leastValid) {
        return;
      }
    }
  }

  /** Moves to a row of the slot that is committed up to the stamp; false if there is none. */
  private boolean passUnresolved() {
    while (at(slot.length)) {
      if (layout.committed(cursor.key(), cursor.keyLength()) <= stamp) {
        return true;
      }
      positioned = cursor.next();
    }
    return false;
  }

  /** The first body from a position on that says something of a slot. */
  private int sayingBody(int from, int keyId, long valueId) {
    int body = from;
    while (body < bodies.size()
        && !bodies.get(body).tombstone
        && (valueId != 0 || !bodies.get(body).valueAt.containsKey(keyId))) {
      body++;
    }
    return body;
  }

  private Statement statementOfRow() {
    byte[] value = cursor.value();
    Object read = null;
    if (!RowValues.isTombstone(value, 0)) {
      ByteReader in = new ByteReader(value, 0, cursor.valueLength());
      if ((in.getByte() & RowValues.HAS_ID) != 0) {
        in.skip(in.getVarInt());
      }
      read = ValueCodec.read(in);
    }
    return new Statement(
        layout.valid(cursor.key()),
        layout.committed(cursor.key(), cursor.keyLength()),
        true,
        false,
        read);
  }

  private Statement statementOfBody(Body body, int keyId) {
    Integer at = body.valueAt.get(keyId);
    Object read = null;
    if (at != null && keyId == IndexDefinition.ID) {
      read = id(body);
    } else if (at != null) {
      read = ValueCodec.read(new ByteReader(body.bytes, at, body.bytes.length - at));
    }
    return new Statement(body.valid, body.committed, false, body.tombstone, read);
  }

  private String id(Body body) {
    ByteReader in = new ByteReader(body.bytes, 0, body.bytes.length);
    return (in.getByte() & RowValues.HAS_ID) != 0 ? TypedIds.written(in.getText()) : generatedId();
  }

  private String generatedId() {
    return layout == ElementLayout.VERTEX
        ? GeneratedIds.ofVertex(BigEndian.getLong(element, 0))
        : GeneratedIds.ofEdge(RowKeys.edgeKey(element, 0));
  }

  /** Gives the versions of a valid stamp, and returns the first of them. */
  private @Nullable Statement giveGroup(
      long valueId, @Nullable Statement laterGroup, List<IndexDefinition> definitions) {
    group.sort(LATEST_FIRST);
    Statement later = laterGroup;
    Statement before = null;
    for (Statement statement : group) {
      if (before != null && before.committed == statement.committed) {
        continue; // what counts with these stamps was there already
      }
      before = statement;
      if (statement.value != null) {
        give(valueId, statement, statement.value, later, definitions);
      }
      later = statement;
    }
    return later;
  }

  private void give(
      long valueId,
      Statement statement,
      Object value,
      @Nullable Statement later,
      List<IndexDefinition> definitions) {
    for (IndexDefinition definition : definitions) {
      into.accept(
          new IndexedVersion(
              definition,
              element,
              valueId,
              statement.valid,
              statement.committed,
              value,
              later == null ? IndexedVersion.OPEN : later.valid,
              later == null ? IndexedVersion.OPEN : later.committed));
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
