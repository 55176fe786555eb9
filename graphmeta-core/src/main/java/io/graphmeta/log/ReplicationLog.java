package io.graphmeta.log;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes the changes of one store in order, and tells when they are applied and durable.
 *
 * <p>An entry is <i>ordered</i> when the call that appends it returns, and <i>applied</i> when its
 * rows are in the store: then already, or later. Who appends builds on the order: what must not be
 * forgotten until the rows can be read, the caller keeps in memory.
 */
public interface ReplicationLog extends AutoCloseable {
  /**
   * Orders an entry behind all that were ordered before; it is applied to the store in its turn,
   * all of it or nothing. A crash, or the loss of the right to append, loses none that is followed
   * by one it keeps. If this throws anything, nothing was ordered.
   *
   * @param entry rows; the log does not keep the batch, which can be used again
   * @return completes when the entry is applied here, {@linkplain #tell told} of, and as durable as
   *     asked. If it fails the entry may be applied or not, also later, and all later entries fail
   *     too
   */
  CompletableFuture<Void> append(RowBatch entry, Durability durability);

  /**
   * As {@link #append} with {@link Durability#SYNC}, for a caller that has nothing else to do until
   * the entry is durable: it calls {@link #bringToDisk} as soon as it holds no lock, whatever
   * happens, and so may spare the log a hand-over to another thread.
   */
  default CompletableFuture<Void> appendToSync(RowBatch entry) {
    return append(entry, Durability.SYNC);
  }

  /**
   * Brings to disk what was appended with {@link #appendToSync}, in this thread if no other is
   * syncing. Waits for the disk then. Throws nothing: futures tell.
   */
  default void bringToDisk() {}

  /**
   * Fails if there is so little room for what is appended that only what keeps the store at work
   * should be. Of a {@linkplain #isShared shared} log the process looks for room before it lets
   * anything through, since another may have some.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code STORAGE_FAILURE}
   */
  default void requireRoom() {}

  /** Completes when all that is ordered by now is applied here; at once if it is. */
  default CompletableFuture<Void> applied() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Whether another process may come to order entries of this store. The log has {@linkplain
   * #stopped stopped} before the first of them is applied here.
   */
  default boolean isShared() {
    return false;
  }

  /**
   * Makes sure that nothing was ordered elsewhere.
   *
   * @return completes if at some moment after the call nobody else could order entries; else fails
   *     with {@code NOT_LEADER}
   */
  default CompletableFuture<Void> confirm() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Tells of each entry from now on. To be called before anything is appended, or by who takes over
   * from one that was told before and appends no more.
   */
  void tell(Told told);

  /**
   * Is told of entries, of each in the order of all, and that it is ordered before it is applied.
   * Throws nothing; if it {@linkplain #stop stops} the log the entry fails.
   */
  interface Told {
    /** An entry is ordered, before the call that appends it returns. */
    void ordered(RowBatch entry);

    /** The rows of an entry are in the store, before others learn of it. */
    void applied(RowBatch entry);

    /** For a log that nobody builds on. */
    Told NOBODY =
        new Told() {
          @Override
          public void ordered(RowBatch entry) {}

          @Override
          public void applied(RowBatch entry) {}
        };
  }

  /** Takes no more entries until the store is opened again; for one that has a reason for it. */
  void stop(Throwable cause);

  /** Why the log takes no more entries until the store is opened again; null while it does. */
  @Nullable Throwable stopped();

  /** Waits for the entries under way. The store stays open. Safe to call again. */
  @Override
  void close();
}
