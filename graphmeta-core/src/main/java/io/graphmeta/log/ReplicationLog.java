package io.graphmeta.log;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes the changes of one store in order, and tells when they are durable. */
public interface ReplicationLog extends AutoCloseable {
  /**
   * Appends an entry and applies it to the store, all of it or nothing. Entries are applied in the
   * order in which the calls began to return, and a crash loses none that is followed by one it
   * keeps. If this throws anything, nothing was appended.
   *
   * @param entry rows; the log does not keep the batch, which can be used again
   * @return completes when the entry is as durable as asked. If it fails the entry may be in the
   *     store or not, and all later entries fail too
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

  /** Takes no more entries until the store is opened again; for one that has a reason for it. */
  void stop(Throwable cause);

  /** Why the log takes no more entries until the store is opened again; null while it does. */
  @Nullable Throwable stopped();

  /** Waits for the entries under way. The store stays open. Safe to call again. */
  @Override
  void close();
}
