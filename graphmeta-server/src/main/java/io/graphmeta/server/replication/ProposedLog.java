package io.graphmeta.server.replication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/*
 * Order
 *
 * A batch of rows that is appended gets the next position, and waits. Batches that wait are proposed
 * together, in their order, by one thread at a time, so that the group sees them in the order of
 * their positions. At most so many proposals, and bytes of them, are under way: what comes meanwhile
 * goes together in the next one, which is what makes agreement cheap where many commit. A group that
 * agrees on a proposal has agreed on all before it of this log: the leader of a term puts them into
 * the log of the group one behind the other, and nobody else puts anything there in this term.
 *
 * A proposal that fails says nothing of whether the group will agree on it. So the log ends with it,
 * and all that is not applied fails: each of them may come to be applied, up to some position.
 *
 * Locks
 *
 * Who appends holds the lock of his shard, and to propose waits for that of the engine. The engine ends the log
 * while it holds its lock. So the log ends in the thread that says so, and takes nothing any more from then on;
 * but those who wait are told by another thread, which holds nothing: what they do then wants the lock of
 * the shard.
 */

/**
 * The log of a replica while it leads: proposes entries to the group, and completes them when the
 * replica has applied them, which is when a majority has them on disk. Ends with the term. Safe for
 * use by many threads.
 */
final class ProposedLog implements ReplicationLog {
  /** More of them would wait for each other only (replicas sync what comes together once). */
  static final int MAX_PROPOSALS = 8;

  static final int MAX_PROPOSED_BYTES = 1 << 20;

  /** What goes into one entry of the group, unless it is one batch alone. */
  static final int MAX_ENTRY_BYTES = 1 << 20;

  /** A node leads some shards at a time, which all keep what waits in its heap. */
  private static final long MAX_WAITING_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 32);

  private static final long CLOSE_MILLIS = 10_000;

  /** What the log needs of the group. */
  interface Group {
    /** Completes when the entry was applied here, or fails; in the order of the calls. */
    CompletableFuture<Void> propose(byte[] entry);

    /** As {@link ReplicationLog#confirm}. */
    CompletableFuture<Void> confirm();

    /** The log has ended by itself, so that another term has to begin. Must not wait. */
    void ended(ProposedLog log);

    /** Runs what may wait for locks, soon, in a thread that holds none. */
    void later(Runnable work);
  }

  /** A batch that is not applied. */
  private static final class Ordered extends CompletableFuture<Void> {
    final long position;
    final byte[] rows;

    /** Bytes of it that were proposed. */
    int proposed;

    Ordered(long position, byte[] rows) {
      this.position = position;
      this.rows = rows;
    }
  }

  private final long number;
  private final Group group;
  private final Object monitor = new Object();
  private volatile Told told = Told.NOBODY;

  @GuardedBy("monitor")
  private final Deque<Ordered> waiting = new ArrayDeque<>();

  /** Those that were proposed and are not applied, in their order. */
  @GuardedBy("monitor")
  private final Deque<Ordered> underWay = new ArrayDeque<>();

  @GuardedBy("monitor")
  private long waitingBytes;

  @GuardedBy("monitor")
  private int proposals;

  @GuardedBy("monitor")
  private long proposedBytes;

  @GuardedBy("monitor")
  private boolean proposing;

  @GuardedBy("monitor")
  private long nextPosition;

  @GuardedBy("monitor")
  private @Nullable Throwable stopped;

  /** Whether it takes no part in what is agreed on any more, so that nothing waits for it. */
  @GuardedBy("monitor")
  private boolean ended;

  @GuardedBy("monitor")
  private boolean closed;

  /**
   * A log of a term.
   *
   * @param number another for each log, by which the replica knows what this one has proposed
   */
  ProposedLog(long number, Group group) {
    this.number = number;
    this.group = group;
  }

  long number() {
    return number;
  }

  @Override
  public void tell(Told of) {
    told = of;
  }

  /** Whatever the durability: nothing is applied before it is on the disks of a majority. */
  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    byte[] rows = new byte[entry.sizeBytes()];
    entry.copyTo(rows, 0);
    Ordered ordered;
    synchronized (monitor) {
      requireUsable();
      if (waitingBytes > MAX_WAITING_BYTES) {
        throw new GraphMetaException(
            ErrorCode.OVERLOADED,
            waitingBytes + " bytes wait for the replicas of the shard; try later");
      }
      ordered = new Ordered(nextPosition, rows);
      waiting.add(ordered);
      nextPosition++;
      waitingBytes += rows.length;
      told.ordered(entry);
    }
    try {
      propose();
    } catch (Throwable e) { // behind the order, so that nothing is thrown
      fail(e);
    }
    return ordered;
  }

  @GuardedBy("monitor")
  private void requireUsable() {
    if (closed) {
      throw new GraphMetaException(
          ErrorCode.NOT_LEADER, "The replica leads no more; nothing was done, ask the others");
    }
    if (stopped != null) {
      throw new GraphMetaException(
          ErrorCode.NOT_LEADER,
          "The replica takes no more changes ("
              + stopped.getMessage()
              + "); nothing was done, ask the replica that leads now",
          stopped);
    }
  }

  /** Proposes what waits, as far as it may. */
  private void propose() {
    while (true) {
      byte[] entry;
      synchronized (monitor) {
        if (proposing || ended || waiting.isEmpty() || isFull()) {
          return;
        }
        proposing = true;
        entry = takeEntry();
        proposals++;
        proposedBytes += entry.length;
      }
      try {
        group.propose(entry).whenComplete((done, failure) -> proposed(entry.length, failure));
      } finally {
        synchronized (monitor) {
          proposing = false;
        }
      }
    }
  }

  @GuardedBy("monitor")
  private boolean isFull() {
    return proposals >= MAX_PROPOSALS || proposedBytes >= MAX_PROPOSED_BYTES;
  }

  /** Whole batches, or the next piece of one that is too large. */
  @GuardedBy("monitor")
  private byte[] takeEntry() {
    Ordered first = waiting.element();
    if (EntryForm.bytes(1, first.rows.length) > MAX_ENTRY_BYTES) {
      int from = first.proposed;
      int length = Math.min(MAX_ENTRY_BYTES, first.rows.length - from);
      byte[] entry = EntryForm.piece(number, first.position, first.rows, from, length);
      first.proposed += length;
      if (first.proposed == first.rows.length) {
        take(first);
      }
      return entry;
    }
    List<byte[]> batches = new ArrayList<>();
    long bytes = 0;
    for (Ordered next = first;
        next != null
            && EntryForm.bytes(batches.size() + 1, bytes + next.rows.length) <= MAX_ENTRY_BYTES;
        next = waiting.peek()) {
      batches.add(next.rows);
      bytes += next.rows.length;
      take(next);
    }
    return EntryForm.whole(number, first.position, batches);
  }

  @GuardedBy("monitor")
  private void take(Ordered first) {
    underWay.add(first);
    waiting.remove();
    waitingBytes -= first.rows.length;
  }

  private void proposed(int bytes, @Nullable Throwable failure) {
    synchronized (monitor) {
      proposals--;
      proposedBytes -= bytes;
    }
    if (failure != null) {
      fail(
          failure instanceof CompletionException e && e.getCause() != null
              ? e.getCause()
              : failure);
      return;
    }
    try {
      propose();
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Ends by itself, though the replica may lead on: nobody knows what the group agrees on. */
  private void fail(Throwable cause) {
    if (end(cause)) {
      group.ended(this);
    }
  }

  /**
   * The replica has applied batches that this log has proposed. By the one thread that applies.
   *
   * @param position of the first
   * @throws IllegalStateException if they are not the next
   */
  void applied(long position, List<RowBatch> batches) {
    long expected = position;
    for (RowBatch batch : batches) {
      Ordered next;
      synchronized (monitor) {
        next = underWay.poll();
      }
      if (next == null) {
        return; // the log has ended, and has told so
      }
      if (next.position != expected++) {
        throw new IllegalStateException(
            "The group has agreed on batch "
                + (expected - 1)
                + " of a log before batch "
                + next.position);
      }
      told.applied(batch);
      next.complete(null);
    }
  }

  /**
   * Takes nothing any more; what is not applied may be applied or not, and who waits for it is told
   * so soon.
   *
   * @return false if it had ended before
   */
  boolean end(Throwable cause) {
    List<Ordered> lost;
    synchronized (monitor) {
      if (ended) {
        return false;
      }
      ended = true;
      stopped = stopped == null ? cause : stopped;
      lost = new ArrayList<>(underWay);
      lost.addAll(waiting);
      underWay.clear();
      waiting.clear();
      waitingBytes = 0;
    }
    GraphMetaException unknown =
        new GraphMetaException(
            ErrorCode.UNREACHABLE,
            "The replica ceased to lead before it knew what the others agree on ("
                + cause.getMessage()
                + "); the replica that leads now can tell",
            cause);
    if (!lost.isEmpty()) {
      group.later(() -> lost.forEach(each -> each.completeExceptionally(unknown)));
    }
    return true;
  }

  /** Another replica may come to lead at any time. */
  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public CompletableFuture<Void> confirm() {
    return group.confirm();
  }

  @Override
  public CompletableFuture<Void> applied() {
    synchronized (monitor) {
      Ordered last = waiting.isEmpty() ? underWay.peekLast() : waiting.peekLast();
      return last == null ? CompletableFuture.completedFuture(null) : last.copy();
    }
  }

  @Override
  public void stop(Throwable cause) {
    synchronized (monitor) {
      stopped = stopped == null ? cause : stopped;
    }
  }

  @Override
  public @Nullable Throwable stopped() {
    synchronized (monitor) {
      return stopped;
    }
  }

  @Override
  public void close() {
    CompletableFuture<Void> rest;
    synchronized (monitor) {
      closed = true;
      rest = applied();
    }
    try {
      rest.get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      // Who has appended it was told.
    } catch (TimeoutException e) {
      endUnapplied();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      endUnapplied();
    }
  }

  private void endUnapplied() {
    end(new GraphMetaException(ErrorCode.CLOSED, "The log was closed before it was applied"));
  }
}
