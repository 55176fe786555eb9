package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/** Builds and reads the rows of CHANGED; see the package description for the layout. */
public final class ChangeRows {
  /** Length of the key of a row of a vertex, in bytes. */
  public static final int VERTEX_ROW_BYTES = 16;

  /** Length of the key of a row of the edges with one label of a vertex, in bytes. */
  public static final int ENTRIES_ROW_BYTES = 18;

  /** Length of the key of a row of an edge, in bytes. */
  public static final int EDGE_ROW_BYTES = 31;

  /** Where the element lies in a key. */
  public static final int ELEMENT_AT = 8;

  private ChangeRows() {}

  /** Writes the key of a vertex that was changed with a stamp. */
  public static void writeKey(byte[] key, long stamp, long vertex) {
    BigEndian.putLong(key, 0, stamp);
    BigEndian.putLong(key, 8, vertex);
  }

  /**
   * The key of what was changed with a stamp.
   *
   * @param element the key of an edge, or what the keys of all edges with one label of a vertex
   *     begin with
   */
  public static byte[] key(long stamp, byte[] element) {
    byte[] key = new byte[ELEMENT_AT + element.length];
    BigEndian.putLong(key, 0, stamp);
    System.arraycopy(element, 0, key, ELEMENT_AT, element.length);
    return key;
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

  /** The vertex of a key; that which the edges leave. */
  public static long vertex(byte[] key) {
    return BigEndian.getLong(key, ELEMENT_AT);
  }

  /** The label of the edge or edges of a key. */
  public static int edgeLabelId(byte[] key) {
    return BigEndian.getShort(key, ELEMENT_AT + 8);
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
    boolean isKey =
        keyLength == VERTEX_ROW_BYTES
            || keyLength == ENTRIES_ROW_BYTES
            || keyLength == EDGE_ROW_BYTES;
    if (!isKey || valueLength != 0 && valueLength != 8) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row of the list of changes has a key of "
              + keyLength
              + " and a value of "
              + valueLength
              + " bytes; expected 16, 18 or 31, and 0 or 8");
    }
  }
}
