package io.graphmeta.log;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;

/** Takes the changes of one store in order, and tells when they are durable. */
public interface ReplicationLog extends AutoCloseable {
  /**
   * Appends an entry and applies it to the store, all of it or nothing. Entries are applied in the
   * order in which the calls began to return, and a crash loses none that is followed by one it
   * keeps.
   *
   * @param entry rows; the log does not keep the batch, which can be used again
   * @return completes when the entry is as durable as asked. It fails if the entry is not in the
   *     store; or if it may be, but is not known to be durable, in which case all later entries
   *     fail too
   * @throws io.graphmeta.error.GraphMetaException if nothing was appended
   */
  CompletableFuture<Void> append(RowBatch entry, Durability durability);

  /** Waits for the entries under way. The store stays open. Safe to call again. */
  @Override
  void close();
}
