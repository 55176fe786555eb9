package io.graphmeta.simulation;

import java.util.SplittableRandom;

/**
 * What the members of groups send one another: by the same network as all else, with the partitions
 * that it has. A message can be late, overtake others, and come twice.
 */
final class GroupMessages {
  private static final double DOUBLED = 0.03;
  private static final double LATE = 0.01;
  private static final long LATE_MICROS = 150_000;
  private static final long USUAL_MICROS = 1_500;

  private final Simulation simulation;
  private final SplittableRandom random;

  GroupMessages(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** Lets a message arrive, unless it is lost. */
  void carry(SimulatedHost from, SimulatedHost to, Runnable arrives) {
    int life = to.incarnation();
    double trouble = simulation.isDraining() ? 0 : 1;
    int copies = random.nextDouble() < trouble * DOUBLED ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      long micros =
          30 + random.nextLong(random.nextDouble() < trouble * LATE ? LATE_MICROS : USUAL_MICROS);
      simulation
          .scheduler()
          .after(
              micros,
              () -> {
                if (to.isUp()
                    && to.incarnation() == life
                    && simulation.network().passes(from.number(), to.number())) {
                  arrives.run();
                }
              });
    }
  }
}
