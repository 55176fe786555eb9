package io.graphmeta.rows;

import io.graphmeta.adjacency.RowKind;
import io.graphmeta.adjacency.RowUnits;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.recording.RowReadEvent;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds the elements that a view sees to a page, from the cache as far as they are there, else from
 * the rows of a family, and keeps those it read for the next one who asks. Histories, and vertices
 * without their properties, always come from the rows. Belongs to one thread.
 */
final class ElementSource implements AutoCloseable {
  private static final int INTERRUPT_CHECK_MASK = 0x3ff;

  private final StorageEngine storage;
  private final Family family;
  private final ReadView view;
  private final Detail detail;
  private final ElementPage.Builder page;
  private final RowUnits units;
  private final @Nullable RowKind kind;
  private final int maxUnitBytes;
  private @Nullable Rows opened; // with the first that is not in the cache
  private int found;

  /** Elements that were read from the store. */
  private long read;

  /** What it takes to read from the store. */
  private record Rows(ElementReader reader, byte[] start, ByteWriter content, RowReadEvent event) {}

  /**
   * A source for one call.
   *
   * @param units closed with it
   * @param maxUnitBytes the most that is kept of one vertex, in bytes
   */
  ElementSource(
      StorageEngine storage,
      RowUnits units,
      Family family,
      ReadView view,
      Detail detail,
      ElementPage.Builder page,
      int maxUnitBytes) {
    this.storage = storage;
    this.family = family;
    this.view = view;
    this.detail = detail;
    this.page = page;
    this.units = units;
    this.kind = kind(family, detail);
    this.maxUnitBytes = maxUnitBytes;
  }

  private static @Nullable RowKind kind(Family family, Detail detail) {
    if (detail == Detail.PROPERTIES) {
      return switch (family) {
        case ATTRIBUTES -> RowKind.VERTEX;
        case OUT -> RowKind.EDGES_OUT;
        default -> RowKind.EDGES_IN; // has no properties
      };
    } else if (detail == Detail.KEYS && family != Family.ATTRIBUTES) {
      return family == Family.OUT ? RowKind.EDGE_KEYS_OUT : RowKind.EDGES_IN;
    }
    return null;
  }

  /** To read one more element from. */
  private Rows rows() {
    read++;
    Rows rows = opened;
    if (rows == null) {
      units.beforeReading();
      RowReadEvent event = RowReadEvent.begun();
      ElementReader reader = new ElementReader(storage, family, Scope.VERTEX);
      rows = new Rows(reader, new byte[10], new ByteWriter(256), event);
      opened = rows;
    }
    return rows;
  }

  private ByteReader foundUnit() {
    if ((++found & INTERRUPT_CHECK_MASK) == 0 && Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
    return new ByteReader(units.bytes(), 0, units.length());
  }

  /** Adds a vertex; false if the view does not see it. */
  boolean addVertex(int source, long vertex) {
    if (kind != null && units.find(kind, vertex, 0, view)) {
      ByteReader unit = foundUnit();
      if (unit.remaining() == 0) {
        return false;
      }
      page.beginVertex(source, vertex);
      page.addRows(unit);
      return true;
    }
    Rows rows = rows();
    ElementReader reader = rows.reader;
    reader.range().clear();
    BigEndian.putLong(rows.start, 0, vertex);
    boolean seen = reader.seek(rows.start, 8) && reader.read(view, detail, source, page);
    if (kind != null) {
      rows.content.truncate(0);
      if (seen) {
        page.writeRows(page.elements() - 1, rows.content);
      }
      keep(kind, vertex, 0, rows);
    }
    return seen;
  }

  /** Adds an edge. */
  boolean addEdge(int source, byte[] edgeKey) {
    ElementReader reader = rows().reader;
    return reader.seek(edgeKey, edgeKey.length)
        && Arrays.equals(reader.key(), 0, edgeKey.length, edgeKey, 0, edgeKey.length)
        && reader.read(view, detail, source, page);
  }

  /**
   * Adds the edges of a vertex of one label, 0 for all, from a key on if one is given.
   *
   * @param here which edges count, by the vertex at their other end; null for all. Where only some
   *     do, nothing is kept: which ones depends on the snapshot of the reader
   * @return where to go on, or null if there are no more
   */
  byte @Nullable [] addEdges(
      int source,
      long vertex,
      int label,
      byte[] resume,
      @Nullable LongPredicate here,
      int pageBytes) {
    RowKind whole = here == null && resume.length == 0 ? kind : null;
    if (whole != null && units.find(whole, vertex, label, view)) {
      page.addEdges(source, vertex, label, foundUnit());
      return null;
    }
    Rows rows = rows();
    ElementReader reader = rows.reader;
    reader.range().clear();
    int first = page.elements();
    BigEndian.putLong(rows.start, 0, vertex);
    BigEndian.putShort(rows.start, 8, label);
    boolean more =
        resume.length > 0
            ? reader.seek(resume, resume.length)
            : reader.seek(rows.start, label == 0 ? 8 : 10);
    while (more && (label == 0 || BigEndian.getShort(reader.key(), 8) == label)) {
      if (page.sizeBytes() >= pageBytes) {
        return reader.elementKey();
      }
      if (here == null || here.test(BigEndian.getLong(reader.key(), 10))) {
        reader.read(view, detail, source, page);
      } else {
        reader.pass();
      }
      more = reader.hasElement();
    }
    if (whole != null) {
      keepEdges(whole, vertex, label, first, rows);
    }
    return null;
  }

  private void keepEdges(RowKind of, long vertex, int label, int first, Rows rows) {
    rows.content.truncate(0);
    for (int e = first; e < page.elements(); e++) {
      page.writeEdge(e, rows.content);
      if (rows.content.size() > maxUnitBytes) {
        return;
      }
    }
    keep(of, vertex, label, rows);
  }

  private void keep(RowKind of, long vertex, int label, Rows rows) {
    ByteWriter content = rows.content;
    int size = content.size();
    if (size <= maxUnitBytes) {
      content.putLong(0); // to a multiple of 8
      units.keep(of, vertex, label, rows.reader.range(), content.array(), size);
    }
  }

  @Override
  public void close() {
    units.close();
    Rows rows = opened;
    if (rows != null) {
      rows.reader.close();
      rows.event.done(units.shard(), family.name(), read);
    }
  }
}
