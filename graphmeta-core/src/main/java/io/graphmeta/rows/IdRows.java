package io.graphmeta.rows;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.RowKind;
import io.graphmeta.adjacency.RowUnits;
import io.graphmeta.adjacency.ViewRange;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.model.ReadView;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of ids, many at a time, from the cache as far as they are there. A unit is the key of
 * the row and then its value; ids that lead nowhere have none, for they are mostly asked for before
 * they are given.
 */
final class IdRows {
  private static final ReadView ANY = ReadView.at(0);
  private static final ViewRange ALWAYS = new ViewRange();

  private IdRows() {}

  /** The values of rows, in the order of their keys; null for what is not there. */
  static byte[] @Nullable [] read(StorageEngine storage, AdjacencyCache cache, byte[][] keys) {
    byte[][] values = new byte[keys.length][];
    List<Integer> missed = new ArrayList<>();
    try (RowUnits units = cache.rows()) {
      for (int i = 0; i < keys.length; i++) {
        byte[] value = cached(units, keys[i]);
        values[i] = value;
        if (value == null) {
          missed.add(i);
        }
      }
      if (missed.isEmpty()) {
        return values;
      }
      units.beforeReading();
      byte[][] read =
          storage.multiGet(Family.IDS, missed.stream().map(i -> keys[i]).toArray(byte[][]::new));
      for (int m = 0; m < read.length; m++) {
        byte[] value = read[m];
        if (value != null) {
          values[missed.get(m)] = value;
          keep(units, keys[missed.get(m)], value);
        }
      }
    }
    return values;
  }

  private static byte @Nullable [] cached(RowUnits units, byte[] key) {
    if (!units.find(RowKind.ID, RowUnits.idKey(key, 0, key.length), 0, ANY)
        || units.length() < key.length + 4
        || !Arrays.equals(units.bytes(), 0, key.length, key, 0, key.length)
        || BigEndian.getInt(units.bytes(), key.length) != key.length) {
      return null;
    }
    return Arrays.copyOfRange(units.bytes(), key.length + 4, units.length());
  }

  private static void keep(RowUnits units, byte[] key, byte[] value) {
    ByteWriter content = new ByteWriter(key.length + value.length + 12);
    content.putBytes(key, 0, key.length).putInt(key.length).putBytes(value, 0, value.length);
    int size = content.size();
    content.putLong(0); // to a multiple of 8
    units.keep(RowKind.ID, RowUnits.idKey(key, 0, key.length), 0, ALWAYS, content.array(), size);
  }
}
