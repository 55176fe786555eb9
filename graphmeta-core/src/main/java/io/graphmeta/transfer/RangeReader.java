package io.graphmeta.transfer;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of a checkpoint in order, and takes nothing but the bytes that were asked for, as
 * their checksum has them. What is lost, late or damaged on the way is asked for again, some times.
 * Belongs to one thread.
 */
public final class RangeReader {
  private static final int MOST_ATTEMPTS = 6;
  private static final long FIRST_PAUSE_MICROS = 50_000;

  private final CheckpointFiles from;
  private final Pace pace;
  private final FileEntry file;
  private long offset;

  /**
   * Reads from a place on.
   *
   * @param offset of the first byte that is wanted
   */
  public RangeReader(CheckpointFiles from, Pace pace, FileEntry file, long offset) {
    this.from = from;
    this.pace = pace;
    this.file = file.checked();
    this.offset = offset;
  }

  /**
   * The next bytes; null at the end of the file.
   *
   * @throws GraphMetaException {@code CHECKPOINT_LOST}; {@code CORRUPTION} if they arrive damaged
   *     again and again; what the other process answers, or that it does not
   */
  public byte @Nullable [] next() {
    int length = (int) Math.min(pace.rangeBytes(), file.bytes() - offset);
    if (length <= 0) {
      return null;
    }
    for (int attempt = 1; ; attempt++) {
      pace.await(length);
      try {
        FileRange range = from.read(file.name(), offset, length);
        require(range, length);
        offset += length;
        return range.bytes();
      } catch (GraphMetaException e) {
        if (attempt == MOST_ATTEMPTS || !mayBeAskedAgain(e)) {
          throw e;
        }
        pace.sleep(FIRST_PAUSE_MICROS << attempt);
      }
    }
  }

  private void require(FileRange range, int length) {
    if (range.offset() != offset
        || range.bytes().length != length
        || range.checksum()
            != FileRange.checksum(from.checkpoint(), file.name(), offset, range.bytes())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Bytes "
              + offset
              + " to "
              + (offset + length)
              + " of "
              + file.name()
              + " do not arrive as they were sent; look after the network, and the memory of both machines");
    }
  }

  /** Whether an error may be over, or came of what was damaged on the way. */
  static boolean mayBeAskedAgain(GraphMetaException e) {
    return e.code() == ErrorCode.CORRUPTION
        || e.isRetryable()
            && e.code() != ErrorCode.CHECKPOINT_LOST
            && e.code() != ErrorCode.CANCELLED
            && e.code() != ErrorCode.SNAPSHOT_TOO_OLD;
  }
}
