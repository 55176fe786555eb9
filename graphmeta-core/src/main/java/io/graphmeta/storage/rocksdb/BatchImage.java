package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;

/**
 * A batch in the form that RocksDB writes to its log, made here with one copy of each row instead
 * of two native calls and four copies: sequence (8 bytes, set by RocksDB), number of rows (4 bytes,
 * little-endian), data for the log alone (a type byte, its length, and the {@link LogClaim} of the
 * entry), and for each row a type byte, the id of the column family, and key and value (none for a
 * deletion) with their lengths before them. Ids and lengths are varints. The form is that of every
 * log since column families exist, and RocksDB checks it when it takes the batch.
 */
final class BatchImage {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_OFFSET = 8;
  private static final byte LOG_DATA = 3;
  private static final byte DELETE_IN_COLUMN_FAMILY = 4;
  private static final byte PUT_IN_COLUMN_FAMILY = 5;

  private final int[] familyIds;
  private byte[] image = new byte[0];
  private int at;

  private BatchImage(int[] familyIds) {
    this.familyIds = familyIds;
  }

  /**
   * The image of a batch with a claim; {@code familyIds} has the id of the column family of each
   * {@link Family} by ordinal.
   */
  static byte[] of(RowBatch batch, int[] familyIds, byte[] claim) {
    BatchImage made = new BatchImage(familyIds);
    batch.forEach(made::measure);
    made.image = new byte[HEADER_BYTES + 2 + claim.length + made.at];
    made.at = HEADER_BYTES;
    made.image[made.at++] = LOG_DATA;
    made.putBytes(claim, 0, claim.length);
    batch.forEach(made::append);
    for (int i = 0; i < 4; i++) {
      made.image[COUNT_OFFSET + i] = (byte) (batch.count() >>> 8 * i);
    }
    return made.image;
  }

  private void measure(
      Family family, byte[] rows, int keyAt, int keyLength, int valueAt, int valueLength) {
    at += 1 + varIntBytes(familyIds[family.ordinal()]);
    at += varIntBytes(keyLength) + keyLength;
    if (valueLength != RowBatch.DELETED) {
      at += varIntBytes(valueLength) + valueLength;
    }
  }

  private void append(
      Family family, byte[] rows, int keyAt, int keyLength, int valueAt, int valueLength) {
    boolean deleted = valueLength == RowBatch.DELETED;
    image[at++] = deleted ? DELETE_IN_COLUMN_FAMILY : PUT_IN_COLUMN_FAMILY;
    putVarInt(familyIds[family.ordinal()]);
    putBytes(rows, keyAt, keyLength);
    if (!deleted) {
      putBytes(rows, valueAt, valueLength);
    }
  }

  private void putBytes(byte[] source, int from, int length) {
    putVarInt(length);
    System.arraycopy(source, from, image, at, length);
    at += length;
  }

  private void putVarInt(int value) {
    int rest = value;
    while (rest >= 0x80) {
      image[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    image[at++] = (byte) rest;
  }

  private static int varIntBytes(int value) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
    return (bits + 6) / 7;
  }
}
