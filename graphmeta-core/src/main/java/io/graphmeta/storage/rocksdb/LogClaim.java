package io.graphmeta.storage.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What an entry of the log says of the log before it.
 *
 * @param synced the sequence number up to which the log was on disk when the entry was written
 * @param inTables the sequence number up to which the rows were in table files when the store was
 *     opened
 */
record LogClaim(long synced, long inTables) {
  static final int BYTES = 17;
  private static final byte FORM = 1;

  /** Bytes of the header of an entry: the number of its first row (8), and of its rows (4). */
  static final int HEADER_BYTES = 12;

  static final int COUNT_OFFSET = 8;

  private static final byte LOG_DATA = 3;

  /** Bytes of an entry that tell its claim, if it has one. */
  static final int ENTRY_BYTES = HEADER_BYTES + 2 + BYTES;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(FORM)
        .putLong(synced)
        .putLong(inTables)
        .array();
  }

  /** The claim that an entry begins with, or null if it has none. */
  static @Nullable LogClaim of(ByteBuffer entry) {
    if (entry.remaining() < ENTRY_BYTES
        || entry.get(HEADER_BYTES) != LOG_DATA
        || entry.get(HEADER_BYTES + 1) != BYTES
        || entry.get(HEADER_BYTES + 2) != FORM) {
      return null;
    }
    return new LogClaim(entry.getLong(HEADER_BYTES + 3), entry.getLong(HEADER_BYTES + 11));
  }
}
