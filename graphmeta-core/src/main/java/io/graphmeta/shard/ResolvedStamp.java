package io.graphmeta.shard;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Up to where a shard is closed and resolved, and who waits for it.
 *
 * <p><i>Closed</i>: at and below it nothing is taken any more. <i>Resolved</i>: at and below it all
 * that was taken is durable and its outcome known; so it lies below what is closed, below each
 * commit that is not durable yet, and below each open intent. Both only grow.
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}, but for {@link #get}.
 */
final class ResolvedStamp {
  private static final int MAX_WAITERS = 1 << 16;

  private final IntentTable intents;
  private final AnsweringLock lock;
  private final ArrayDeque<CommitGroup> undurable = new ArrayDeque<>();
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final long initial;
  private long closed;
  private volatile long resolved;

  ResolvedStamp(long closed, IntentTable intents, AnsweringLock lock) {
    this.closed = closed;
    this.intents = intents;
    this.lock = lock;
    this.resolved = Math.min(closed, intents.leastOpen() - 1);
    this.initial = closed;
  }

  /** Somebody who needs a snapshot at or above a stamp. */
  private record Waiter(long stamp, CompletableFuture<Response> answer)
      implements Comparable<Waiter> {
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
    undurable.add(group);
  }

  /** The group that a stamp of this server is in and that is not durable yet, or another. */
  CommitGroup groupOf(long stamp, CommitGroup other) {
    for (CommitGroup group : undurable) {
      if (!group.isDurable() && group.spans(stamp)) {
        return group;
      }
    }
    return other;
  }

  /** Moves as far as possible, and answers those who waited for it. */
  void advance() {
    while (!undurable.isEmpty() && undurable.getFirst().isDurable()) {
      undurable.removeFirst();
    }
    long limit = Math.min(closed, intents.leastOpen() - 1);
    if (!undurable.isEmpty()) {
      limit = Math.min(limit, undurable.getFirst().least() - 1);
    }
    if (limit > resolved) {
      resolved = limit;
      Response stamped = new Response.Stamped(limit);
      while (!waiters.isEmpty() && waiters.peek().stamp() <= limit) {
        Waiter waiter = waiters.remove();
        lock.answerLater(() -> waiter.answer().complete(stamped));
      }
    }
  }

  /** Answers with the resolved stamp as soon as it is not below another. */
  CompletableFuture<Response> notBelow(long stamp) {
    if (resolved >= stamp) {
      return CompletableFuture.completedFuture(new Response.Stamped(resolved));
    }
    if (waiters.size() >= MAX_WAITERS) {
      return CompletableFuture.failedFuture(
          new GraphMetaException(
              ErrorCode.OVERLOADED,
              MAX_WAITERS + " requests wait for a snapshot on this server; try later"));
    }
    CompletableFuture<Response> answer = new CompletableFuture<>();
    waiters.add(new Waiter(stamp, answer));
    return answer;
  }
}
