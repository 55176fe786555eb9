package io.graphmeta.rows;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.SideSize;
import io.graphmeta.protocol.VirtualNodeSize;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts one page of rows of vertices or edges. Whether an element exists is told by its bodies
 * alone, which come first; so a page may end anywhere but among the bodies of an element, and none
 * is counted twice or left out. Belongs to one thread.
 */
final class RowMeasure {
  /** More than a row adds to an answer. */
  private static final int ANSWER_BYTES_OF_A_ROW = 32;

  /** Rows read for a page may take so many times what a page may. */
  private static final long READ_FOR_A_PAGE = 16;

  private static final int ROWS_BETWEEN_LOOKS = 1 << 10;

  private final StorageEngine storage;
  private final SplitTable splits;
  private final Request.MeasureRows request;
  private final int pageRows;
  private final long pageReadBytes;
  private final ElementLayout layout;
  private final Map<Integer, NodeSize> nodes = new TreeMap<>();
  private final List<SideSize> sides = new ArrayList<>();
  private final byte[] element;
  private long rowsRead;
  private long bytesRead;
  private long keptRows;
  private long keptBytes;

  // Of the vertex whose rows are read.
  private @Nullable NodeSize node;
  private long vertex;
  private long entries;
  private boolean isFirst = true;
  private @Nullable LongPredicate here;

  // Of the element whose rows are read.
  private boolean isHere;
  private boolean exists;
  private boolean found;
  private long foundValid;
  private long foundCommitted;

  private static final class NodeSize {
    private long elements;
    private long rows;
    private long bytes;
  }

  RowMeasure(StorageEngine storage, SplitTable splits, Request.MeasureRows request, int pageBytes) {
    if (!request.family().byVertex()) {
      throw GraphMetaException.invalid(
          "Rows of " + request.family() + " are not those of vertices or of edges");
    }
    this.storage = storage;
    this.splits = splits;
    this.request = request;
    this.pageRows = Math.max(1, pageBytes / ANSWER_BYTES_OF_A_ROW);
    this.pageReadBytes = READ_FOR_A_PAGE * pageBytes;
    this.layout = request.family() == Family.ATTRIBUTES ? ElementLayout.VERTEX : ElementLayout.EDGE;
    this.element = new byte[layout.elementBytes()];
  }

  Response.RowSizes page() {
    byte[] from = request.from().key();
    Position next = null;
    try (RowCursor cursor = storage.cursor(request.family(), Scope.FAMILY)) {
      boolean more = cursor.seek(from, from.length);
      while (more && next == null && isWanted(cursor.key())) {
        byte[] key = cursor.key();
        boolean isBody = layout.propertyKeyId(key) == RowKeys.BODY;
        boolean isNew =
            rowsRead == 0 || !Arrays.equals(key, 0, element.length, element, 0, element.length);
        boolean isFull = rowsRead >= pageRows || bytesRead >= pageReadBytes;
        if (isFull && (isNew || !isBody)) {
          next = new Position(0, Arrays.copyOf(key, cursor.keyLength()));
        } else {
          if (isNew) {
            begin(key);
          }
          add(cursor, isBody);
          more = cursor.next();
        }
      }
    }
    endElement();
    endVertex(next != null);
    requireKept();
    List<VirtualNodeSize> sizes = new ArrayList<>(nodes.size());
    nodes.forEach(
        (number, size) -> {
          if (size.rows > 0) {
            sizes.add(new VirtualNodeSize(number, size.elements, size.rows, size.bytes));
          }
        });
    return new Response.RowSizes(sizes, sides, keptRows, keptBytes, next);
  }

  /** Rows of entries that were moved away may have been removed while others were read. */
  private void requireKept() {
    byte[] from = request.from().key();
    long snapshot = request.view().snapshot();
    if (layout == ElementLayout.VERTEX) {
      return;
    }
    if (from.length > 0 && BigEndian.getLong(from, 0) == request.lastVertex()) {
      splits.requireKept(request.lastVertex(), isOutgoing(), snapshot);
    } else {
      splits.requireAllKept(snapshot);
    }
  }

  private boolean isWanted(byte[] key) {
    return Long.compareUnsigned(BigEndian.getLong(key, 0), request.lastVertex()) <= 0;
  }

  /** Begins the element of a row. */
  private void begin(byte[] key) {
    endElement();
    System.arraycopy(key, 0, element, 0, element.length);
    long owner = BigEndian.getLong(key, 0);
    if (node == null || owner != vertex) {
      endVertex(false);
      vertex = owner;
      here =
          layout == ElementLayout.VERTEX
              ? null
              : splits.entriesHere(owner, isOutgoing(), request.view().snapshot());
      node = nodes.computeIfAbsent(VertexKeys.virtualNode(owner), number -> new NodeSize());
    }
    isHere = here == null || here.test(BigEndian.getLong(key, RowKeys.OTHER_AT));
  }

  private boolean isOutgoing() {
    return request.family() == Family.OUT;
  }

  private void add(RowCursor cursor, boolean isBody) {
    if (++rowsRead % ROWS_BETWEEN_LOOKS == 0 && Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it was reading");
    }
    if (!layout.isKeyLength(cursor.keyLength())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row key of " + cursor.keyLength() + " bytes is not of the " + layout + " layout");
    }
    byte[] value = cursor.value();
    long bytes = (long) cursor.keyLength() + cursor.valueLength();
    bytesRead += bytes;
    if (!isHere) {
      keptRows++;
      keptBytes += bytes;
      return;
    }
    if (node != null) {
      node.rows++;
      node.bytes += bytes;
    }
    if (isBody) {
      addBody(cursor.key(), cursor.keyLength(), RowValues.isTombstone(value, 0));
    }
  }

  /**
   * Of the bodies that are seen, the one with the latest valid stamp counts, and of these the one
   * known last.
   */
  private void addBody(byte[] key, int keyLength, boolean isTombstone) {
    long valid = layout.valid(key);
    long committed = layout.committed(key, keyLength);
    boolean counts =
        request.view().sees(valid, committed)
            && (!found || valid > foundValid || valid == foundValid && committed > foundCommitted);
    if (counts) {
      found = true;
      foundValid = valid;
      foundCommitted = committed;
      exists = !isTombstone;
    }
  }

  private void endElement() {
    if (exists && node != null) {
      node.elements++;
      entries++;
    }
    exists = false;
    found = false;
  }

  private void endVertex(boolean isCut) {
    boolean isAll =
        !isCut && !(isFirst && request.from().key().length > Family.VERTEX_PREFIX_BYTES);
    if (node != null) {
      boolean isTold =
          layout == ElementLayout.EDGE
              && entries > 0
              && (entries >= request.atLeast()
                  || !isAll
                  || !splits.state(vertex, isOutgoing()).isWhole());
      if (isTold) {
        sides.add(new SideSize(vertex, entries));
      }
      isFirst = false;
    }
    entries = 0;
  }
}
