package io.graphmeta.storage;

import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One ordered store of rows in {@link Family families}. Safe for use by many threads.
 *
 * <p>Every method throws {@link io.graphmeta.error.GraphMetaException} with code {@code CLOSED}
 * after {@link #close}, {@code STORAGE_FAILURE} when the disk refuses, and {@code CORRUPTION} when
 * stored bytes are damaged. A write that fails leaves none of its rows behind for readers.
 */
public interface StorageEngine extends AutoCloseable {
  /** Writes all rows of the batch or none, visible to cursors opened or reused afterwards. */
  void write(RowBatch batch, Durability durability);

  /** The value of the row with exactly this key, or null. The array is the caller's. */
  byte @Nullable [] get(Family family, byte[] key);

  /** As {@link #get} for many keys at once; the result has the order of the keys. */
  byte[] @Nullable [] multiGet(Family family, byte[][] keys);

  /**
   * A cursor over the rows of a family as they are now. With {@link Scope#VERTEX} a seek is bounded
   * to the rows that share the first {@value Family#VERTEX_PREFIX_BYTES} bytes of the sought key,
   * which lets the engine skip files that hold none. Close it to give it back.
   */
  RowCursor cursor(Family family, Scope scope);

  /** Brings all acknowledged writes to disk. */
  void sync();

  /** Removes all rows of all families. */
  void clear();

  /**
   * Fails if there is so little room left that only what keeps the store at work should be written.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code STORAGE_FAILURE}
   */
  default void requireRoom() {}

  /**
   * Puts the files of the store as they are at some moment of this call into a directory, which is
   * made: all that was written before the call is in them, and each write as a whole or not at all.
   * Files that are never changed again are links, so the directory must be on the same file system.
   * Writers go on. Only an engine that keeps files can do so.
   */
  default void checkpoint(Path directory) {
    throw GraphMetaException.invalid("This store has no files that could go to " + directory);
  }

  /**
   * Gives back the room of rows of a family that were deleted; does nothing where there is none.
   */
  default void compact(Family family) {}

  /** Sizes and counts, approximate where noted. */
  StorageStatistics statistics();

  /**
   * Syncs and closes. Waits for calls under way; open cursors end with an error. Safe to call
   * again.
   */
  @Override
  void close();

  /** How far a cursor may run from where it was positioned. */
  enum Scope {
    /**
     * To the last row with the vertex prefix of the sought key; only in families that are {@link
     * Family#byVertex}.
     */
    VERTEX,
    /** To the end of the family. */
    FAMILY;

    /** Fails if a cursor over the family cannot have this scope. */
    public void requireFor(Family family) {
      if (this == VERTEX && !family.byVertex()) {
        throw GraphMetaException.internal(
            "Rows of family " + family + " belong to no vertex; use scope " + FAMILY);
      }
    }

    /** Fails if a key of this length, in bytes, is too short to be sought in this scope. */
    public void requireTarget(int length) {
      if (this == VERTEX && length < Family.VERTEX_PREFIX_BYTES) {
        throw GraphMetaException.internal(
            "A key of "
                + length
                + " bytes was sought in scope "
                + VERTEX
                + "; expected at least "
                + Family.VERTEX_PREFIX_BYTES);
      }
    }
  }
}
