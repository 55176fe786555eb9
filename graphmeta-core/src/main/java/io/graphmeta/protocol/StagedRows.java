package io.graphmeta.protocol;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.storage.Family;

/**
 * Rows of a transaction before they have their stamp, as one flat buffer: family (1 byte), stamped
 * (1), slot length (2), value length (4), valid stamp (8), slot, value. The shard puts the stamps
 * behind the slots when it commits. Belongs to one thread at a time.
 */
public final class StagedRows {
  private static final int HEADER_BYTES = 16;
  private static final int MAX_SLOT_BYTES = 0xffff;

  private final ByteWriter buffer;
  private int count;

  /** No rows, with room for about {@code expectedBytes}. */
  public StagedRows(int expectedBytes) {
    buffer = new ByteWriter(expectedBytes);
  }

  /**
   * Adds a version of a slot.
   *
   * @param valid when it becomes true; 0 for when it is committed
   */
  public void add(Family family, byte[] slot, long valid, byte[] value, int valueLength) {
    put(family, true, slot, valid, value, valueLength);
  }

  /** Adds a row without stamps. */
  public void addPlain(Family family, byte[] key, byte[] value) {
    put(family, false, key, 0, value, value.length);
  }

  private void put(
      Family family, boolean stamped, byte[] slot, long valid, byte[] value, int valueLength) {
    if (slot.length > MAX_SLOT_BYTES) {
      throw new IllegalArgumentException("slot of " + slot.length + " bytes");
    }
    buffer
        .putByte(family.ordinal())
        .putByte(stamped ? 1 : 0)
        .putShort(slot.length)
        .putInt(valueLength)
        .putLong(valid);
    buffer.putBytes(slot, 0, slot.length).putBytes(value, 0, valueLength);
    count++;
  }

  /** Number of rows. */
  public int count() {
    return count;
  }

  /** Size of all rows, in bytes. */
  public int sizeBytes() {
    return buffer.size();
  }

  /** Calls the visitor for each row, in the order in which they were added. */
  public void forEach(Visitor visitor) {
    Family[] families = Family.values();
    byte[] array = buffer.array();
    int at = 0;
    while (at < buffer.size()) {
      int slotLength = BigEndian.getShort(array, at + 2);
      int valueLength = BigEndian.getInt(array, at + 4);
      int slotAt = at + HEADER_BYTES;
      visitor.row(
          families[array[at]],
          array[at + 1] != 0,
          BigEndian.getLong(array, at + 8),
          array,
          slotAt,
          slotLength,
          slotAt + slotLength,
          valueLength);
      at = slotAt + slotLength + valueLength;
    }
  }

  void writeTo(ByteWriter out) {
    out.putVarInt(count).putVarInt(buffer.size()).putBytes(buffer.array(), 0, buffer.size());
  }

  /** Rows as written by {@link #writeTo}, checked so that {@link #forEach} can trust them. */
  static StagedRows readFrom(ByteReader in) {
    int count = Fields.count(in, HEADER_BYTES);
    int size = Fields.count(in, 1);
    int start = in.position();
    byte[] array = in.array();
    long at = start;
    for (int row = 0; row < count; row++) {
      if (start + size - at < HEADER_BYTES) {
        throw Fields.corrupt("Row " + row + " of " + count + " begins behind the end of the rows");
      }
      int header = (int) at;
      long valueLength = BigEndian.getInt(array, header + 4) & 0xffff_ffffL;
      at += HEADER_BYTES + BigEndian.getShort(array, header + 2) + valueLength;
      if (at > start + (long) size
          || (array[header] & 0xff) >= Family.values().length
          || (array[header + 1] & 0xff) > 1) {
        throw Fields.corrupt("Row " + row + " of " + count + " has no valid header");
      }
    }
    if (at != start + (long) size) {
      throw Fields.corrupt("There are more bytes of rows than " + count + " rows have");
    }
    StagedRows rows = new StagedRows(size);
    rows.buffer.putBytes(array, start, size);
    rows.count = count;
    in.skip(size);
    return rows;
  }

  /** Receives staged rows. The buffer must not be kept. */
  @FunctionalInterface
  public interface Visitor {
    /** One row, as ranges of the buffer. */
    void row(
        Family family,
        boolean stamped,
        long valid,
        byte[] buffer,
        int slotAt,
        int slotLength,
        int valueAt,
        int valueLength);
  }
}
