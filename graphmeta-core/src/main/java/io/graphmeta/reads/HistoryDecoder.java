package io.graphmeta.reads;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.ElementVersion.Operation;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.records.RecordDecoder;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns all rows of an element into its history. */
public final class HistoryDecoder {
  private HistoryDecoder() {}

  public static void decode(
      RecordDecoder decoder, ElementPage page, int e, List<ElementVersion> into) {
    for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
      into.add(version(decoder, page, row));
    }
  }

  private static ElementVersion version(RecordDecoder decoder, ElementPage page, int row) {
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

  public static List<ElementVersion> newestFirst(List<ElementVersion> versions) {
    versions.sort(
        Comparator.comparingLong(ElementVersion::validStamp)
            .thenComparingLong(ElementVersion::committedStamp)
            .reversed());
    return Collections.unmodifiableList(versions);
  }
}
