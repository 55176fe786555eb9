package io.graphmeta.shard;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;

/**
 * The log of a shard, with the promise that a restart begins above what was promised: it knows
 * which bound of the stamps is durable. Guarded by the lock of its {@link CommitPipeline}.
 */
final class CoveredLog {
  private static final CompletableFuture<Void> COVERED = CompletableFuture.completedFuture(null);

  private final ReplicationLog log;
  private final StampSource stamps;
  private final Durability durability;
  private final AnsweringLock lock;

  CoveredLog(ReplicationLog log, StampSource stamps, Durability durability, AnsweringLock lock) {
    this.log = log;
    this.stamps = stamps;
    this.durability = durability;
    this.lock = lock;
  }

  /**
   * Appends an entry if it holds anything. Completes when the entry is durable and a restart would
   * begin above the stamp; the bound for it is in the entry or was appended before.
   */
  CompletableFuture<Void> append(RowBatch entry, long stamp) {
    return append(entry, stamp, durability);
  }

  /** As {@link #append(RowBatch, long)}, with another durability than that of most commits. */
  CompletableFuture<Void> append(RowBatch entry, long stamp, Durability asked) {
    return entry.count() == 0 && stamps.isCovered(stamp) ? COVERED : append(entry, asked);
  }

  private CompletableFuture<Void> append(RowBatch entry, Durability asked) {
    long bound = stamps.bound();
    CompletableFuture<Void> durable;
    try {
      durable = log.append(entry, asked);
    } catch (RuntimeException e) {
      stamps.boundLost();
      throw e;
    }
    if (durable.isDone()) {
      if (!durable.isCompletedExceptionally()) {
        stamps.boundIsDurable(bound);
      }
      return durable;
    }
    return durable.thenRun(
        () -> {
          lock.lock();
          try {
            stamps.boundIsDurable(bound);
          } finally {
            lock.unlock();
          }
        });
  }

  /** Appends what nobody waits for: if it is lost it is done again. */
  void appendUnawaited(RowBatch entry) {
    log.append(entry, Durability.BACKGROUND);
  }

  /** Appends the last entry before the log is closed. */
  void appendLast(RowBatch entry) {
    log.append(entry, Durability.SYNC);
  }
}
