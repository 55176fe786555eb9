package io.graphmeta.shard.commits;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock whose holders leave answers behind, which are given when it is free again: whoever gets
 * one may come back at once, or go to another server that has come here. To leave an answer takes
 * no memory, and one that cannot be given keeps no other back. Safe for use by many threads.
 */
final class AnsweringLock {
  private static final Logger LOG = LoggerFactory.getLogger(AnsweringLock.class);

  private final ReentrantLock lock = new ReentrantLock();

  /** Those that are to be given, linked in the order in which they were left. */
  private @Nullable Answer first;

  private @Nullable Answer last;

  /** Something to be told to somebody, once. */
  abstract static class Answer {
    private @Nullable Answer next;
    private boolean isLeft;

    /** Tells it; does no harm when it is called again. */
    abstract void give();
  }

  void lock() {
    try {
      lock.lock();
    } catch (OutOfMemoryError e) { // of a place in its queue
      while (!lock.tryLock()) {
        Thread.yield();
      }
    }
  }

  boolean tryLock() {
    return lock.tryLock();
  }

  /** Leaves an answer, unless it was left before. Only for the holder. */
  void answerLater(Answer answer) {
    if (answer.isLeft) {
      return;
    }
    answer.isLeft = true;
    if (last == null) {
      first = answer;
    } else {
      last.next = answer;
    }
    last = answer;
  }

  /** Lets go of the lock, and if this was the last hold of it, gives the answers. */
  void unlock() {
    Answer ready = null;
    if (lock.getHoldCount() == 1) {
      ready = first;
      first = null;
      last = null;
    }
    lock.unlock();
    for (; ready != null; ready = ready.next) {
      give(ready);
    }
  }

  private static void give(Answer answer) {
    try {
      answer.give();
    } catch (Throwable e) {
      giveAgain(answer, e);
    }
  }

  /** What was in want of memory or stack may have it now. */
  private static void giveAgain(Answer answer, Throwable failure) {
    try {
      answer.give();
      LOG.warn("Whoever was given an answer failed", failure);
    } catch (Throwable e) {
      // Nothing is left to be done for this one, and the others wait for theirs.
    }
  }
}
