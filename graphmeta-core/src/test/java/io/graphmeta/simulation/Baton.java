package io.graphmeta.simulation;

import java.util.concurrent.locks.LockSupport;

/** The right to run, as one thread waits for it and another gives it. */
final class Baton {
  private final Thread thread;
  private volatile boolean given;

  /** A baton for the thread that calls. */
  Baton() {
    this(Thread.currentThread());
  }

  Baton(Thread thread) {
    this.thread = thread;
  }

  void give() {
    given = true;
    LockSupport.unpark(thread);
  }

  /** Waits until it is given. */
  void take() {
    while (!given) {
      LockSupport.park(this);
    }
    given = false;
  }
}
