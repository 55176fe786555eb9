package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends promised answers whose time is over, or which could not be failed for want of memory. Nearly
 * all calls are answered long before, so what counts is what those cost: here a place in a queue,
 * which a thread looks through every few milliseconds and no call wakes. (A task of a timer for
 * each call wakes the timer's thread with every call that comes alone.) The thread is there only
 * while calls are. Safe for use by many threads.
 */
final class Deadlines {
  /** How late a timeout can be, about. */
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int EMPTY_ROUNDS = 50;

  private final ConcurrentLinkedQueue<Deadline> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();

  private record Deadline(Promise promised, int shard, Call call, long atNanos) {}

  /** Ends the promised answer with {@code TIMEOUT} when the time of its call is over. */
  void limit(Promise promised, int shard, Call call) {
    if (promised.isDone()) {
      return;
    }
    long atNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.timeoutMillis());
    pending.add(new Deadline(promised, shard, call, atNanos));
    if (!running.get() && running.compareAndSet(false, true)) {
      boolean begun = false;
      try {
        Thread thread = new Thread(this::run, "graphmeta-deadlines");
        thread.setDaemon(true);
        thread.start();
        begun = true;
      } finally {
        if (!begun) {
          running.set(false); // the next call tries again
        }
      }
    }
  }

  private void run() {
    int emptyRounds = 0;
    while (true) {
      LockSupport.parkNanos(this, ROUND_NANOS);
      try {
        endWhatIsOver();
      } catch (Throwable e) {
        // There was no memory to fail a call; the next round tries again.
      }
      emptyRounds = pending.isEmpty() ? emptyRounds + 1 : 0;
      if (emptyRounds > EMPTY_ROUNDS) {
        running.set(false);
        // A thread that adds a call reads the flag afterwards, so that one of the two sees the
        // other.
        if (pending.isEmpty() || !running.compareAndSet(false, true)) {
          return;
        }
        emptyRounds = 0;
      }
    }
  }

  private void endWhatIsOver() {
    long now = System.nanoTime();
    for (Iterator<Deadline> each = pending.iterator(); each.hasNext(); ) {
      Deadline deadline = each.next();
      deadline.promised.tellFailure();
      boolean over = now - deadline.atNanos >= 0;
      if (over) {
        deadline.promised.completeExceptionally(Answers.timeout(deadline.shard, deadline.call));
      }
      if (over || deadline.promised.isDone()) {
        each.remove();
      }
    }
  }
}
