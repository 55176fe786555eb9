package io.graphmeta.shard.commits;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * Why a stamp can be closed without the lock
 *
 * Three stamps tell what a snapshot may be. What is closed can be raised by any thread; nothing that
 * is taken later gets a stamp at or below it. What is settled is changed under the lock only: no
 * commit or part at or below it is under way, and a restart begins above it. The lesser of the two
 * is resolved.
 *
 * A thread that closes a stamp S does so first, and then reads what is settled; if that is not below
 * S, it has a snapshot at S. A thread that takes a group holds the lock; it says first that nothing
 * is settled, then reads what is closed and gives its members stamps above that (or refuses their
 * own), and then says again what is settled: less than the least of their stamps, until they are
 * durable and decided. These four accesses are volatile, and so have one order in which one of the
 * two threads comes first. If S was closed before the group read what is closed, the stamps of
 * the group lie above S. Otherwise what is settled was withdrawn before it was read for S, and what
 * was read there is 0, or was said after the stamps of the group were known.
 *
 * So to close S in vain, because the group was first, does no harm: nothing was promised, and what is
 * closed too far only has parts of other transactions try again with a later stamp.
 */

/**
 * Up to where a shard is closed and resolved, and the requests that wait for it.
 *
 * <p><i>Closed</i>: at and below it nothing is taken any more. <i>Resolved</i>: at and below it all
 * that was taken is applied, durable, and its outcome known, and what came to nothing is undone; so
 * it lies below what is closed, below the durable bound of the stamps, below each commit that is
 * not durable yet, below each open intent, and below each that is being undone. Both only grow.
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}, but for what says that it is safe without.
 */
final class ResolvedStamp {
  private static final int MAX_WAITERS = 1 << 16;

  private final StampSource stamps;
  private final IntentTable intents;
  private final SetAside aside;
  private final AnsweringLock lock;

  /** The groups that are not durable, or follow one that is not, linked in their order. */
  private @Nullable CommitGroup undurable;

  private @Nullable CommitGroup lastUndurable;

  /** Parts that came to nothing, and whose rows are in the store yet; two may have one stamp. */
  private final TreeSet<TransactionId> undoing = new TreeSet<>();

  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private final long initial;
  private @Nullable GraphMetaException stopped;
  private final AtomicLong closed;

  /** At and below it nothing is under way; 0 while that is not known. Set under the lock. */
  private volatile long settled;

  private volatile long resolved;

  /** What a snapshot could be when a group began, while settled does not tell. */
  private volatile long before;

  private boolean ended;

  ResolvedStamp(StampSource stamps, IntentTable intents, SetAside aside, AnsweringLock lock) {
    this.stamps = stamps;
    this.closed = new AtomicLong(stamps.bound());
    this.intents = intents;
    this.aside = aside;
    this.lock = lock;
    this.initial = stamps.bound();
    this.resolved = Math.min(initial, intents.leastOpen() - 1);
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
    boolean isGiven() {
      return answer.isDone();
    }

    @Override
    public int compareTo(Waiter other) {
      return Long.compare(stamp, other.stamp);
    }
  }

  /** The newest stamp that a snapshot can have. Safe without the lock. */
  long get() {
    return newest(closed.get());
  }

  /**
   * Closes a stamp that is not in the future, as far as that needs neither the lock nor the log.
   * Safe without the lock.
   *
   * @return the newest stamp that a snapshot can have; it lies below the one that was to be closed
   *     if something at or below that is under way
   */
  long closeSettled(long stamp) {
    return newest(closed.accumulateAndGet(stamp, Math::max));
  }

  /** What is closed is read before what is settled; see above. */
  private long newest(long closedNow) {
    return Math.max(Math.max(Math.min(closedNow, settled), before), resolved);
  }

  /**
   * True if a snapshot has passed what was closed when the shard was opened: below that resolved
   * may have moved with outcomes that were found out, and conflicts cannot be told there. Safe
   * without the lock.
   */
  boolean isOfThisRun(long snapshot) {
    return snapshot > initial;
  }

  /**
   * True if everything at and below a snapshot is resolved. One that this run gave is, but for a
   * moment in which a group begins; one that was taken while this shard was away, or that an
   * earlier run of it gave, need not be. Safe without the lock.
   */
  boolean covers(long snapshot) {
    return get() >= snapshot;
  }

  long closed() {
    return closed.get();
  }

  /** Takes nothing at or below a stamp any more. A bound for it is on its way into the log. */
  void close(long stamp) {
    closed.accumulateAndGet(stamp, Math::max);
  }

  /** Begins to take a group: what is closed from here on can be too late for it. */
  void beginTaking() {
    before = get();
    settled = 0;
    passClosed();
  }

  /** All stamps of the group are known, and those of its parts are held by intents. */
  void endTaking(CommitGroup group) {
    settle(Math.min(limit(), group.least() - 1));
  }

  /** No stamp is handed out from now on that other threads had closed before. */
  void passClosed() {
    stamps.pass(closed.get());
  }

  private void settle(long stamp) {
    settled = ended ? 0 : stamp;
  }

  /** From now on stamps are closed under the lock only. */
  void end() {
    ended = true;
    beginTaking();
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

  /**
   * Stays below the stamp of a part until its rows are undone; who waits for that can go on then.
   */
  void stayBelow(Intent intent, CompletableFuture<Void> undone) {
    if (undone.isDone() && !undone.isCompletedExceptionally()) {
      intents.undone(intent);
      return;
    }
    undoing.add(intent.id);
    undone.whenComplete(
        (done, failure) -> {
          lock.lock();
          try {
            if (failure == null) {
              intents.undone(intent);
              undoing.remove(intent.id);
              advance();
              aside.undone();
            } else {
              aside.undoFailed(failure);
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** The group that a stamp of this shard is in and that is not durable yet, or another. */
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
    long least = limit();
    settle(least);
    long limit = Math.min(closed.get(), least);
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

  /** The greatest stamp at and below which nothing is under way. */
  private long limit() {
    long limit = Math.min(intents.leastOpen(), stamps.durableBound()) - 1;
    limit = undoing.isEmpty() ? limit : Math.min(limit, undoing.first().stamp() - 1);
    return undurable == null ? limit : Math.min(limit, undurable.least() - 1);
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
              MAX_WAITERS + " requests wait for a snapshot on this shard; try later"));
    }
    Waiter waiter = new Waiter(stamp);
    waiters.add(waiter);
    return waiter.answer;
  }
}
