package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a store that does a round of maintenance at each interval until the store closes. A
 * round that fails, with whatever error, is tried again at the next interval; until one succeeds
 * nothing may be written, because no thread would bring it to disk.
 */
final class Maintenance {
  private final Thread thread;
  private final long intervalNanos;
  private volatile boolean stopped;
  private volatile boolean hurried;
  private volatile @Nullable Throwable failure;

  /**
   * Maintenance of a store.
   *
   * @param name of the thread
   * @param round does a round; false when there is nothing left to maintain
   */
  Maintenance(String name, BooleanSupplier round, long intervalMillis) {
    intervalNanos = intervalMillis * 1_000_000;
    thread = new Thread(() -> run(round), name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Does the next round at once, behind one that is under way. */
  void hurry() {
    hurried = true; // what a round waits for can use up the permit
    LockSupport.unpark(thread);
  }

  private void run(BooleanSupplier round) {
    boolean open = true;
    while (open && !stopped) {
      if (!hurried) {
        LockSupport.parkNanos(this, intervalNanos);
      }
      hurried = false;
      try {
        open = stopped || round.getAsBoolean();
        failure = null;
      } catch (Throwable e) {
        failure = e;
      }
    }
  }

  /**
   * Fails if the last round has failed.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE}
   */
  void requireAtWork() {
    Throwable cause = failure;
    if (cause != null) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "Nothing can be written, since maintenance of the store failed ("
              + cause
              + "); it is tried again by itself",
          cause);
    }
  }

  /** Why the last round failed, in words, or null. */
  @Nullable String failure() {
    Throwable cause = failure;
    return cause == null ? null : cause.toString();
  }

  /** Ends the thread after the round under way. Safe to call again. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
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
