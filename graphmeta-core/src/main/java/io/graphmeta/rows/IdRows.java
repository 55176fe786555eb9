package io.graphmeta.rows;

import io.graphmeta.adjacency.RowKind;
import io.graphmeta.adjacency.RowUnits;
import io.graphmeta.adjacency.ViewRange;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.model.ReadView;
import io.graphmeta.recording.RowReadEvent;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of ids, from the cache as far as they are there, and read some at a time as they are
 * asked for. A unit is the key of the row, its length, and the value. That there is no row is not
 * kept: the filter of the store tells as much, and who asks for an id that nobody has is mostly
 * about to give it. Belongs to one thread.
 */
final class IdRows {
  private static final int READ_AT_A_TIME = 1024;
  private static final ReadView ANY = ReadView.at(0);
  private static final int LENGTH_BYTES = 4;
  private static final byte[] NOTHING = {};
  private static final ViewRange ALWAYS = new ViewRange();

  private final StorageEngine storage;
  private final Supplier<RowUnits> cache;
  private final List<String> ids;
  private final Function<String, byte[]> keyOf;
  private int from;
  private byte[][] keys = {};
  private byte[] @Nullable [] values = {};

  IdRows(
      StorageEngine storage,
      Supplier<RowUnits> cache,
      List<String> ids,
      Function<String, byte[]> keyOf) {
    this.storage = storage;
    this.cache = cache;
    this.ids = ids;
    this.keyOf = keyOf;
  }

  /** What the row of an id holds; empty for none. To be asked for in rising order. */
  byte[] value(int index) {
    load(index);
    byte[] value = values[index - from];
    return value == null ? NOTHING : value;
  }

  /** The key of the row of an id. To be asked for in rising order. */
  byte[] key(int index) {
    load(index);
    return keys[index - from];
  }

  private void load(int index) {
    if (index >= from && index < from + keys.length) {
      return;
    }
    from = index;
    keys = new byte[Math.min(ids.size() - index, READ_AT_A_TIME)][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = keyOf.apply(ids.get(index + i));
    }
    values = read(storage, cache, keys);
  }

  /** The values of rows, in the order of their keys; null for what is not there. */
  private static byte[] @Nullable [] read(
      StorageEngine storage, Supplier<RowUnits> cache, byte[][] keys) {
    byte[][] values = new byte[keys.length][];
    try (RowUnits units = cache.get()) {
      int[] missed = new int[keys.length];
      int misses = 0;
      for (int i = 0; i < keys.length; i++) {
        if (isCached(units, keys[i])) {
          int valueAt = keys[i].length + LENGTH_BYTES;
          values[i] = Arrays.copyOfRange(units.bytes(), valueAt, units.length());
        } else {
          missed[misses++] = i;
        }
      }
      if (misses > 0) {
        readMissed(storage, units, keys, Arrays.copyOf(missed, misses), values);
      }
    }
    return values;
  }

  private static void readMissed(
      StorageEngine storage, RowUnits units, byte[][] keys, int[] missed, byte[][] values) {
    byte[][] wanted = new byte[missed.length][];
    for (int m = 0; m < missed.length; m++) {
      wanted[m] = keys[missed[m]];
    }
    units.beforeReading();
    RowReadEvent event = RowReadEvent.begun();
    byte[][] read = storage.multiGet(Family.IDS, wanted);
    event.done(units.shard(), Family.IDS.name(), wanted.length);
    for (int m = 0; m < missed.length; m++) {
      values[missed[m]] = read[m];
      byte[] value = read[m];
      if (value != null) {
        keep(units, wanted[m], value);
      }
    }
  }

  /** Whether there is a unit of a row; other ids may have the same hash. */
  private static boolean isCached(RowUnits units, byte[] key) {
    return units.find(RowKind.ID, RowUnits.idKey(key, 0, key.length), 0, ANY)
        && units.length() >= key.length + LENGTH_BYTES
        && Arrays.equals(units.bytes(), 0, key.length, key, 0, key.length)
        && BigEndian.getInt(units.bytes(), key.length) == key.length;
  }

  private static void keep(RowUnits units, byte[] key, byte[] value) {
    ByteWriter content = new ByteWriter(key.length + value.length + LENGTH_BYTES + 8);
    content.putBytes(key, 0, key.length).putInt(key.length);
    content.putBytes(value, 0, value.length);
    int size = content.size();
    content.putLong(0); // to a multiple of 8
    units.keep(RowKind.ID, RowUnits.idKey(key, 0, key.length), 0, ALWAYS, content.array(), size);
  }
}
