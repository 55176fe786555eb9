package io.graphmeta.records;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns the rows of a page into records, with the pending changes of a transaction laid over them
 * where there are any. Safe for use by many threads.
 */
public final class RecordDecoder {
  private final Router router;

  /**
   * Makes records.
   *
   * @param router knows the names of labels and property keys
   */
  public RecordDecoder(Router router) {
    this.router = router;
  }

  /**
   * A vertex of a page.
   *
   * @param changes offers what a transaction has changed of it; null if it has changed nothing
   */
  public VertexRecord vertex(ElementPage page, int e, @Nullable Consumer<SlotResolver> changes) {
    int first = page.firstRow(e);
    int last = page.firstRow(e + 1) - 1;
    List<PropertyRecord> properties = properties(page, first, last, changes);
    int oldestBody = oldestBody(page, first, last);
    return new VertexRecord(
        page.owner(e),
        bodyId(page, first),
        vertexLabel(page.owner(e)),
        properties,
        page.valid(oldestBody),
        page.committed(oldestBody));
  }

  /**
   * An edge of a page.
   *
   * @param outgoing whether it was read at its source
   * @param withProperties whether its properties were read
   * @param changes as for {@link #vertex}
   */
  public EdgeRecord edge(
      ElementPage page,
      int e,
      boolean outgoing,
      boolean withProperties,
      @Nullable Consumer<SlotResolver> changes) {
    int first = page.firstRow(e);
    int last = page.firstRow(e + 1) - 1;
    EdgeKey key = edgeKey(page, e, outgoing);
    return new EdgeRecord(
        key,
        bodyId(page, first),
        edgeLabel(key.labelId()),
        withProperties ? properties(page, first, last, changes) : List.of(),
        page.valid(oldestBody(page, first, last)),
        page.committed(oldestBody(page, first, last)));
  }

  /** The key of an edge of a page, which was read at its source or else at its destination. */
  public static EdgeKey edgeKey(ElementPage page, int e, boolean outgoing) {
    return outgoing
        ? new EdgeKey(page.owner(e), page.label(e), page.other(e), page.sequence(e))
        : new EdgeKey(page.other(e), page.label(e), page.owner(e), page.sequence(e));
  }

  /** The label of a vertex. */
  public String vertexLabel(long vertex) {
    int id = VertexKeys.labelId(vertex);
    return router.schemaWith(NameKind.VERTEX_LABEL, id).name(NameKind.VERTEX_LABEL, id);
  }

  /** The label of edges with an id. */
  public String edgeLabel(int id) {
    return router.schemaWith(NameKind.EDGE_LABEL, id).name(NameKind.EDGE_LABEL, id);
  }

  /** The name of a property key. */
  public String propertyKey(int id) {
    return router.schemaWith(NameKind.PROPERTY_KEY, id).name(NameKind.PROPERTY_KEY, id);
  }

  private static int oldestBody(ElementPage page, int first, int last) {
    int row = first;
    while (row < last && page.propertyKey(row + 1) == RowKeys.BODY) {
      row++;
    }
    return row;
  }

  /** The id that a user gave the element of a body; null if none was given. */
  public static @Nullable String bodyId(ElementPage page, int row) {
    int start = page.valueStart(row);
    if ((page.data()[start] & RowValues.HAS_ID) == 0) {
      return null;
    }
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(row) - start);
    in.skip(1);
    return in.getText();
  }

  private List<PropertyRecord> properties(
      ElementPage page, int first, int last, @Nullable Consumer<SlotResolver> changes) {
    if (first == last && changes == null) {
      List<PropertyRecord> only = new ArrayList<>(4);
      readBody(page, first, only::add);
      return Collections.unmodifiableList(only);
    }
    SlotResolver slots = new SlotResolver();
    for (int row = first; row <= last; row++) {
      if (page.propertyKey(row) == RowKeys.BODY) {
        readBody(page, row, slots::offer);
      } else {
        readProperty(page, row, slots);
      }
    }
    if (changes != null) {
      changes.accept(slots);
    }
    return slots.resolve();
  }

  /** Reads the properties that a body carries. */
  public void readBody(ElementPage page, int row, Consumer<PropertyRecord> into) {
    int start = page.valueStart(row);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(row) - start);
    if ((in.getByte() & RowValues.HAS_ID) != 0) {
      in.skip(in.getVarInt());
    }
    if (in.remaining() == 0) {
      return;
    }
    for (int count = in.getVarInt(); count > 0; count--) {
      String key = propertyKey(in.getVarInt());
      in.getVarInt();
      into.accept(
          PropertyRecord.single(key, ValueCodec.read(in), page.valid(row), page.committed(row)));
    }
  }

  /** Reads a property row: the property, or null for a tombstone. */
  public @Nullable PropertyRecord readProperty(ElementPage page, int row) {
    int start = page.valueStart(row);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(row) - start);
    int flags = in.getByte();
    if ((flags & RowValues.TOMBSTONE) != 0) {
      return null;
    }
    String id = (flags & RowValues.HAS_ID) != 0 ? in.getText() : null;
    Object value = ValueCodec.read(in);
    Map<String, Object> meta = Map.of();
    if ((flags & RowValues.HAS_META) != 0) {
      meta = new LinkedHashMap<>();
      for (int count = in.getVarInt(); count > 0; count--) {
        String key = propertyKey(in.getVarInt());
        meta.put(key, ValueCodec.read(in));
      }
      meta = Collections.unmodifiableMap(meta);
    }
    return new PropertyRecord(
        propertyKey(page.propertyKey(row)),
        page.valueId(row),
        id,
        value,
        meta,
        (flags & RowValues.OF_SET) != 0,
        page.valid(row),
        page.committed(row));
  }

  void readProperty(ElementPage page, int row, SlotResolver slots) {
    PropertyRecord property = readProperty(page, row);
    if (property != null) {
      slots.offer(property);
    } else {
      slots.offerTombstone(
          propertyKey(page.propertyKey(row)),
          page.valueId(row),
          page.valid(row),
          page.committed(row));
    }
  }
}
