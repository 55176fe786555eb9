package io.graphmeta.shard.commits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;

/**
 * Gives the snapshots that transactions read at. Safe for use by many threads, under the lock of
 * the {@link CommitPipeline}; without it if the resolved stamp will do while others commit.
 */
final class SnapshotStamps {
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
    if (!lock.tryLock()) {
      long stamp = resolved.get();
      if (stamp >= seen && resolved.hasMoved()) {
        return CompletableFuture.completedFuture(new Response.Stamped(stamp));
      }
      lock.lock();
    }
    try {
      RowBatch bound = new RowBatch(0);
      long stamp = stamps.next(seen, bound);
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
