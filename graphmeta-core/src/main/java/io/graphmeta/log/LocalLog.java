package io.graphmeta.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The log of a store by itself: its own write-ahead log. The thread that appends writes, so that an
 * entry is applied when it is ordered. One thread at a time syncs, once for all entries that came
 * before it began, so that no writer keeps others from writing while it waits for the disk: a
 * caller that has appended {@linkplain #appendToSync to sync} and finds no thread syncing, or else
 * the thread of the log, which goes on for as long as an entry waits.
 *
 * <p>Once a sync has failed, with whatever error but a want of memory that passes, it is not known
 * what is on the disk: the log takes no more entries until the store is opened again. Nothing is
 * thrown once an entry is in the store, and what must be done from then on takes no memory. Safe
 * for use by many threads.
 */
public final class LocalLog implements ReplicationLog {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private static final int MAX_SYNCED_AGAIN = 200;
  private static final int MAX_TOLD_AGAIN = 200;
  private static final long PAUSE_NANOS = 1_000_000;

  private final StorageEngine storage;
  private final boolean callersSync;
  private final Thread thread;

  private final Object monitor = new Object();
  private volatile Told told = Told.NOBODY;

  /** The entries that wait for the next sync, newest first. */
  @GuardedBy("monitor")
  private @Nullable Waiting waiting;

  /** Whether one of them is left to the thread. */
  @GuardedBy("monitor")
  private boolean handedOver;

  @GuardedBy("monitor")
  private boolean started;

  @GuardedBy("monitor")
  private boolean syncing;

  @GuardedBy("monitor")
  private boolean syncFailed;

  @GuardedBy("monitor")
  private boolean closed;

  @GuardedBy("monitor")
  private @Nullable Throwable stopped;

  /** An entry that waits for a sync. */
  private static final class Waiting extends CompletableFuture<Void> {
    @Nullable Waiting before;
  }

  /** The log of a store; {@code name} is for its thread, which does all syncs. */
  public LocalLog(StorageEngine storage, String name) {
    this(storage, name, false);
  }

  /**
   * The log of a store.
   *
   * @param name of its thread
   * @param callersSync whether callers that append to sync may do so themselves
   */
  public LocalLog(StorageEngine storage, String name, boolean callersSync) {
    this.storage = storage;
    this.callersSync = callersSync;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  @Override
  public void tell(Told of) {
    told = of;
  }

  @Override
  public void requireRoom() {
    storage.requireRoom();
  }

  private void tellOf(RowBatch entry) {
    Told of = told;
    of.ordered(entry);
    of.applied(entry);
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    return append(entry, durability, true);
  }

  @Override
  public CompletableFuture<Void> appendToSync(RowBatch entry) {
    return append(entry, Durability.SYNC, !callersSync);
  }

  private CompletableFuture<Void> append(RowBatch entry, Durability durability, boolean handOver) {
    boolean syncs = durability == Durability.SYNC;
    Waiting entered = new Waiting();
    synchronized (monitor) {
      requireUsable();
      if (syncs && handOver) {
        startThread();
      }
    }
    StackOverflowError overflow = null;
    try {
      storage.write(entry, Durability.BACKGROUND);
    } catch (StackOverflowError e) { // behind the write, for all that is known
      overflow = e;
    }
    try {
      tellOf(entry);
    } catch (StackOverflowError e) {
      overflow = e;
    }
    if (overflow != null) {
      stop(overflow);
      entered.completeExceptionally(overflow);
      return entered;
    }
    if (!syncs) {
      return DONE;
    }
    enter(entered, handOver);
    return entered;
  }

  /** Lets an entry that is in the store wait for a sync. */
  private void enter(Waiting entered, boolean handOver) {
    boolean late;
    synchronized (monitor) {
      entered.before = waiting;
      waiting = entered;
      handedOver |= handOver;
      late = closed;
      if (handOver) {
        monitor.notifyAll();
      }
    }
    if (late) { // the thread may have ended
      bringToDisk();
    }
  }

  private void requireUsable() {
    synchronized (monitor) {
      if (stopped != null) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE,
            (syncFailed ? "A sync of the log failed (" : "The log was stopped (")
                + stopped
                + "); close the database, look after the disk, and open it again",
            stopped);
      }
      if (closed) {
        throw new GraphMetaException(ErrorCode.CLOSED, "The log is closed");
      }
    }
  }

  @GuardedBy("monitor")
  private void startThread() {
    if (!started) {
      thread.start();
      started = true;
    }
  }

  private void run() {
    boolean open = true;
    while (open) {
      synchronized (monitor) {
        while ((syncing || waiting == null || !handedOver) && !closed) {
          awaitChange();
        }
        open = !closed; // what is left then is brought to disk by the thread that closes
      }
      if (open) {
        bringToDisk();
      }
    }
  }

  @GuardedBy("monitor")
  private void awaitChange() {
    try {
      monitor.wait();
    } catch (InterruptedException e) {
      // No thread has a reason to interrupt this one; it ends when the log is closed.
    }
  }

  @Override
  public void bringToDisk() {
    boolean more = true;
    while (more) {
      Waiting group;
      boolean failed;
      synchronized (monitor) {
        if (syncing || waiting == null) {
          handedOver |= waiting != null;
          return;
        }
        syncing = true;
        handedOver = false;
        group = waiting;
        waiting = null;
        failed = syncFailed;
      }
      Throwable failure = failed ? stopped() : sync();
      synchronized (monitor) {
        syncing = false;
        more = waiting != null && handedOver && !isLeftToThread();
        if (handedOver || closed) {
          monitor.notifyAll();
        }
      }
      tell(group, failure);
    }
  }

  /** Whether the thread does what was handed over. */
  @GuardedBy("monitor")
  private boolean isLeftToThread() {
    if (closed || Thread.currentThread() == thread) {
      return false;
    }
    try {
      startThread();
      return true;
    } catch (Throwable e) { // no thread can be had: this one goes on
      return false;
    }
  }

  private @Nullable Throwable sync() {
    Throwable failure = trySync();
    for (int again = 0; failure instanceof OutOfMemoryError && again < MAX_SYNCED_AGAIN; again++) {
      LockSupport.parkNanos(this, PAUSE_NANOS); // this says nothing of the disk
      failure = trySync();
    }
    if (failure != null) {
      synchronized (monitor) {
        syncFailed = true;
        stopped = stopped == null ? failure : stopped;
      }
    }
    return failure;
  }

  private @Nullable Throwable trySync() {
    try {
      storage.sync();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Completes all entries that waited, in the order in which they came. */
  private static void tell(Waiting newest, @Nullable Throwable failure) {
    Waiting told = null;
    for (Waiting each = newest; each != null; ) {
      Waiting before = each.before;
      each.before = told;
      told = each;
      each = before;
    }
    for (; told != null; told = told.before) {
      try {
        tellOne(told, failure);
      } catch (Throwable e) {
        tellAgain(told, failure);
      }
    }
  }

  private static void tellOne(Waiting entry, @Nullable Throwable failure) {
    if (failure == null) {
      entry.complete(null);
    } else {
      entry.completeExceptionally(failure);
    }
  }

  /** What was in want of memory may have it now. */
  private static void tellAgain(Waiting entry, @Nullable Throwable failure) {
    for (int again = 0; again == 0 || again < MAX_TOLD_AGAIN && !entry.isDone(); again++) {
      try {
        tellOne(entry, failure);
      } catch (Throwable e) { // the others wait to be completed, too
        LockSupport.parkNanos(entry, PAUSE_NANOS);
      }
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
    boolean interrupted = false;
    boolean under = true;
    while (under) {
      bringToDisk();
      synchronized (monitor) {
        closed = true;
        monitor.notifyAll();
        under = syncing || waiting != null;
        if (syncing) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
    }
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
