package io.graphmeta.stage;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs large levels on threads of the shard. A message of a client in the same process is handled
 * by its own thread, and so one shard after the other would run its part of a level: each gives a
 * large part to a thread of its own, and the client waits for all of them. Small parts take less
 * time than a thread takes to wake. Safe for use by many threads.
 */
final class LargeLevels {
  /**
   * Of the elements that several threads of a shard share, a part that one of them is woken for.
   */
  private static final int SHARE = 16;

  private final @Nullable Executor threads;
  private final int most;
  private final int leastElements;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * Levels on some threads.
   *
   * @param threads null for none
   * @param most levels at a time; more are run by those who ask for them
   * @param leastShared the least number of elements that several threads share
   */
  LargeLevels(@Nullable Executor threads, int most, int leastShared) {
    this.threads = threads;
    this.most = most;
    this.leastElements = Math.max(1, leastShared / SHARE);
  }

  /** Has a level run by a thread of the shard; false if the caller is to run it. */
  boolean run(long elements, Runnable level) {
    Executor executor = threads;
    if (executor == null || elements < leastElements) {
      return false;
    }
    boolean isFree = running.getAndUpdate(now -> Math.min(most, now + 1)) < most;
    if (!isFree) {
      return false;
    }
    try {
      executor.execute(
          () -> {
            try {
              level.run();
            } finally {
              running.decrementAndGet();
            }
          });
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      running.decrementAndGet(); // no thread for it: the threads are busy, or none can be made
      return false;
    }
  }
}
