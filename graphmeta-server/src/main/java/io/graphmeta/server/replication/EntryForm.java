package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of an entry that a group agrees on. Each begins with the form (1 byte), the number of
 * the log that proposed it (8), and the position in that log of the first batch of rows (8). Then,
 * big-endian:
 *
 * <ul>
 *   <li>{@link #WHOLE}: batches, each with its length (4) before it;
 *   <li>{@link #PIECE}: of a batch that is too large for one entry its length (4), where the piece
 *       begins (4), and the piece.
 * </ul>
 */
final class EntryForm {
  static final byte WHOLE = 1;
  static final byte PIECE = 2;

  private static final int HEADER_BYTES = 17;

  private EntryForm() {}

  /**
   * What an entry holds: whole batches, or one piece.
   *
   * @param log the number of the log that proposed it
   * @param position of the first batch in that log
   * @param batches whole, or the piece alone
   * @param wholeBytes length of the batch that the piece is of; 0 if the batches are whole
   * @param from where the piece begins
   */
  record Content(long log, long position, List<byte[]> batches, int wholeBytes, int from) {
    boolean isPiece() {
      return wholeBytes > 0;
    }
  }

  /** How many bytes an entry has with so many batches of so many bytes. */
  static long bytes(int batches, long bytes) {
    return HEADER_BYTES + 4L * batches + bytes;
  }

  /** An entry of whole batches. */
  static byte[] whole(long log, long position, List<byte[]> batches) {
    long bytes = batches.stream().mapToLong(batch -> batch.length).sum();
    ByteBuffer entry = begin(WHOLE, log, position, (int) bytes(batches.size(), bytes));
    for (byte[] batch : batches) {
      entry.putInt(batch.length).put(batch);
    }
    return entry.array();
  }

  /** An entry of a piece of a batch. */
  static byte[] piece(long log, long position, byte[] batch, int from, int length) {
    return begin(PIECE, log, position, HEADER_BYTES + 8 + length)
        .putInt(batch.length)
        .putInt(from)
        .put(batch, from, length)
        .array();
  }

  private static ByteBuffer begin(byte form, long log, long position, int bytes) {
    return ByteBuffer.allocate(bytes).put(form).putLong(log).putLong(position);
  }

  /**
   * Reads an entry.
   *
   * @throws GraphMetaException {@code CORRUPTION}, or {@code NEWER_FORMAT}
   */
  static Content read(ByteBuffer entry) {
    try {
      byte form = entry.get();
      long log = entry.getLong();
      long position = entry.getLong();
      if (form == PIECE) {
        int wholeBytes = entry.getInt();
        int from = entry.getInt();
        byte[] piece = new byte[entry.remaining()];
        entry.get(piece);
        if (from < 0 || wholeBytes - (long) from < piece.length || wholeBytes <= 0) {
          throw damaged("a piece of " + piece.length + " bytes at " + from + " of " + wholeBytes);
        }
        return new Content(log, position, List.of(piece), wholeBytes, from);
      } else if (form != WHOLE) {
        throw new GraphMetaException(
            ErrorCode.NEWER_FORMAT,
            "An entry of the replicated log has form "
                + form
                + "; expected 1 or 2. A newer version has written it: upgrade this node");
      }
      List<byte[]> batches = new ArrayList<>();
      while (entry.hasRemaining()) {
        int length = entry.getInt();
        if (length < 0 || length > entry.remaining()) {
          throw damaged("a batch of " + length + " bytes where " + entry.remaining() + " are left");
        }
        byte[] batch = new byte[length];
        entry.get(batch);
        batches.add(batch);
      }
      return new Content(log, position, batches, 0, 0);
    } catch (BufferUnderflowException e) {
      throw damaged("an end in the middle");
    }
  }

  private static GraphMetaException damaged(String found) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION, "An entry of the replicated log has " + found);
  }
}
