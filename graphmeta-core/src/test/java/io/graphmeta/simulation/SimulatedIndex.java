package io.graphmeta.simulation;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.shard.index.FakeIndex;
import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.shard.index.IndexSource;
import io.graphmeta.simulation.Violation.Invariant;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The index of one shard through the incarnations of that: a disk that keeps what was committed,
 * and the steps of the thread that lets it follow the store.
 */
final class SimulatedIndex {
  private static final long[] PACES_MICROS = {5_000, 30_000, 200_000};
  private static final int MICROS_OF_A_MILLISECOND = 40; // so that it is committed often
  private static final double FAILURES_OF_A_FAULT = 2;
  private static final int MOST_CALLS_BEFORE = 12;

  private final int shard;
  private final Simulation simulation;
  private final SplittableRandom random;
  private final FakeIndex.Disk disk = new FakeIndex.Disk();
  private final IndexSource source;
  private final long paceMicros;

  SimulatedIndex(int shard, Simulation simulation, SplittableRandom random) {
    this.shard = shard;
    this.simulation = simulation;
    this.random = random;
    this.source = simulation.sabotage().index(shard, disk);
    this.paceMicros = PACES_MICROS[random.nextInt(PACES_MICROS.length)];
  }

  FakeIndex.Disk disk() {
    return disk;
  }

  /**
   * Follows the store of a process from now on.
   *
   * @param process does something in it, unless it has ended
   * @param faults of its ports
   */
  void follow(IndexFollower follower, Consumer<Runnable> process, PortFaults faults) {
    after(
        1 + random.nextLong(2 * paceMicros),
        follower,
        task ->
            process.accept(
                () -> {
                  failOnOpening(faults);
                  task.run();
                  faults.failNoMore();
                }),
        process);
  }

  /** Often the first step does not come to its end, in which the index is opened. */
  private void failOnOpening(PortFaults faults) {
    if (simulation.portFaults() > 0 && random.nextInt(3) == 0) {
      faults.failAfter(random.nextInt(MOST_CALLS_BEFORE));
    }
  }

  private void after(
      long micros, IndexFollower follower, Consumer<Runnable> now, Consumer<Runnable> later) {
    simulation
        .scheduler()
        .after(
            micros,
            () ->
                now.accept(
                    () -> {
                      boolean more = step(follower);
                      long pause = more ? 2_000 : 2 * paceMicros;
                      after(1 + random.nextLong(pause), follower, later, later);
                    }));
  }

  private boolean step(IndexFollower follower) {
    Throwable failure = null;
    if (random.nextDouble() < FAILURES_OF_A_FAULT * simulation.portFaults()) {
      failure = PortFaults.ofIndex(random);
      disk.failAfter(random.nextInt(MOST_CALLS_BEFORE), failure);
      simulation.faultPlanted();
    }
    boolean more = follower.step(source, millis());
    if (simulation.isDraining() || failure != null && !(failure instanceof GraphMetaException)) {
      disk.failAfter(0, null); // else who asks the index meets it
    }
    if (!follower.fault().isEmpty() && !PortFaults.isPlanted(follower.fault())) {
      throw new Violation(
          Invariant.NO_DEFECT, "s" + shard, "Index of shard " + shard + ": " + follower.fault());
    }
    return more;
  }

  private long millis() {
    return simulation.scheduler().now() / MICROS_OF_A_MILLISECOND;
  }

  /** The process ends as it should. */
  void end(IndexFollower follower) {
    follower.close(millis());
  }
}
