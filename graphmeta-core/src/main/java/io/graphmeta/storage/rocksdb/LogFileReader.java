package io.graphmeta.storage.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads a file in the form of RocksDB's logs, and finds what is whole behind what is damaged.
 *
 * <p>The file is a row of blocks of 32 KiB. A record is cut into fragments that cross no block: a
 * masked CRC32C of all that follows it (4 bytes), the length of the payload (2, little-endian), a
 * type (1: whole, first, middle or last), and the payload. A rest of a block of less than a header
 * is left empty. Behind damage the next fragment is looked for at each byte, in the same block and
 * then in those that follow; what it begins is told as {@link #isBehindDamage behind damage}.
 *
 * <p>Belongs to one thread.
 */
final class LogFileReader implements AutoCloseable {
  static final int BLOCK_BYTES = 32 << 10;
  static final int HEADER_BYTES = 7;

  private static final int WHOLE = 1;
  private static final int FIRST = 2;
  private static final int LAST = 4;

  /** Types of records that RocksDB adds for itself, and of others that may be passed over. */
  private static final int LEAST_OF_OWN_USE = 9;

  private static final int MASK_DELTA = 0xa282ead8;

  private final FileChannel channel;
  private final int keptBytes;
  private final byte[] block = new byte[BLOCK_BYTES];
  private final CRC32C checksum = new CRC32C();
  private long blockAt;
  private int blockLength;
  private int at;

  private byte[] record = new byte[64];
  private int recordLength;
  private long recordFrom;
  private boolean inRecord;

  private long goodEnd;
  private boolean behindDamage;

  /** Where empty bytes begin behind which nothing was found so far, or -1. */
  private long emptyFrom = -1;

  private LogFileReader(FileChannel channel, int keptBytes) {
    this.channel = channel;
    this.keptBytes = keptBytes;
  }

  /** A reader that keeps the first bytes of each record, so many at most. */
  static LogFileReader of(Path file, int keptBytes) throws IOException {
    return new LogFileReader(FileChannel.open(file, StandardOpenOption.READ), keptBytes);
  }

  /** Goes to the next whole record; false at the end of the file. */
  boolean next() throws IOException {
    recordLength = 0;
    while (BLOCK_BYTES - at >= HEADER_BYTES && at < blockLength || readBlock()) {
      int length = fragmentLength(at);
      if (length < 0) {
        skipDamage();
      } else if (takeFragment(length)) {
        return true;
      }
    }
    if (inRecord) {
      behindDamage = true; // The end of the record is not there.
    }
    return false;
  }

  /** Takes the fragment at the position; true if a record is whole with it. */
  private boolean takeFragment(int length) {
    if (emptyFrom >= 0) {
      behindDamage = true;
    }
    int type = block[at + 6] & 0xff;
    boolean begins = type == WHOLE || type == FIRST;
    if (begins == inRecord && type < LEAST_OF_OWN_USE) {
      behindDamage = true; // An end or a beginning is missing.
      inRecord = false;
    }
    if (begins) {
      recordFrom = blockAt + at;
      recordLength = 0;
      inRecord = true;
    }
    if (inRecord && type < LEAST_OF_OWN_USE) {
      keep(at + HEADER_BYTES, length);
    }
    at += HEADER_BYTES + length;
    boolean isWhole = inRecord && (type == WHOLE || type == LAST);
    if (type >= LEAST_OF_OWN_USE || isWhole) {
      goodEnd = behindDamage ? goodEnd : blockAt + at;
    }
    inRecord &= !isWhole;
    return isWhole;
  }

  private void keep(int from, int length) {
    int kept = Math.min(length, keptBytes - recordLength);
    if (kept > 0) {
      if (recordLength + kept > record.length) {
        record = Arrays.copyOf(record, Math.max(recordLength + kept, 2 * record.length));
      }
      System.arraycopy(block, from, record, recordLength, kept);
      recordLength += kept;
    }
  }

  /** The length of the payload of a whole fragment, or -1 if there is none at this position. */
  private int fragmentLength(int position) {
    if (blockLength - position < HEADER_BYTES) {
      return -1;
    }
    int type = block[position + 6] & 0xff;
    int length = (block[position + 4] & 0xff) | (block[position + 5] & 0xff) << 8;
    if (type == 0
        || type > LAST && type < LEAST_OF_OWN_USE
        || length > blockLength - position - HEADER_BYTES) {
      return -1;
    }
    checksum.reset();
    checksum.update(block, position + 6, length + 1);
    int actual = (int) checksum.getValue();
    int masked = (actual >>> 15 | actual << 17) + MASK_DELTA;
    int stored =
        ByteBuffer.wrap(block, position, 4).order(ByteOrder.LITTLE_ENDIAN).getInt(position);
    return stored == masked ? length : -1;
  }

  /** Passes over what is no fragment; empty bytes are damage only if anything stands behind. */
  private void skipDamage() {
    if (inRecord) {
      behindDamage = true;
      inRecord = false;
    }
    boolean isEmpty = true;
    for (int i = at; i < blockLength; i++) {
      if (i > at && mayBegin(i) && fragmentLength(i) >= 0) {
        behindDamage = true;
        at = i;
        return;
      }
      isEmpty &= block[i] == 0;
    }
    if (!isEmpty) {
      behindDamage = true;
    } else if (emptyFrom < 0) {
      emptyFrom = blockAt + at;
    }
    at = BLOCK_BYTES;
  }

  /** True unless the type is none of a fragment of an entry, which most bytes are not. */
  private boolean mayBegin(int position) {
    return position + 6 < blockLength
        && block[position + 6] >= WHOLE
        && block[position + 6] <= LAST;
  }

  private boolean readBlock() throws IOException {
    blockAt += blockLength;
    ByteBuffer into = ByteBuffer.wrap(block);
    while (into.hasRemaining() && channel.read(into, blockAt + into.position()) > 0) {
      continue;
    }
    blockLength = into.position();
    at = 0;
    return blockLength > 0;
  }

  /** Where the current record begins. */
  long recordFrom() {
    return recordFrom;
  }

  /** The first bytes of the current record, as many as are kept. */
  ByteBuffer record() {
    return ByteBuffer.wrap(record, 0, recordLength).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** True if there is damage between the beginning of the file and the current record. */
  boolean isBehindDamage() {
    return behindDamage;
  }

  /** The end of the last whole record before any damage. */
  long goodEnd() {
    return goodEnd;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
