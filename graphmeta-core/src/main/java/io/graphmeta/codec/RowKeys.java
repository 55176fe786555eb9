package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import java.nio.charset.StandardCharsets;

/**
 * Builds and reads the keys of rows; see the package description for the layouts. A slot is a key
 * without its stamps.
 */
public final class RowKeys {
  /** The property key of the body of an element. */
  public static final int BODY = 0;

  /** The greatest property key id. */
  public static final int MAX_PROPERTY_KEY_ID = 0xffff;

  /** The greatest id of an edge label. */
  public static final int MAX_EDGE_LABEL_ID = 0xffff;

  /** The greatest sequence of an edge or id of a value. */
  public static final long MAX_SEQUENCE = (1L << 40) - 1;

  /** Length of an edge key in bytes. */
  public static final int EDGE_KEY_BYTES = 23;

  /** Where the key of the vertex at the other end lies in the key of a row of an edge. */
  public static final int OTHER_AT = 10;

  /** Length of the longest key of a row of an element, in bytes. */
  public static final int MAX_ROW_KEY_BYTES = ElementLayout.EDGE.slotBytes() + 16;

  private RowKeys() {}

  /** The slot of the body of a vertex. */
  public static byte[] vertexBodySlot(long vertex) {
    return vertexSlot(vertex, BODY, 0);
  }

  /** The slot of a value of a property of a vertex. */
  public static byte[] attributeSlot(long vertex, int propertyKeyId, long valueId) {
    return vertexSlot(
        vertex, requireId(propertyKeyId, MAX_PROPERTY_KEY_ID, "property key"), valueId);
  }

  /** What no name has as its id would be taken for a body, or for another name. */
  private static int requireId(int id, int max, String what) {
    if (id < 1 || id > max) {
      throw GraphMetaException.internal(
          "The id " + id + " of a " + what + " in a key; expected 1 to " + max);
    }
    return id;
  }

  private static byte[] vertexSlot(long vertex, int propertyKeyId, long valueId) {
    byte[] slot = new byte[ElementLayout.VERTEX.slotBytes()];
    BigEndian.putLong(slot, 0, vertex);
    BigEndian.putShort(slot, 8, propertyKeyId);
    BigEndian.putFive(slot, 10, valueId);
    return slot;
  }

  /** The slot of the body of an edge in the rows of its source. */
  public static byte[] outBodySlot(EdgeKey edge) {
    return edgeSlot(edge.out(), edge.labelId(), edge.in(), edge.sequence(), BODY);
  }

  /** The slot of a property of an edge in the rows of its source. */
  public static byte[] outSlot(EdgeKey edge, int propertyKeyId) {
    int property = requireId(propertyKeyId, MAX_PROPERTY_KEY_ID, "property key");
    return edgeSlot(edge.out(), edge.labelId(), edge.in(), edge.sequence(), property);
  }

  /** The slot of the body of an edge in the rows of its destination. */
  public static byte[] inSlot(EdgeKey edge) {
    return edgeSlot(edge.in(), edge.labelId(), edge.out(), edge.sequence(), BODY);
  }

  private static byte[] edgeSlot(
      long owner, int labelId, long other, long sequence, int propertyKeyId) {
    byte[] slot = new byte[ElementLayout.EDGE.slotBytes()];
    BigEndian.putLong(slot, 0, owner);
    BigEndian.putShort(slot, 8, requireId(labelId, MAX_EDGE_LABEL_ID, "edge label"));
    BigEndian.putLong(slot, 10, other);
    BigEndian.putFive(slot, 18, sequence);
    BigEndian.putShort(slot, 23, propertyKeyId);
    return slot;
  }

  /** The row of an edge key in IDS and in messages. */
  public static byte[] edgeKeyBytes(EdgeKey edge) {
    byte[] bytes = new byte[EDGE_KEY_BYTES];
    BigEndian.putLong(bytes, 0, edge.out());
    BigEndian.putShort(bytes, 8, edge.labelId());
    BigEndian.putLong(bytes, 10, edge.in());
    BigEndian.putFive(bytes, 18, edge.sequence());
    return bytes;
  }

  /** Reads what {@link #edgeKeyBytes} wrote. */
  public static EdgeKey edgeKey(byte[] bytes, int at) {
    return new EdgeKey(
        BigEndian.getLong(bytes, at),
        BigEndian.getShort(bytes, at + 8),
        BigEndian.getLong(bytes, at + 10),
        BigEndian.getFive(bytes, at + 18));
  }

  /** The row of a vertex id in IDS. */
  public static byte[] vertexIdKey(String id) {
    return idKey('V', id);
  }

  /** The row of an edge id in IDS. */
  public static byte[] edgeIdKey(String id) {
    return idKey('E', id);
  }

  private static byte[] idKey(char kind, String id) {
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[utf8.length + 1];
    key[0] = (byte) kind;
    System.arraycopy(utf8, 0, key, 1, utf8.length);
    return key;
  }

  /**
   * Writes the stamps of a version behind its slot, and returns the length of the whole key.
   *
   * @param key holds the slot, with room for 16 bytes more
   */
  public static int appendStamps(byte[] key, int slotBytes, long valid, long committed) {
    BigEndian.putLong(key, slotBytes, ~valid);
    if (valid == committed) {
      return slotBytes + 8;
    }
    BigEndian.putLong(key, slotBytes + 8, ~committed);
    return slotBytes + 16;
  }
}
