package io.graphmeta.shard.commits;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock whose holders leave answers behind, which are given when the lock is free again: the one
 * that gets an answer may come back with another request at once, or go on to another shard that
 * waits for this lock. To leave an answer takes no memory. One that cannot be given for want of
 * memory keeps no other back, and is left again: the next that lets go of the lock gives it, be it
 * the thread that keeps house. Safe for use by many threads.
 */
final class AnsweringLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(AnsweringLock.class);

  /** The answers that are to be given, linked in the order in which they were left. */
  private transient @Nullable Answer first;

  private transient @Nullable Answer last;

  private final transient Runnable whenFree;
  private final transient Runnable afterwards;

  /**
   * A lock.
   *
   * @param whenFree called each time the lock has become free, before the answers are given
   * @param afterwards called by {@link #unlock} behind the answers; if it takes the lock it lets it
   *     go by {@link #release}
   */
  AnsweringLock(Runnable whenFree, Runnable afterwards) {
    this.whenFree = whenFree;
    this.afterwards = afterwards;
  }

  /** Something to be told to somebody, once. */
  abstract static class Answer {
    private @Nullable Answer next;
    private boolean isLeft;

    /** Tells it; does no harm when it is called again. */
    abstract void give();

    /** Whether who waits for it has it. */
    abstract boolean isGiven();
  }

  @Override
  public void lock() {
    try {
      super.lock();
    } catch (OutOfMemoryError e) { // of a place in its queue
      while (!tryLock()) {
        Thread.yield();
      }
    }
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

  /** Lets go of the lock; if this was the last hold of it, does what is to be done then. */
  @Override
  public void unlock() {
    boolean isLast = getHoldCount() == 1;
    release();
    if (isLast) {
      try {
        afterwards.run();
      } catch (Throwable e) {
        // It is done by the next that lets go of the lock.
      }
    }
  }

  /**
   * Lets go of the lock, and if this was the last hold of it, says that it is free and gives the
   * answers.
   */
  void release() {
    boolean isLast = getHoldCount() == 1;
    Answer ready = null;
    if (isLast) {
      ready = first;
      first = null;
      last = null;
    }
    super.unlock();
    if (isLast) {
      tellFree();
    }
    Answer untold = null;
    while (ready != null) {
      Answer next = ready.next;
      ready.next = null;
      give(ready);
      if (!ready.isGiven()) {
        ready.next = untold;
        untold = ready;
      }
      ready = next;
    }
    if (untold != null) {
      leaveAgain(untold);
    }
  }

  /** Leaves answers for the next that lets go of the lock. */
  private void leaveAgain(Answer untold) {
    lock();
    Answer newest = untold;
    while (newest.next != null) {
      newest = newest.next;
    }
    newest.next = first;
    first = untold;
    last = last == null ? newest : last;
    super.unlock();
    tellFree();
  }

  private void tellFree() {
    try {
      whenFree.run();
    } catch (Throwable e) {
      // Who waits looks for itself now and then; the answers must be given.
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
      LOG.warn("The receiver of an answer failed", failure);
    } catch (Throwable e) {
      // The others wait for their answers; this one is left again if it was not given.
    }
  }
}
