package io.graphmeta.transfer;

import java.util.List;
import java.util.function.Supplier;

/**
 * Port: a store in another process, of which checkpoints are taken. Used by one thread. What fails
 * for a while fails with an error that may be tried again ({@link
 * io.graphmeta.error.GraphMetaException#isRetryable}); {@code CHECKPOINT_LOST} if the checkpoint is
 * not kept any more.
 */
public interface CheckpointFiles {
  /** Takes a checkpoint, in place of the one before, and tells its files. */
  List<FileEntry> take();

  /** The number of the checkpoint that was taken last. */
  long checkpoint();

  /**
   * Asks for a range of a file of the checkpoint, and does not wait; what arrives is believed by
   * nobody. Several may be asked for at a time.
   *
   * @param length at most {@link FileRange#MAX_BYTES}; not beyond the end of the file
   * @return waits for the range, once
   */
  Supplier<FileRange> read(String name, long offset, int length);

  /**
   * The SHA-256 of a range of a file of the checkpoint.
   *
   * @param length at most {@link FileRange#MAX_SUMMED_BYTES}; not beyond the end of the file
   */
  byte[] sum(String name, long offset, int length);
}
