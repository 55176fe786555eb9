package io.graphmeta.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock whose holders leave answers behind, which are given when it is free again: whoever gets
 * one may come back at once, or go to another server that has come here. Safe for use by many
 * threads.
 */
final class AnsweringLock {
  private final ReentrantLock lock = new ReentrantLock();
  private List<Runnable> answers = new ArrayList<>();

  void lock() {
    lock.lock();
  }

  boolean tryLock() {
    return lock.tryLock();
  }

  /** Leaves an answer. Only for the holder. */
  void answerLater(Runnable answer) {
    answers.add(answer);
  }

  /** Lets go of the lock, and if this was the last hold of it, gives the answers. */
  void unlock() {
    List<Runnable> ready = List.of();
    if (lock.getHoldCount() == 1 && !answers.isEmpty()) {
      ready = answers;
      answers = new ArrayList<>();
    }
    lock.unlock();
    ready.forEach(Runnable::run);
  }
}
