package io.graphmeta.simulation;

import io.graphmeta.simulation.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Plays seeds one after another on its own threads. Belongs to one thread. */
final class SeedRunner {
  private static final int LAST_EVENTS = Integer.getInteger("graphmeta.last-events", 100);
  private static final int EVENTS_ABOUT = 60;

  private final FiberThreads threads = new FiberThreads();

  /** Plays a seed; a failure tells how to play it again and what happened last. */
  Outcome run(long seed) {
    return run(seed, Sabotage.NONE);
  }

  /** As above, where something is wrong, or other worlds are drawn. */
  Outcome run(long seed, Sabotage sabotage) {
    Simulation simulation = new Simulation(seed, sabotage, threads);
    try {
      return simulation.run();
    } catch (Violation violation) {
      throw new FailedSeed(violation, story(seed, simulation, violation, violation.about()));
    } catch (RuntimeException | Error failure) {
      throw new FailedSeed(failure, story(seed, simulation, failure, "peace"));
    }
  }

  /** Plays seeds in two threads, and tells how long that took; fails as the first that fails. */
  static Outcome playAll(long first, long count, Supplier<Sabotage> world) {
    AtomicLong next = new AtomicLong(first);
    long start = System.nanoTime();
    List<CompletableFuture<Outcome>> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(2, Runtime.getRuntime().availableProcessors()); i++) {
      CompletableFuture<Outcome> part = new CompletableFuture<>();
      parts.add(part);
      new Thread(
              () -> {
                try {
                  part.complete(play(next, first + count, world));
                } catch (RuntimeException | Error e) {
                  next.set(first + count);
                  part.completeExceptionally(e);
                }
              })
          .start();
    }
    Outcome sum = Outcome.NONE;
    Throwable failure = null;
    for (CompletableFuture<Outcome> part : parts) {
      try {
        sum = sum.plus(part.join());
      } catch (CompletionException e) {
        failure = e.getCause();
      }
    }
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw new AssertionError(failure);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf(
        "%d seeds in %d ms, %d seeds per minute: %s%n",
        count, millis, count * 60_000 / Math.max(1, millis), sum);
    return sum;
  }

  private static Outcome play(AtomicLong next, long end, Supplier<Sabotage> world) {
    SeedRunner runner = new SeedRunner();
    Outcome sum = Outcome.NONE;
    for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
      sum = sum.plus(runner.run(seed, world.get()));
    }
    return sum;
  }

  /** The trace of a seed, as a number. */
  long fingerprint(long seed, Sabotage sabotage) {
    Simulation simulation = new Simulation(seed, sabotage, threads);
    simulation.run();
    return simulation.trace().fingerprint();
  }

  private static String story(long seed, Simulation simulation, Throwable failure, String about) {
    StringBuilder story = new StringBuilder();
    story
        .append("Seed ")
        .append(seed)
        .append(" failed: ")
        .append(failure)
        .append(
            "\nPlay it again with: mvn -pl graphmeta-core -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=")
        .append(
            simulation.sabotage() == Sabotage.NONE ? "SimulationTest" : "ReplicasSimulationTest")
        .append(" -Dgraphmeta.seed=")
        .append(seed)
        .append("\nWorld: ")
        .append(simulation.options())
        .append("\nEarlier events that name ")
        .append(about)
        .append(":\n");
    append(story, simulation.trace().naming(about, LAST_EVENTS, EVENTS_ABOUT));
    story.append("The last events:\n");
    append(story, simulation.trace().last(LAST_EVENTS));
    return story.toString();
  }

  private static void append(StringBuilder story, List<String> lines) {
    lines.forEach(line -> story.append(line).append('\n'));
  }

  /** A seed that failed, with its story. */
  static final class FailedSeed extends AssertionError {
    private static final long serialVersionUID = 1L;

    FailedSeed(Throwable cause, String story) {
      super(story, cause);
    }
  }
}
