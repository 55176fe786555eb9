package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;

/** Builds and reads the keys of rows of SPLITS; see the package description for the layout. */
public final class SplitRows {
  /** Length of a slot, in bytes. */
  public static final int SLOT_BYTES = 11;

  private static final int MOVE_VALUE_BYTES = 12;

  private SplitRows() {}

  /** The value of a row of a vertex that began with many entries, of which none was moved. */
  public static byte[] spreadValue() {
    return new byte[1];
  }

  /** Whether a value of a length ends a move. */
  public static boolean isMove(int valueLength) {
    return valueLength == MOVE_VALUE_BYTES;
  }

  /** The slot of a partition of the entries of a vertex in one direction. */
  public static byte[] slot(long vertex, boolean outgoing, int partition) {
    byte[] slot = new byte[SLOT_BYTES];
    BigEndian.putLong(slot, 0, vertex);
    slot[8] = (byte) (outgoing ? 1 : 0);
    BigEndian.putShort(slot, 9, partition);
    return slot;
  }

  /** The value of a row that ends a move: which attempt it was, and how many messages it took. */
  public static byte[] moveValue(long attempt, int messages) {
    byte[] value = new byte[MOVE_VALUE_BYTES];
    BigEndian.putLong(value, 0, attempt);
    BigEndian.putInt(value, 8, messages);
    return value;
  }

  /** The attempt of a value that begins at a place. */
  public static long attempt(byte[] rows, int valueAt) {
    return BigEndian.getLong(rows, valueAt);
  }

  /** The number of messages of a value that begins at a place. */
  public static int messages(byte[] rows, int valueAt) {
    return BigEndian.getInt(rows, valueAt + 8);
  }

  /** Whether a key that begins at a place is of the entries that leave. */
  public static boolean isOutgoing(byte[] rows, int keyAt) {
    return rows[keyAt + 8] != 0;
  }

  /** The partition of a key that begins at a place. */
  public static int partition(byte[] rows, int keyAt) {
    return BigEndian.getShort(rows, keyAt + 9);
  }

  /** The stamp of a key that begins at a place: since when there is the partition. */
  public static long stamp(byte[] rows, int keyAt, int keyLength) {
    return ~BigEndian.getLong(rows, keyAt + keyLength - 8);
  }
}
