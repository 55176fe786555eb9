package io.graphmeta.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: events in the order of their times, ties broken by the seed. Together with its
 * {@link Fiber fibers} it is one logical thread. Exactly one of the real threads runs at any
 * moment, the one that holds the baton; a fiber that has to wait runs the events itself until it is
 * its turn again or that of another fiber, to which it then hands the baton over.
 */
final class Scheduler {
  private record Event(long micros, int tie, long number, Runnable action)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int order = Long.compare(micros, other.micros);
      order = order != 0 ? order : Integer.compare(tie, other.tie);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Deque<Fiber> ready = new ArrayDeque<>();
  private final Set<Fiber> living = new LinkedHashSet<>();
  private final SplittableRandom random;
  private final FiberThreads threads;
  private final Fiber main = new Fiber("main", new Baton());
  private Fiber running = main;
  private long now;
  private long number;
  private boolean stopped;
  private @Nullable Throwable failure;

  Scheduler(SplittableRandom random, FiberThreads threads) {
    this.random = random;
    this.threads = threads;
  }

  /** Microseconds since the start. */
  long now() {
    return now;
  }

  long events() {
    return number;
  }

  /** Lets something happen later. */
  void after(long micros, Runnable action) {
    events.add(new Event(now + Math.max(0, micros), random.nextInt(), number++, action));
  }

  /** Ends the run after the event under way. */
  void stop() {
    stopped = true;
  }

  /** Ends the run with a failure. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    stopped = true;
  }

  /** Starts a fiber; it runs when the event under way is over. */
  Fiber start(String name, Runnable task) {
    Fiber fiber = new Fiber(name, threads.assign(() -> runFiber(task)));
    living.add(fiber);
    ready.add(fiber);
    return fiber;
  }

  private Baton runFiber(Runnable task) {
    Fiber self = running;
    try {
      if (!self.killed) {
        task.run();
      }
    } catch (FiberKilled e) {
      // It was told to end.
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    living.remove(self);
    running = main;
    return main.baton;
  }

  /** Ends a fiber at the place where it waits. */
  void kill(Fiber fiber) {
    fiber.killed = true;
    if (fiber.waitingFor != null) {
      fiber.waitingFor = null;
      ready.add(fiber);
    }
  }

  /** Runs until stopped. Called by the thread that made the scheduler. */
  void run() {
    loop(main);
    for (Fiber fiber : Set.copyOf(living)) {
      fiber.killed = true;
    }
    while (!living.isEmpty()) {
      handOver(main, living.iterator().next());
    }
    if (failure instanceof Error error) {
      throw error;
    } else if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** Lets whoever calls wait until the future is complete. */
  void await(CompletableFuture<?> future) {
    Fiber self = running;
    if (self.killed) {
      throw new FiberKilled();
    }
    if (!future.isDone()) {
      self.waitingFor = future;
      future.whenComplete((value, error) -> wake(self, future));
      loop(self);
    }
    if (self.killed) {
      throw new FiberKilled();
    }
  }

  /** Whether whoever calls is a fiber that was killed. */
  boolean isDying() {
    return running.killed;
  }

  private void wake(Fiber fiber, CompletableFuture<?> future) {
    if (fiber.waitingFor == future) {
      fiber.waitingFor = null;
      ready.add(fiber);
    }
  }

  /** Lets the fiber that calls wait. */
  void sleep(long micros) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    after(micros, () -> over.complete(null));
    await(over);
  }

  private void loop(Fiber self) {
    while (true) {
      if (stopped && self == main) {
        return;
      }
      Fiber next = stopped ? main : ready.poll();
      if (next == null) {
        step();
      } else if (next == self) {
        return;
      } else {
        handOver(self, next);
        if (self != main) {
          return;
        }
      }
    }
  }

  private void handOver(Fiber from, Fiber to) {
    running = to;
    to.baton.give();
    from.baton.take();
    running = from;
  }

  private void step() {
    Event event = events.poll();
    if (event == null) {
      fail(new IllegalStateException("Nothing is left to happen"));
      return;
    }
    now = event.micros;
    try {
      event.action.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** A client: code that can wait. */
  static final class Fiber {
    private final String name;
    private final Baton baton;
    private boolean killed;
    private @Nullable CompletableFuture<?> waitingFor;

    private Fiber(String name, Baton baton) {
      this.name = name;
      this.baton = baton;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Unwinds a fiber. An error, so that nobody on the way takes it for a failure to handle. */
  static final class FiberKilled extends Error {
    private static final long serialVersionUID = 1L;

    FiberKilled() {
      super("killed", null, false, false);
    }
  }
}
