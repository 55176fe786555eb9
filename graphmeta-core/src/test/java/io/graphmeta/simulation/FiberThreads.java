package io.graphmeta.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Threads for fibers, used again by later runs. Belongs to the thread that runs simulations, and to
 * whoever holds its baton.
 */
final class FiberThreads {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Deque<Worker> idle = new ArrayDeque<>();

  /**
   * Gives a task to a thread, which begins when it is given the baton that is returned.
   *
   * @param task answers whom to give the baton at its end
   */
  Baton assign(Supplier<Baton> task) {
    Worker worker = idle.poll();
    if (worker == null) {
      worker = new Worker();
      worker.start();
    }
    worker.task = task;
    return worker.baton;
  }

  private final class Worker extends Thread {
    private final Baton baton = new Baton(this);
    private Supplier<Baton> task = this::nothing;

    Worker() {
      super("fiber-" + NUMBER.incrementAndGet());
      setDaemon(true);
    }

    @Override
    public void run() {
      while (true) {
        baton.take();
        Baton next = runTask();
        idle.add(this);
        next.give();
      }
    }

    /** A thread that is idle keeps nothing of the simulation that it ran. */
    private Baton runTask() {
      Supplier<Baton> assigned = task;
      task = this::nothing;
      return assigned.get();
    }

    private Baton nothing() {
      return baton;
    }
  }
}
