package io.graphmeta.reads;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.ElementVersion.Operation;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The history of an element: all versions of it and of its properties that a view knows of, whether
 * they count at any time or not. Safe for use by many threads.
 */
public final class ElementHistory {
  private static final Comparator<ElementVersion> NEWEST_FIRST =
      Comparator.comparingLong(ElementVersion::validStamp)
          .thenComparingLong(ElementVersion::committedStamp)
          .reversed();

  private final Router router;
  private final ElementLookup lookup;
  private final RecordDecoder decoder;

  ElementHistory(Router router, ElementLookup lookup, RecordDecoder decoder) {
    this.router = router;
    this.lookup = lookup;
    this.decoder = decoder;
  }

  /** Every version of a vertex and its properties, newest first. */
  public List<ElementVersion> ofVertex(long key, ReadView view) {
    List<ElementVersion> versions = new ArrayList<>();
    lookup.vertices(
        new long[] {key}, view, Detail.HISTORY, (page, e, position) -> add(page, e, versions));
    versions.sort(NEWEST_FIRST);
    return Collections.unmodifiableList(versions);
  }

  /** Every version of an edge and its properties, newest first. */
  public List<ElementVersion> ofEdge(EdgeKey key, ReadView view) {
    List<ElementVersion> versions = new ArrayList<>();
    lookup.edges(List.of(key), view, Detail.HISTORY, (page, e, position) -> add(page, e, versions));
    versions.sort(NEWEST_FIRST);
    return Collections.unmodifiableList(versions);
  }

  /** Visits every edge that a vertex ever had, as known at the view; a loop comes twice. */
  public void edgesEver(long vertex, ReadView view, Consumer<EdgeKey> visitor) {
    for (boolean outgoing : new boolean[] {true, false}) {
      FrontierStream.Edges all =
          new FrontierStream.Edges(outgoing, new int[0], view, Detail.BODIES);
      FrontierStream stored = new FrontierStream(router, new long[] {vertex}, all);
      while (stored.next()) {
        visitor.accept(RecordDecoder.edgeKey(stored.page(), stored.element(), outgoing));
      }
    }
  }

  private void add(ElementPage page, int e, List<ElementVersion> into) {
    for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
      into.add(version(page, row));
    }
  }

  private ElementVersion version(ElementPage page, int row) {
    long valid = page.valid(row);
    long committed = page.committed(row);
    boolean tombstone = RowValues.isTombstone(page.data(), page.valueStart(row));
    if (page.propertyKey(row) == RowKeys.BODY) {
      if (tombstone) {
        return new ElementVersion(Operation.DELETE, null, 0, null, Map.of(), valid, committed);
      }
      Map<String, Object> properties = new LinkedHashMap<>();
      decoder.readBody(page, row, property -> properties.put(property.key(), property.value()));
      return new ElementVersion(
          Operation.CREATE,
          null,
          0,
          null,
          Collections.unmodifiableMap(properties),
          valid,
          committed);
    }
    String key = decoder.propertyKey(page.propertyKey(row));
    PropertyRecord property = decoder.readProperty(page, row);
    return property == null
        ? new ElementVersion(
            Operation.REMOVE, key, page.valueId(row), null, Map.of(), valid, committed)
        : new ElementVersion(
            Operation.SET,
            key,
            page.valueId(row),
            property.value(),
            property.meta(),
            valid,
            committed);
  }
}
