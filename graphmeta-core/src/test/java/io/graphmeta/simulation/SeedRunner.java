package io.graphmeta.simulation;

import io.graphmeta.simulation.Simulation.Outcome;
import java.util.List;

/** Plays seeds one after another on its own threads. Belongs to one thread. */
final class SeedRunner {
  private static final int LAST_EVENTS = Integer.getInteger("graphmeta.last-events", 100);
  private static final int EVENTS_ABOUT = 60;

  private final FiberThreads threads = new FiberThreads();

  /** Plays a seed; a failure tells how to play it again and what happened last. */
  Outcome run(long seed) {
    return run(seed, Sabotage.NONE);
  }

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

  /** The trace of a seed, as a number. */
  long fingerprint(long seed) {
    Simulation simulation = new Simulation(seed, Sabotage.NONE, threads);
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
            "\nPlay it again with: mvn -pl graphmeta-core -am test -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false")
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
