package io.graphmeta.simulation;

import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The threads of one process, in the one logical thread of the run: a task is done at once, as if a
 * thread had been quick, or later, or refused. What a task throws ends the task alone, as with a
 * pool of threads, and must have been planted.
 */
final class SimulatedThreads implements Executor {
  private static final long MAX_DELAY_MICROS = 5_000;

  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final Executor process;

  /**
   * Threads of a process.
   *
   * @param process runs a task in the process, at once, unless it has ended
   */
  SimulatedThreads(Scheduler scheduler, SplittableRandom random, Executor process) {
    this.scheduler = scheduler;
    this.random = random;
    this.process = process;
  }

  @Override
  public void execute(Runnable task) {
    switch (random.nextInt(4)) {
      case 0 -> throw new RejectedExecutionException("All simulated threads are at work");
      case 1 -> run(task);
      default -> scheduler.after(random.nextLong(MAX_DELAY_MICROS), () -> run(task));
    }
  }

  private void run(Runnable task) {
    try {
      process.execute(task);
    } catch (RuntimeException | Error e) {
      if (!PortFaults.isPlanted(e)) {
        throw e;
      }
    }
  }
}
