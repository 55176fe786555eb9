package io.graphmeta.shard.retention;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that no view at or above the horizon H of their label can see.
 *
 * <p>A view (V, K) is allowed where V and K are at or above H. So each allowed view sees every
 * version that is valid and committed at or below H, and of a slot the latest valid one counts:
 *
 * <ul>
 *   <li>Of the slot of a property a row goes if another one, valid and committed at or below H, is
 *       valid later than it. The row of the same valid stamp stays: which of the two counts is
 *       decided by their committed stamps, which the order of keys does not follow there.
 *   <li>A body stays as long as its element can be seen, since the properties that it carries can
 *       count whatever came later. An element is over if a tombstone of its body is valid and
 *       committed at or below H, and no body is valid at or after it. Then all of its rows go but
 *       the latest tombstone. That one stays for what is known of the element without a view: its
 *       id still leads to it, so that a question about its past is refused and not answered with
 *       nothing; edges do not lose their end; and nothing is joined to it that was true earlier.
 *   <li>What was committed above H stays, whatever it says. An element with a body that was stays.
 * </ul>
 *
 * The entries of an edge at both of its ends mirror its bodies with their stamps, so that they go
 * together though each is judged by its own rows. Copies of moved entries go likewise.
 *
 * <p>The stores are to be complete at and below all horizons. What is committed later, while this
 * reads or afterwards, changes nothing of what goes: whoever may still ask sees both the row and
 * the one that takes its place. Belongs to one thread.
 */
public final class ExpiredRows {
  private static final byte[] START = {};

  private final Horizons horizons;

  /** Those below some horizons. */
  public ExpiredRows(Horizons horizons) {
    this.horizons = horizons;
  }

  /** Receives rows; the arrays are the sender's. */
  @FunctionalInterface
  public interface Visitor {
    /** One row, as the first bytes of both arrays. */
    void row(byte[] key, int keyLength, byte[] value, int valueLength);
  }

  /** Calls a visitor for all rows of a family of a store that are to go, by rising keys. */
  public void forEach(StorageEngine store, Family family, Visitor visitor) {
    forEach(store, family, START, Long.MAX_VALUE, Long.MAX_VALUE, visitor);
  }

  /**
   * Calls a visitor for rows of a family of a store that are to go, by rising keys.
   *
   * @param family of vertices, or of edges at one of their ends
   * @param from keys below are passed over
   * @param mostBytes ends behind the row with which what was found has so many bytes
   * @param mostRows ends behind the element with which so many rows were looked at
   * @return where to go on; null at the end
   */
  public byte @Nullable [] forEach(
      StorageEngine store,
      Family family,
      byte[] from,
      long mostBytes,
      long mostRows,
      Visitor visitor) {
    Walk walk = new Walk(family, from, mostBytes, visitor);
    try (RowCursor rows = store.cursor(family, Scope.FAMILY)) {
      boolean isWithin = from.length > 0 && horizon(horizons, family, from) > 0;
      int length = isWithin ? layout(family).elementBytes() : from.length;
      for (boolean more = rows.seek(from, length); more; ) {
        if (walk.isFull() || walk.passed >= mostRows) {
          return walk.goOnAt(rows);
        }
        long horizon = horizon(horizons, family, rows.key());
        if (horizon == 0 && family == Family.ATTRIBUTES) {
          byte[] next = new byte[Long.BYTES];
          int label = VertexKeys.labelId(BigEndian.getLong(rows.key(), 0));
          if (label == VertexKeys.MAX_LABEL_ID) {
            break;
          }
          BigEndian.putLong(next, 0, VertexKeys.firstOfLabel(label + 1));
          more = rows.seek(next, next.length);
        } else if (horizon == 0) {
          walk.passed++;
          more = rows.next();
        } else {
          more = walk.element(rows, horizon);
        }
      }
      return walk.goOn;
    }
  }

  /** The horizon of the label of a row by its key; 0 if all of them stay. */
  public static long horizon(Horizons horizons, Family family, byte[] key) {
    return family == Family.ATTRIBUTES
        ? horizons.ofVertices(VertexKeys.labelId(BigEndian.getLong(key, 0)))
        : horizons.ofEdges(BigEndian.getShort(key, 8));
  }

  /** Whether a key has the length of those of a family. */
  public static boolean isKey(Family family, byte[] key) {
    return layout(family).isKeyLength(key.length);
  }

  private static ElementLayout layout(Family family) {
    return family == Family.ATTRIBUTES ? ElementLayout.VERTEX : ElementLayout.EDGE;
  }

  /** A row that has to wait until it is known whether it goes. */
  private record Held(byte[] key, byte[] value) {}

  /** What the bodies of an element say of it. */
  private static final class Fate {
    private final ElementLayout layout;
    private final long horizon;
    private long newestEnd = Long.MIN_VALUE;
    private long newestBody = Long.MIN_VALUE;
    private boolean later;

    Fate(ElementLayout layout, long horizon) {
      this.layout = layout;
      this.horizon = horizon;
    }

    void add(byte[] key, int keyLength, byte[] value) {
      long valid = layout.valid(key);
      later |= layout.committed(key, keyLength) > horizon;
      if (!RowValues.isTombstone(value, 0)) {
        newestBody = Math.max(newestBody, valid);
      } else if (valid <= horizon) {
        newestEnd = Math.max(newestEnd, valid);
      }
    }

    /** Whether no allowed view sees the element. */
    boolean isOver() {
      return horizon > 0 && !later && newestEnd > newestBody;
    }
  }

  /**
   * The elements of a family, one after the other. What an element is told by is read again where a
   * page begins in the midst of it: its bodies, and of a slot the rows down to the one that stays.
   */
  private final class Walk {
    private final Family family;
    private final ElementLayout layout;
    private final byte[] from;
    private final long mostBytes;
    private final Visitor visitor;
    private final byte[] element;
    private long passed;
    private long bytes;

    /** The first row that was to be given and was not, since all is full. */
    private byte @Nullable [] goOn;

    Walk(Family family, byte[] from, long mostBytes, Visitor visitor) {
      this.family = family;
      this.layout = layout(family);
      this.from = from;
      this.mostBytes = mostBytes;
      this.visitor = visitor;
      element = new byte[layout.slotBytes()];
    }

    boolean isFull() {
      return bytes >= mostBytes;
    }

    byte[] goOnAt(RowCursor rows) {
      byte[] first = goOn;
      return first == null ? Arrays.copyOf(rows.key(), rows.keyLength()) : first;
    }

    /** Passes the element at a cursor, and says whether there is another row behind it. */
    boolean element(RowCursor rows, long horizon) {
      requireKey(family, rows.keyLength());
      System.arraycopy(rows.key(), 0, element, 0, element.length);
      List<Held> bodies = new ArrayList<>();
      Fate fate = new Fate(layout, horizon);
      boolean more = true;
      while (more
          && shares(rows.key(), layout.elementBytes())
          && layout.propertyKeyId(rows.key()) == RowKeys.BODY) {
        byte[] value = rows.value();
        fate.add(rows.key(), rows.keyLength(), value);
        bodies.add(
            new Held(
                Arrays.copyOf(rows.key(), rows.keyLength()),
                Arrays.copyOf(value, rows.valueLength())));
        more = next(rows);
      }
      if (!fate.isOver()) {
        return properties(rows, more, horizon);
      }
      boolean kept = false; // the latest tombstone is the first of all rows
      for (Held row : bodies) {
        if (kept) {
          give(row.key, row.key.length, row.value, row.value.length);
        }
        kept = true;
      }
      while (more && goOn == null && shares(rows.key(), layout.elementBytes())) {
        if (isBefore(rows)) {
          more = rows.seek(from, from.length);
        } else {
          giveAt(rows);
          more = next(rows);
        }
      }
      return more;
    }

    private boolean properties(RowCursor rows, boolean before, long horizon) {
      boolean more = before;
      boolean slotBegun = false;
      long kept = Long.MIN_VALUE;
      while (more && goOn == null && shares(rows.key(), layout.elementBytes())) {
        boolean isBefore = isBefore(rows);
        if (!slotBegun || !shares(rows.key(), layout.slotBytes())) {
          if (isBefore && !Arrays.equals(rows.key(), 0, element.length, from, 0, element.length)) {
            more = rows.seek(from, element.length);
            continue;
          }
          System.arraycopy(rows.key(), 0, element, 0, element.length);
          slotBegun = true;
          kept = Long.MIN_VALUE;
        } else if (isBefore && kept != Long.MIN_VALUE) {
          more = rows.seek(from, from.length);
          continue;
        }
        long valid = layout.valid(rows.key());
        long committed = layout.committed(rows.key(), rows.keyLength());
        if (committed <= horizon) {
          if (valid < kept) {
            giveAt(rows);
          } else if (valid <= horizon) {
            kept = valid;
          }
        }
        more = next(rows);
      }
      return more;
    }

    /** Whether a row was given, or passed over, on an earlier page; it is of the same element. */
    private boolean isBefore(RowCursor rows) {
      return Arrays.compareUnsigned(rows.key(), 0, rows.keyLength(), from, 0, from.length) < 0;
    }

    private boolean next(RowCursor rows) {
      passed++;
      return rows.next();
    }

    private boolean shares(byte[] key, int bytes) {
      return Arrays.equals(key, 0, bytes, element, 0, bytes);
    }

    private void giveAt(RowCursor rows) {
      byte[] value = rows.value();
      give(rows.key(), rows.keyLength(), value, rows.valueLength());
    }

    private void give(byte[] key, int keyLength, byte[] value, int valueLength) {
      if (goOn != null || Arrays.compareUnsigned(key, 0, keyLength, from, 0, from.length) < 0) {
        return;
      }
      if (isFull()) {
        goOn = Arrays.copyOf(key, keyLength);
        return;
      }
      bytes += keyLength + valueLength;
      visitor.row(key, keyLength, value, valueLength);
    }
  }

  private static void requireKey(Family family, int length) {
    if (!layout(family).isKeyLength(length)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row of family "
              + family
              + " has a key of "
              + length
              + " bytes; run 'graphmeta check' before versions are dropped");
    }
  }
}
