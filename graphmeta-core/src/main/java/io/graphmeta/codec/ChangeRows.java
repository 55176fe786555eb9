package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/** Builds and reads the rows of CHANGED; see the package description for the layout. */
public final class ChangeRows {
  /** Length of a key, in bytes. */
  public static final int KEY_BYTES = 16;

  private ChangeRows() {}

  /** Writes the key of a vertex that was changed with a stamp. */
  public static void writeKey(byte[] key, long stamp, long vertex) {
    BigEndian.putLong(key, 0, stamp);
    BigEndian.putLong(key, 8, vertex);
  }

  /**
   * Writes the value of a row.
   *
   * @param leastValid the least valid stamp of what was changed
   * @return the length of the value
   */
  public static int writeValue(byte[] value, long stamp, long leastValid) {
    if (leastValid == stamp) {
      return 0;
    }
    BigEndian.putLong(value, 0, leastValid);
    return 8;
  }

  /** The stamp of a key. */
  public static long stamp(byte[] key) {
    return BigEndian.getLong(key, 0);
  }

  /** The vertex of a key. */
  public static long vertex(byte[] key) {
    return BigEndian.getLong(key, 8);
  }

  /** The least valid stamp of what was changed, from the row. */
  public static long leastValid(byte[] key, byte[] value, int valueLength) {
    return valueLength == 0 ? stamp(key) : BigEndian.getLong(value, 0);
  }

  /**
   * Fails if a row has another form.
   *
   * @throws GraphMetaException {@code CORRUPTION}
   */
  public static void requireRow(int keyLength, int valueLength) {
    if (keyLength != KEY_BYTES || valueLength != 0 && valueLength != 8) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row of the list of changes has a key of "
              + keyLength
              + " and a value of "
              + valueLength
              + " bytes; expected 16, and 0 or 8");
    }
  }
}
