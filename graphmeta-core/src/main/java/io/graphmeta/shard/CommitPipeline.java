package io.graphmeta.shard;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions in groups. Callers queue up; whoever gets the lock checks, stamps and writes
 * the whole queue as one batch, and the others find their answer ready.
 *
 * <p>Invariants, all under the lock:
 *
 * <ul>
 *   <li>Stamps rise in the order in which commits are checked, and a commit is checked against all
 *       before it, those of its own group included.
 *   <li>{@link #resolved} is a stamp at and below which every commit is written: it moves only
 *       after a group is written, or when no group is under way. Readers take it as their snapshot,
 *       so they see all of a commit or nothing.
 *   <li>A group is written by one atomic batch; if the store refuses, none of its commits happened.
 * </ul>
 */
final class CommitPipeline {
  private static final int WINDOW_SCOPES = 1 << 20;
  private static final int MAX_GROUP_BYTES = 16 << 20;

  private final StorageEngine storage;
  private final StampSource stamps;
  private final Durability durability;
  private final ConflictWindow window;
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final byte[] key = new byte[RowKeys.MAX_ROW_KEY_BYTES];
  private RowBatch batch = new RowBatch(1 << 16);
  private volatile long resolved;

  CommitPipeline(StorageEngine storage, StampSource stamps, Durability durability) {
    this.storage = storage;
    this.stamps = stamps;
    this.durability = durability;
    this.resolved = advance(0);
    this.window = new ConflictWindow(WINDOW_SCOPES, resolved);
  }

  /**
   * A snapshot of now: everything at or below it is written, and nothing will be stamped at or
   * below it any more.
   */
  long snapshot(long seen) {
    if (lock.tryLock()) {
      try {
        resolved = advance(seen);
      } finally {
        lock.unlock();
      }
    }
    return resolved;
  }

  /** The newest stamp that a snapshot can have. */
  long resolved() {
    return resolved;
  }

  private long advance(long seen) {
    RowBatch bound = new RowBatch(0);
    long stamp = stamps.next(seen, bound);
    if (bound.count() > 0) {
      storage.write(bound, Durability.BACKGROUND);
    }
    return stamp;
  }

  /** Commits, or answers with the conflict. Waits for the disk if commits are synced. */
  Response commit(Request.Commit commit) {
    Pending pending = new Pending(commit);
    queue.add(pending);
    lock.lock();
    try {
      while (!pending.isDone()) {
        commitGroup();
      }
    } finally {
      lock.unlock();
    }
    return pending.result();
  }

  private void commitGroup() {
    List<Pending> group = new ArrayList<>();
    batch.clear();
    long newest = 0;
    Pending next;
    while (batch.sizeBytes() < MAX_GROUP_BYTES && (next = queue.poll()) != null) {
      long stamp = stage(next);
      if (stamp > 0) {
        newest = stamp;
        group.add(next);
      }
    }
    if (group.isEmpty()) {
      return;
    }
    try {
      storage.write(batch, durability);
      resolved = newest;
      group.forEach(Pending::succeed);
    } catch (RuntimeException e) {
      group.forEach(pending -> pending.fail(e));
    } finally {
      if (batch.sizeBytes() > MAX_GROUP_BYTES) {
        batch = new RowBatch(1 << 16);
      }
    }
  }

  /**
   * Checks a commit and adds its rows to the batch; returns its stamp, or 0 if it is answered
   * already.
   */
  private long stage(Pending pending) {
    Request.Commit commit = pending.commit;
    if (!window.covers(commit.snapshot())) {
      pending.answer(new Response.Conflicted(-1));
      return 0;
    }
    long[] checks = commit.checks();
    for (int i = 0; i < checks.length; i++) {
      if (window.changedAfter(commit.snapshot(), checks[i])) {
        pending.answer(new Response.Conflicted(i));
        return 0;
      }
    }
    long stamp;
    try {
      stamp = stamps.next(Math.max(commit.seen(), commit.snapshot()), batch);
    } catch (GraphMetaException e) {
      pending.fail(e);
      return 0;
    }
    for (long scope : commit.marks()) {
      window.mark(scope, stamp);
    }
    commit
        .rows()
        .forEach(
            (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
              byte[] rowKey = slotLength + 16 <= key.length ? key : new byte[slotLength + 16];
              System.arraycopy(buffer, slotAt, rowKey, 0, slotLength);
              int length =
                  stamped
                      ? RowKeys.appendStamps(rowKey, slotLength, valid == 0 ? stamp : valid, stamp)
                      : slotLength;
              batch.put(family, rowKey, length, buffer, valueAt, valueLength);
            });
    pending.stamp = stamp;
    return stamp;
  }

  /**
   * Lets an action remove all rows while no commit is under way; transactions that are open then
   * can no longer commit.
   */
  long clear(Runnable action) {
    lock.lock();
    try {
      action.run();
      stamps.store(Durability.BACKGROUND);
      long stamp = advance(resolved);
      window.reset(stamp);
      resolved = stamp;
      return stamp;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the group under way and stores the last stamp. */
  void close() {
    lock.lock();
    try {
      stamps.close();
    } finally {
      lock.unlock();
    }
  }

  private static final class Pending {
    private final Request.Commit commit;
    private long stamp;
    private @Nullable Response response;
    private @Nullable RuntimeException failure;

    Pending(Request.Commit commit) {
      this.commit = commit;
    }

    boolean isDone() {
      return response != null || failure != null;
    }

    void answer(Response answer) {
      response = answer;
    }

    void succeed() {
      response = new Response.Stamped(stamp);
    }

    void fail(RuntimeException cause) {
      failure = cause;
    }

    Response result() {
      if (failure != null) {
        throw failure instanceof GraphMetaException known
            ? new GraphMetaException(known.code(), String.valueOf(known.getMessage()), known)
            : failure;
      }
      if (response == null) {
        throw new GraphMetaException(ErrorCode.INTERNAL, "A commit ended without an answer");
      }
      return response;
    }
  }
}
