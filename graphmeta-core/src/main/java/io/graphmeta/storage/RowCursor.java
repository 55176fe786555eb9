package io.graphmeta.storage;

/**
 * A position in the ordered rows of a family. Sees the rows that were written before it was opened.
 * Belongs to one thread.
 *
 * <p>{@link #key} and {@link #value} return arrays that the cursor owns and overwrites at the next
 * move: only the first {@link #keyLength} or {@link #valueLength} bytes count, and they must be
 * copied to be kept.
 */
public interface RowCursor extends AutoCloseable {
  /**
   * Moves to the first row whose key is not below the first {@code length} bytes of {@code target};
   * false if none.
   */
  boolean seek(byte[] target, int length);

  /** Moves to the next row; false at the end of the scope. Only after a move that returned true. */
  boolean next();

  /** The key at this position. */
  byte[] key();

  /** The length of the key at this position, in bytes. */
  int keyLength();

  /** The value at this position, read when asked for. */
  byte[] value();

  /** The length of the value at this position, in bytes. Valid after {@link #value}. */
  int valueLength();

  @Override
  void close();
}
