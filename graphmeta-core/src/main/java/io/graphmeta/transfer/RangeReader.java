package io.graphmeta.transfer;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of a checkpoint in order, and takes nothing but the bytes that were asked for, as
 * their checksum has them. Some ranges are asked for before it is their turn, so that the file does
 * not wait for a way there and back for each. What is lost, late or damaged on the way is asked for
 * again, some times. Belongs to one thread.
 */
public final class RangeReader {
  /** How many ranges are on their way at a time, 4 MiB at most. */
  static final int AHEAD = 16;

  private static final int MOST_ATTEMPTS = 6;
  private static final long FIRST_PAUSE_MICROS = 50_000;

  private final CheckpointFiles from;
  private final Pace pace;
  private final FileEntry file;

  /** Those that were asked for, in their order; the first begins at {@code offset}. */
  private final Deque<Asked> asked = new ArrayDeque<>(AHEAD);

  private long offset;

  private record Asked(int length, Supplier<FileRange> range) {}

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
    if (offset >= file.bytes()) {
      return null;
    }
    for (int attempt = 1; ; attempt++) {
      try {
        ask();
        Asked next = asked.element();
        FileRange range = next.range.get();
        require(range, next.length);
        asked.remove();
        offset += next.length;
        return range.bytes();
      } catch (GraphMetaException e) {
        asked.clear(); // the others may have gone the same way
        if (attempt == MOST_ATTEMPTS || !mayBeAskedAgain(e)) {
          throw e;
        }
        pace.sleep(FIRST_PAUSE_MICROS << attempt);
      }
    }
  }

  private void ask() {
    long next = offset;
    for (Asked each : asked) {
      next += each.length;
    }
    while (asked.size() < AHEAD && next < file.bytes()) {
      int length = (int) Math.min(pace.rangeBytes(), file.bytes() - next);
      pace.await(length);
      asked.add(new Asked(length, from.read(file.name(), next, length)));
      next += length;
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
