package io.graphmeta.shard.retention;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
 * <p>The stores are to be complete at and below all horizons, and not to change meanwhile. Belongs
 * to one thread.
 */
public final class ExpiredRows {
  private final Horizons horizons;
  private final Map<Integer, Long> vertexLabels = new TreeMap<>();
  private final Map<Integer, Long> edgeLabels = new TreeMap<>();

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

  /** The horizons of the labels of which rows were found so far. */
  public Horizons found() {
    return new Horizons(vertexLabels, edgeLabels);
  }

  /**
   * Calls a visitor for the rows of a family of a store that are to go, by rising keys.
   *
   * @param family of vertices, or of edges at one of their ends
   */
  public void forEach(StorageEngine store, Family family, Visitor visitor) {
    Walk walk = new Walk(family, visitor);
    try (RowCursor rows = store.cursor(family, Scope.FAMILY)) {
      for (boolean more = rows.seek(new byte[0], 0); more; ) {
        long horizon = horizon(family, rows.key());
        if (horizon == 0 && family == Family.ATTRIBUTES) {
          byte[] next = new byte[Long.BYTES];
          int label = VertexKeys.labelId(BigEndian.getLong(rows.key(), 0));
          if (label == VertexKeys.MAX_LABEL_ID) {
            break;
          }
          BigEndian.putLong(next, 0, VertexKeys.firstOfLabel(label + 1));
          more = rows.seek(next, next.length);
        } else if (horizon == 0) {
          more = rows.next();
        } else {
          more = walk.element(rows, horizon);
        }
      }
    }
  }

  private long horizon(Family family, byte[] key) {
    return family == Family.ATTRIBUTES
        ? horizons.ofVertices(VertexKeys.labelId(BigEndian.getLong(key, 0)))
        : horizons.ofEdges(BigEndian.getShort(key, 8));
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

  /** The elements of a family, one after the other. */
  private final class Walk {
    private final Family family;
    private final ElementLayout layout;
    private final Visitor visitor;
    private final byte[] element;

    Walk(Family family, Visitor visitor) {
      this.family = family;
      this.layout = layout(family);
      this.visitor = visitor;
      element = new byte[layout.slotBytes()];
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
        more = rows.next();
      }
      if (fate.isOver()) {
        boolean kept = false; // the latest tombstone is the first of all rows
        for (Held row : bodies) {
          if (kept) {
            give(row.key, row.key.length, row.value, row.value.length);
          }
          kept = true;
        }
        while (more && shares(rows.key(), layout.elementBytes())) {
          giveAt(rows);
          more = rows.next();
        }
        return more;
      }
      return properties(rows, more, horizon);
    }

    private boolean properties(RowCursor rows, boolean before, long horizon) {
      boolean more = before;
      boolean slotBegun = false;
      long kept = Long.MIN_VALUE;
      while (more && shares(rows.key(), layout.elementBytes())) {
        if (!slotBegun || !shares(rows.key(), layout.slotBytes())) {
          System.arraycopy(rows.key(), 0, element, 0, element.length);
          slotBegun = true;
          kept = Long.MIN_VALUE;
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
        more = rows.next();
      }
      return more;
    }

    private boolean shares(byte[] key, int bytes) {
      return Arrays.equals(key, 0, bytes, element, 0, bytes);
    }

    private void giveAt(RowCursor rows) {
      byte[] value = rows.value();
      give(rows.key(), rows.keyLength(), value, rows.valueLength());
    }

    private void give(byte[] key, int keyLength, byte[] value, int valueLength) {
      if (family == Family.ATTRIBUTES) {
        int label = VertexKeys.labelId(BigEndian.getLong(key, 0));
        vertexLabels.put(label, horizons.ofVertices(label));
      } else {
        int label = BigEndian.getShort(key, 8);
        edgeLabels.put(label, horizons.ofEdges(label));
      }
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
