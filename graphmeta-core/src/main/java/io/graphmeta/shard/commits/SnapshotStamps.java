package io.graphmeta.shard.commits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives the snapshots that transactions read at. Safe for use by many threads: without the lock of
 * the {@link CommitPipeline} where what the client has seen is settled, as it is most often, so
 * that transactions begin while others commit; else under it.
 */
final class SnapshotStamps {
  /** How often a thread looks whether a group that is on its way is through, before it waits. */
  private static final int SPINS = 100;

  /** And how often it lets others run, before it sleeps: to be woken takes longer than a group. */
  private static final int YIELDS = 50;

  @GuardedBy("lock")
  private final StampSource stamps;

  private final CoveredLog log;
  private final ResolvedStamp resolved;
  private final AnsweringLock lock;

  SnapshotStamps(StampSource stamps, CoveredLog log, ResolvedStamp resolved, AnsweringLock lock) {
    this.stamps = stamps;
    this.log = log;
    this.resolved = resolved;
    this.lock = lock;
  }

  /**
   * A snapshot of now, not below what the client has seen: everything at or below it is durable and
   * decided, and nothing will be taken at or below it any more. Where the log cannot take the bound
   * that this needs, as on a full disk, it is the newest snapshot that there was.
   */
  CompletableFuture<Response> take(long seen) {
    long now = physicalStamp();
    for (int i = 0; i < SPINS + YIELDS; i++) {
      long stamp = resolved.closeSettled(now);
      boolean isOfNow = stamp >= now;
      if (!isOfNow && lock.tryLock()) {
        return takeLocked(seen);
      }
      // Not of now will do while others hold the lock: what they have not answered is not missed.
      // But a client that has seen nothing yet may know from others what is committed elsewhere.
      boolean isNewEnough = stamp >= seen && (isOfNow || seen > 0);
      if (isNewEnough && resolved.isOfThisRun(stamp)) {
        return CompletableFuture.completedFuture(new Response.Stamped(stamp));
      }
      if (isOfNow) {
        break;
      }
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    lock.lock();
    return takeLocked(seen);
  }

  /** As {@link #take}, if all up to now is settled; else null. Takes no lock. */
  @Nullable Response takeAtOnce(long seen) {
    long now = physicalStamp();
    long stamp = resolved.closeSettled(now);
    return stamp >= now && stamp >= seen && resolved.isOfThisRun(stamp)
        ? new Response.Stamped(stamp)
        : null;
  }

  @SuppressWarnings("GuardedBy") // the clock is safe without the lock
  private long physicalStamp() {
    return stamps.physicalStamp();
  }

  /** Takes it under the lock, which the caller holds, and lets that go. */
  private CompletableFuture<Response> takeLocked(long seen) {
    try {
      RowBatch bound = new RowBatch(0);
      long stamp = stamps.closedOrNext(resolved.closed(), seen, bound);
      CompletableFuture<Void> covered = log.append(bound, stamp);
      return covered.isDone() && !covered.isCompletedExceptionally()
          ? closeAndAnswer(stamp, seen)
          : covered
              .thenCompose(durable -> closeAndAnswer(stamp, seen))
              .exceptionallyCompose(failure -> newestSnapshot(seen, failure));
    } catch (GraphMetaException e) {
      return newestSnapshot(seen, e);
    } finally {
      lock.unlock();
    }
  }

  /** The newest snapshot that needs nothing of the log, unless the client has seen more. */
  private CompletableFuture<Response> newestSnapshot(long seen, Throwable failure) {
    lock.lock();
    try {
      if (seen > resolved.get() && stamps.isPassed(seen)) {
        resolved.close(seen);
        resolved.advance();
      }
      long stamp = resolved.get();
      return stamp >= seen
          ? CompletableFuture.completedFuture(new Response.Stamped(stamp))
          : CompletableFuture.failedFuture(failure);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Fails if a stamp is further ahead than clocks may differ. Takes no lock.
   *
   * @throws GraphMetaException {@code MISMATCHED_SETTINGS}
   */
  @SuppressWarnings("GuardedBy") // the clock is safe without the lock
  void requireNear(long stamp) {
    stamps.requireNear(stamp);
  }

  /** Closes a stamp, unless it is in the future, and nothing above it. */
  void closeUpTo(long stamp) {
    if (resolved.get() >= stamp || stamp > physicalStamp()) {
      return;
    }
    lock.lock();
    try {
      RowBatch bound = new RowBatch(0);
      resolved.passClosed();
      stamps.close(stamp, bound);
      log.append(bound, stamp);
      resolved.close(stamp);
      resolved.advance();
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Response> closeAndAnswer(long stamp, long seen) {
    lock.lock();
    try {
      resolved.close(stamp);
      resolved.advance();
      return resolved.notBelow(seen);
    } finally {
      lock.unlock();
    }
  }
}
