package io.graphmeta.shard.commits;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a shard is closed and resolved, and the requests that wait for it.
 *
 * <p><i>Closed</i>: at and below it nothing is taken any more. <i>Resolved</i>: at and below it all
 * that was taken is durable and its outcome known; so it lies below what is closed, below the
 * durable bound of the stamps, below each commit that is not durable yet, and below each open
 * intent. Both only grow.
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}, but for {@link #get}.
 */
final class ResolvedStamp {
  private static final int MAX_WAITERS = 1 << 16;

  private final StampSource stamps;
  private final IntentTable intents;
  private final AnsweringLock lock;

  /** The groups that are not durable, or follow one that is not, linked in their order. */
  private @Nullable CommitGroup undurable;

  private @Nullable CommitGroup lastUndurable;

  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final long initial;
  private @Nullable GraphMetaException stopped;
  private long closed;
  private volatile long resolved;

  ResolvedStamp(StampSource stamps, IntentTable intents, AnsweringLock lock) {
    this.stamps = stamps;
    this.closed = stamps.bound();
    this.intents = intents;
    this.lock = lock;
    this.resolved = Math.min(closed, intents.leastOpen() - 1);
    this.initial = closed;
  }

  /** A request that needs a snapshot at or above a stamp. */
  private static final class Waiter extends AnsweringLock.Answer implements Comparable<Waiter> {
    final CompletableFuture<Response> answer = new CompletableFuture<>();
    final long stamp;
    long resolved;
    @Nullable GraphMetaException failure;

    Waiter(long stamp) {
      this.stamp = stamp;
    }

    @Override
    void give() {
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(new Response.Stamped(resolved));
      }
    }

    @Override
    public int compareTo(Waiter other) {
      return Long.compare(stamp, other.stamp);
    }
  }

  /** The newest stamp that a snapshot can have. Safe without the lock. */
  long get() {
    return resolved;
  }

  /**
   * True if it has passed what was closed when the shard was opened: below that it may have moved
   * with outcomes that were found out, and conflicts cannot be told there. Safe without the lock.
   */
  boolean hasMoved() {
    return resolved > initial;
  }

  long closed() {
    return closed;
  }

  /** Takes nothing at or below a stamp any more. A bound for it is on its way into the log. */
  void close(long stamp) {
    closed = Math.max(closed, stamp);
  }

  /** Stays below the stamps of a group until it is durable. */
  void stayBelow(CommitGroup group) {
    if (lastUndurable == null) {
      undurable = group;
    } else {
      lastUndurable.next = group;
    }
    lastUndurable = group;
  }

  /** The group that a stamp of this server is in and that is not durable yet, or another. */
  CommitGroup groupOf(long stamp, CommitGroup other) {
    for (CommitGroup group = undurable; group != null; group = group.next) {
      if (!group.isDurable() && group.spans(stamp)) {
        return group;
      }
    }
    return other;
  }

  /** Moves as far as possible, and answers the requests that waited for it. */
  void advance() {
    while (undurable != null && undurable.isDurable()) {
      undurable = undurable.next;
    }
    lastUndurable = undurable == null ? null : lastUndurable;
    long limit = Math.min(closed, intents.leastOpen() - 1);
    limit = Math.min(limit, stamps.durableBound() - 1);
    if (undurable != null) {
      limit = Math.min(limit, undurable.least() - 1);
    }
    if (limit > resolved) {
      resolved = limit;
      for (Waiter first = waiters.peek();
          first != null && first.stamp <= limit;
          first = waiters.peek()) {
        first.resolved = limit;
        lock.answerLater(waiters.remove());
      }
    }
  }

  /** It will not move on until the store is opened again: fails the requests that wait for it. */
  void stop(GraphMetaException cause) {
    stopped = cause;
    for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
      waiter.failure = cause;
      lock.answerLater(waiter);
    }
  }

  /** Answers with the resolved stamp as soon as it is not below another. */
  CompletableFuture<Response> notBelow(long stamp) {
    if (resolved >= stamp) {
      return CompletableFuture.completedFuture(new Response.Stamped(resolved));
    }
    if (stopped != null) {
      return CompletableFuture.failedFuture(stopped.again());
    }
    if (waiters.size() >= MAX_WAITERS) {
      return CompletableFuture.failedFuture(
          new GraphMetaException(
              ErrorCode.OVERLOADED,
              MAX_WAITERS + " requests wait for a snapshot on this server; try later"));
    }
    Waiter waiter = new Waiter(stamp);
    waiters.add(waiter);
    return waiter.answer;
  }
}
