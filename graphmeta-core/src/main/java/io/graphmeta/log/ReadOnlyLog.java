package io.graphmeta.log;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The log of a store that was opened to be read: refuses all changes. Safe for use by many threads.
 */
public final class ReadOnlyLog implements ReplicationLog {
  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    throw GraphMetaException.readOnly();
  }

  /** There is nothing to be told of. */
  @Override
  public void tell(Told told) {}

  /** There is nothing to be stopped. */
  @Override
  public void stop(Throwable cause) {}

  @Override
  public @Nullable Throwable stopped() {
    return null;
  }

  @Override
  public void close() {}
}
