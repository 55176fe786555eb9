package io.graphmeta.adjacency;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Neighbours by the rule of the stored format and nothing else: every body of every edge is read.
 */
final class StoredAdjacency {
  private StoredAdjacency() {}

  private record Body(long valid, long committed, boolean tombstone) {}

  /** Texts of label and other end, sorted. */
  static List<String> read(
      StorageEngine storage, long vertex, boolean outgoing, int[] labelIds, ReadView view) {
    ElementLayout layout = ElementLayout.EDGE;
    Map<String, Body> counting = new TreeMap<>();
    Family family = outgoing ? Family.OUT : Family.IN;
    try (RowCursor cursor = storage.cursor(family, StorageEngine.Scope.FAMILY)) {
      byte[] start = new byte[8];
      BigEndian.putLong(start, 0, vertex);
      for (boolean more = cursor.seek(start, 8);
          more && BigEndian.getLong(cursor.key(), 0) == vertex;
          more = cursor.next()) {
        byte[] key = cursor.key();
        long valid = layout.valid(key);
        long committed = layout.committed(key, cursor.keyLength());
        if (layout.propertyKeyId(key) == RowKeys.BODY && view.sees(valid, committed)) {
          String edge =
              "%d:%d:%d"
                  .formatted(
                      BigEndian.getShort(key, 8),
                      BigEndian.getLong(key, 10),
                      BigEndian.getFive(key, 18));
          Body body = new Body(valid, committed, RowValues.isTombstone(cursor.value(), 0));
          counting.merge(
              edge,
              body,
              (a, b) ->
                  a.valid != b.valid
                      ? a.valid > b.valid ? a : b
                      : a.committed > b.committed ? a : b);
        }
      }
    }
    List<String> found = new ArrayList<>();
    counting.forEach(
        (edge, body) -> {
          String labelAndOther = edge.substring(0, edge.lastIndexOf(':'));
          int label = Integer.parseInt(edge.substring(0, edge.indexOf(':')));
          if (!body.tombstone && (labelIds.length == 0 || contains(labelIds, label))) {
            found.add(labelAndOther);
          }
        });
    found.sort(null);
    return found;
  }

  private static boolean contains(int[] labelIds, int label) {
    for (int one : labelIds) {
      if (one == label) {
        return true;
      }
    }
    return false;
  }
}
