package io.graphmeta.shard.index;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the definitions of indexes from the rows of META. */
public final class StoredDefinitions {
  private StoredDefinitions() {}

  /**
   * The indexes that are defined at a stamp, by rising numbers: of each name the row with the
   * greatest stamp at or below it, unless it is a tombstone.
   */
  public static List<IndexDefinition> at(StorageEngine storage, long stamp) {
    List<IndexDefinition> definitions = new ArrayList<>();
    byte[] prefix = IndexRows.prefix();
    try (RowCursor cursor = storage.cursor(Family.META, Scope.FAMILY)) {
      // Keys of names of different lengths can lie between each other, so names are remembered.
      Set<String> known = new HashSet<>();
      for (boolean more = cursor.seek(prefix, prefix.length);
          more && IndexRows.isDefinition(cursor.key(), 0, cursor.keyLength());
          more = cursor.next()) {
        if (IndexRows.stamp(cursor.key(), cursor.keyLength()) > stamp
            || !known.add(IndexRows.name(cursor.key(), cursor.keyLength()))) {
          continue;
        }
        IndexDefinition definition =
            IndexRows.read(cursor.key(), cursor.keyLength(), cursor.value(), cursor.valueLength());
        if (definition != null) {
          definitions.add(definition);
        }
      }
    }
    definitions.sort(Comparator.comparingLong(IndexDefinition::number));
    return definitions;
  }
}
