package io.graphmeta.stage.level;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A range of positions that several threads go through in portions: the thread that shares it, and
 * threads of an executor that are free. A thread that becomes free only when the range is done
 * takes no part; so the sharing thread never waits for a thread that is not at work. Used once.
 */
final class SharedRange {
  private final int size;
  private final int portion;
  private final AtomicInteger next = new AtomicInteger();

  /** Threads of the executor that are at work. */
  @GuardedBy("this")
  private int working;

  @GuardedBy("this")
  private boolean over;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  SharedRange(int size, int portion) {
    this.size = size;
    this.portion = portion;
  }

  /** What one thread does with a portion. */
  @FunctionalInterface
  interface Worker {
    void run(int from, int to);
  }

  /**
   * Goes through the range.
   *
   * @param own the worker of the calling thread
   * @param others workers of threads of the executor
   * @throws RuntimeException what a worker threw, when no thread is at work any more
   */
  void share(Worker own, List<Worker> others, Executor executor) {
    for (Worker other : others) {
      try {
        executor.execute(() -> join(other));
      } catch (RejectedExecutionException e) {
        break; // nobody has time
      }
    }
    try {
      work(own);
    } finally {
      end();
    }
    synchronized (this) {
      if (failure != null) {
        throw TraversalErrors.ended(failure);
      }
    }
  }

  private void join(Worker worker) {
    synchronized (this) {
      if (over) {
        return;
      }
      working++;
    }
    Throwable failed = null;
    try {
      work(worker);
    } catch (Throwable e) { // of the virtual machine too, or the others would wait for ever
      failed = e;
    } finally {
      leave(failed);
    }
  }

  private void work(Worker worker) {
    for (int from = take(); from < size; from = take()) {
      worker.run(from, (int) Math.min(size, (long) from + portion));
    }
  }

  private int take() {
    return next.getAndUpdate(at -> (int) Math.min(size, (long) at + portion));
  }

  private synchronized void leave(@Nullable Throwable failed) {
    if (failed != null) {
      failure = failed;
      next.set(size);
    }
    working--;
    notifyAll();
  }

  private synchronized void end() {
    next.set(size);
    over = true;
    boolean interrupted = false;
    while (working > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // what the others write to must not be given up before they end
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
