package io.graphmeta.shard.commits;

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
   * Appends an entry if it holds anything, or a bound is needed. Completes when the entry is
   * durable and a restart would begin above the stamp.
   */
  CompletableFuture<Void> append(RowBatch entry, long stamp) {
    if (entry.count() == 0 && stamps.isCovered(stamp)) {
      return COVERED;
    }
    stamps.cover(stamp, entry); // again, if the bound was lost with another entry
    long bound = stamps.bound();
    CompletableFuture<Void> durable = appendOrLose(entry, durability, false);
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

  /**
   * As {@link #append}, for the entry of a group, which tells when it {@linkplain #isDurable is
   * durable}. If this throws anything, nothing was appended.
   *
   * @param callerSyncs whether the caller {@linkplain #bringToDisk brings it to disk}
   */
  CompletableFuture<Void> append(
      RowBatch entry, long stamp, CommitGroup group, Durability asked, boolean callerSyncs) {
    if (entry.count() == 0 && stamps.isCovered(stamp)) {
      return COVERED;
    }
    stamps.cover(stamp, entry);
    long bound = stamps.bound();
    CompletableFuture<Void> durable = appendOrLose(entry, asked, callerSyncs);
    group.bound = bound;
    return durable;
  }

  private CompletableFuture<Void> appendOrLose(
      RowBatch entry, Durability asked, boolean callerSyncs) {
    boolean done = false;
    try {
      CompletableFuture<Void> durable =
          callerSyncs ? log.appendToSync(entry) : log.append(entry, asked);
      done = true;
      return durable;
    } finally {
      if (!done) {
        stamps.boundLost();
      }
    }
  }

  /** A group has become durable, and the bound with it. */
  void isDurable(CommitGroup group) {
    stamps.boundIsDurable(group.bound);
  }

  /** Brings to disk what was left to callers. Not under the lock. */
  void bringToDisk() {
    log.bringToDisk();
  }

  /** Takes no more entries. */
  void stop(Throwable cause) {
    log.stop(cause);
  }

  /**
   * Appends an entry that no caller waits for: if it is lost it is appended again. Completes when
   * it is applied.
   */
  CompletableFuture<Void> appendUnawaited(RowBatch entry) {
    return log.append(entry, Durability.BACKGROUND);
  }

  /** Fails if there is no room for what need not be. */
  void requireRoom() {
    log.requireRoom();
  }

  /** Completes when all that is ordered by now is applied. */
  CompletableFuture<Void> applied() {
    return log.applied();
  }

  /** Appends the last entry before the log is closed. */
  void appendLast(RowBatch entry) {
    log.append(entry, Durability.SYNC);
  }
}
