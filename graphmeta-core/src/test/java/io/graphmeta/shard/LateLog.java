package io.graphmeta.shard;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A log whose entries are applied at once, or when the test says so. */
final class LateLog implements ReplicationLog {
  private final StorageEngine storage;
  private final ArrayDeque<Late> late = new ArrayDeque<>();
  private boolean isBehind;
  private boolean refuses;
  private Told told = Told.NOBODY;

  private record Late(RowBatch entry, CompletableFuture<Void> applied) {}

  /** A log of a store. */
  LateLog(StorageEngine storage) {
    this.storage = storage;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    if (refuses) {
      refuses = false;
      throw new GraphMetaException(ErrorCode.OVERLOADED, "planted");
    }
    told.ordered(entry);
    if (!isBehind) {
      apply(entry);
      return CompletableFuture.completedFuture(null);
    }
    byte[] rows = new byte[entry.sizeBytes()];
    entry.copyTo(rows, 0);
    RowBatch copy = new RowBatch(rows.length);
    copy.putCopied(rows, 0, rows.length);
    late.add(new Late(copy, new CompletableFuture<>()));
    return late.getLast().applied;
  }

  private void apply(RowBatch entry) {
    storage.write(entry, Durability.BACKGROUND);
    told.applied(entry);
  }

  /** How many entries are ordered and not applied. */
  int entries() {
    return late.size();
  }

  /** From now on entries are ordered, and no more. */
  void fallBehind() {
    isBehind = true;
  }

  /** All that was ordered is applied, and what is ordered when others learn of that. */
  void catchUp() {
    while (!late.isEmpty()) {
      Late first = late.remove();
      apply(first.entry);
      first.applied.complete(null);
    }
    isBehind = false;
  }

  /** The next entry is refused. */
  void refuseNext() {
    refuses = true;
  }

  /** Nothing is applied any more. */
  void fail(GraphMetaException cause) {
    late.forEach(each -> each.applied.completeExceptionally(cause));
  }

  @Override
  public CompletableFuture<Void> applied() {
    return late.isEmpty() ? CompletableFuture.completedFuture(null) : late.getLast().applied;
  }

  @Override
  public void tell(Told of) {
    told = of;
  }

  @Override
  public void stop(Throwable cause) {
    throw new AssertionError(cause);
  }

  @Override
  public @Nullable Throwable stopped() {
    return null;
  }

  @Override
  public void close() {}
}
