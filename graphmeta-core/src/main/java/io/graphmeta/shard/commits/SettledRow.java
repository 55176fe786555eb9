package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The row of META that says up to where a store tells all: {@code "settled" -> stamp 8}. */
public final class SettledRow {
  private static final byte[] KEY = "settled".getBytes(StandardCharsets.US_ASCII);

  private SettledRow() {}

  /**
   * The settled stamp of a store; 0 if it has none.
   *
   * @param whole whether a store without the row tells all it holds, since there is no other shard
   */
  public static long of(StorageEngine storage, boolean whole) {
    byte[] stored = storage.get(Family.META, KEY);
    long noted = stored == null ? 0 : BigEndian.getLong(stored, 0);
    return noted == 0 && whole ? StampSource.stored(storage) : noted;
  }

  /** The stamp that an entry of a log notes; 0 if it notes none. */
  public static long of(RowBatch entry) {
    long[] noted = new long[1];
    entry.forEach(
        (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (family == Family.META
              && valueLength == Long.BYTES
              && Arrays.equals(KEY, 0, KEY.length, rows, keyAt, keyAt + keyLength)) {
            noted[0] = BigEndian.getLong(rows, valueAt);
          }
        });
    return noted[0];
  }

  /** Adds the row to a batch. */
  static void put(long stamp, RowBatch batch) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, stamp);
    batch.put(Family.META, KEY, value);
  }
}
