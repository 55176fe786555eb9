package io.graphmeta.storage;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;

/**
 * Rows to be written together, kept as one flat buffer: family (1 byte), key length (4), value
 * length (4; {@value #DELETED} for a row to be deleted), key, value. Grows up to 2 GiB less a page;
 * belongs to one thread at a time.
 */
public final class RowBatch {
  /** The value length that a {@link Visitor} is given for a row to be deleted. */
  public static final int DELETED = -1;

  private static final int HEADER_BYTES = 9;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 4096;

  private byte[] buffer;
  private int size;
  private int count;

  /** An empty batch with room for about {@code expectedBytes}. */
  public RowBatch(int expectedBytes) {
    buffer = new byte[Math.max(64, expectedBytes)];
  }

  /** Adds a row; a later row of the same key replaces an earlier one. */
  public void put(
      Family family, byte[] key, int keyLength, byte[] value, int valueOffset, int valueLength) {
    int need = HEADER_BYTES + keyLength + valueLength;
    ensure(need);
    buffer[size] = (byte) family.ordinal();
    writeInt(size + 1, keyLength);
    writeInt(size + 5, valueLength);
    System.arraycopy(key, 0, buffer, size + HEADER_BYTES, keyLength);
    System.arraycopy(value, valueOffset, buffer, size + HEADER_BYTES + keyLength, valueLength);
    size += need;
    count++;
  }

  /** Adds a row of whole arrays. */
  public void put(Family family, byte[] key, byte[] value) {
    put(family, key, key.length, value, 0, value.length);
  }

  /** Deletes a row, or does nothing if there is none; a later put of the same key puts it again. */
  public void delete(Family family, byte[] key) {
    ensure(HEADER_BYTES + key.length);
    buffer[size] = (byte) family.ordinal();
    writeInt(size + 1, key.length);
    writeInt(size + 5, DELETED);
    System.arraycopy(key, 0, buffer, size + HEADER_BYTES, key.length);
    size += HEADER_BYTES + key.length;
    count++;
  }

  /** Copies all rows, as they are kept, to an array that has room for {@link #sizeBytes}. */
  public void copyTo(byte[] target, int at) {
    System.arraycopy(buffer, 0, target, at, size);
  }

  /**
   * Adds rows that another batch has {@linkplain #copyTo copied}.
   *
   * @throws IllegalArgumentException if these are not whole rows; nothing was added then
   */
  public void putCopied(byte[] rows, int from, int length) {
    int before = size;
    ensure(length);
    System.arraycopy(rows, from, buffer, size, length);
    int families = Family.values().length;
    int added = 0;
    int at = size;
    int end = size + length;
    while (at < end) {
      int keyLength = end - at < HEADER_BYTES ? -1 : readInt(at + 1);
      int valueLength = keyLength < 0 ? DELETED - 1 : readInt(at + 5);
      long next = (long) at + HEADER_BYTES + keyLength + Math.max(0, valueLength);
      if (valueLength < DELETED || next > end || buffer[at] < 0 || buffer[at] >= families) {
        throw new IllegalArgumentException(
            "Byte " + (at - before) + " of " + length + " is not the begin of a whole row");
      }
      at = (int) next;
      added++;
    }
    size = end;
    count += added;
  }

  /** Number of rows, those to be deleted included. */
  public int count() {
    return count;
  }

  /** Size of all rows, in bytes. */
  public int sizeBytes() {
    return size;
  }

  /** Removes all rows and keeps the room. */
  public void clear() {
    size = 0;
    count = 0;
  }

  /** Removes the rows that were added since the batch had this size and count. */
  public void truncate(int toSizeBytes, int toCount) {
    if (toSizeBytes > size || toCount > count) {
      throw new IllegalArgumentException(
          toCount + " rows of " + toSizeBytes + " bytes, of " + count + " of " + size);
    }
    size = toSizeBytes;
    count = toCount;
  }

  /** Calls the visitor for each row in the order in which they were added. */
  public void forEach(Visitor visitor) {
    Family[] families = Family.values();
    int at = 0;
    while (at < size) {
      int keyLength = readInt(at + 1);
      int valueLength = readInt(at + 5);
      int keyAt = at + HEADER_BYTES;
      visitor.row(families[buffer[at]], buffer, keyAt, keyLength, keyAt + keyLength, valueLength);
      at = keyAt + keyLength + Math.max(0, valueLength);
    }
  }

  /**
   * Fails if a row of a family {@link Family#byVertex by vertex} has a key too short to hold a
   * vertex key.
   */
  public void requireVertexKeys() {
    forEach(
        (family, bytes, keyOffset, keyLength, valueOffset, valueLength) -> {
          if (family.byVertex() && keyLength < Family.VERTEX_PREFIX_BYTES) {
            throw GraphMetaException.internal(
                "A row of family "
                    + family
                    + " has a key of "
                    + keyLength
                    + " bytes; expected at least "
                    + Family.VERTEX_PREFIX_BYTES);
          }
        });
  }

  /** Receives the rows of a batch. The buffer is the batch's own and must not be kept. */
  @FunctionalInterface
  public interface Visitor {
    /** One row, as ranges of the buffer; {@code valueLength} is {@link #DELETED} for a deletion. */
    void row(
        Family family,
        byte[] buffer,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength);
  }

  private void ensure(int need) {
    long wanted = (long) size + need;
    if (wanted > MAX_BYTES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A batch of "
              + wanted
              + " bytes is over the limit of "
              + MAX_BYTES
              + " bytes; commit in smaller transactions");
    }
    if (wanted > buffer.length) {
      buffer =
          Arrays.copyOf(buffer, (int) Math.min(MAX_BYTES, Math.max(wanted, buffer.length * 2L)));
    }
  }

  private void writeInt(int at, int value) {
    buffer[at] = (byte) (value >>> 24);
    buffer[at + 1] = (byte) (value >>> 16);
    buffer[at + 2] = (byte) (value >>> 8);
    buffer[at + 3] = (byte) value;
  }

  private int readInt(int at) {
    return (buffer[at] & 0xff) << 24
        | (buffer[at + 1] & 0xff) << 16
        | (buffer[at + 2] & 0xff) << 8
        | (buffer[at + 3] & 0xff);
  }
}
