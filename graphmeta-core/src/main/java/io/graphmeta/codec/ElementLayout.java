package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;

/**
 * Where the parts of a row key lie, for rows of vertices and rows of edges. All rows of one element
 * share its first {@link #elementBytes}; all versions of one slot share its first {@link
 * #slotBytes}.
 */
public enum ElementLayout {
  VERTEX(8, 8, 15),
  EDGE(23, 23, 25);

  private final int elementBytes;
  private final int propertyKeyAt;
  private final int slotBytes;

  ElementLayout(int elementBytes, int propertyKeyAt, int slotBytes) {
    this.elementBytes = elementBytes;
    this.propertyKeyAt = propertyKeyAt;
    this.slotBytes = slotBytes;
  }

  /** Length of what the rows of one element share, in bytes. */
  public int elementBytes() {
    return elementBytes;
  }

  /** Length of what the versions of one slot share, in bytes. */
  public int slotBytes() {
    return slotBytes;
  }

  /** The property key id of a row; {@link RowKeys#BODY} for the body. */
  public int propertyKeyId(byte[] key) {
    return BigEndian.getShort(key, propertyKeyAt);
  }

  /** The value id of a row; 0 for all rows of edges. */
  public long valueId(byte[] key) {
    return this == VERTEX ? BigEndian.getFive(key, 10) : 0;
  }

  /** When the version of a row became true. */
  public long valid(byte[] key) {
    return ~BigEndian.getLong(key, slotBytes);
  }

  /** When the store learned the version of a row. */
  public long committed(byte[] key, int keyLength) {
    return keyLength > slotBytes + 8 ? ~BigEndian.getLong(key, slotBytes + 8) : valid(key);
  }

  /** True for a length that a key of this layout can have. */
  public boolean isKeyLength(int keyLength) {
    return keyLength == slotBytes + 8 || keyLength == slotBytes + 16;
  }
}
