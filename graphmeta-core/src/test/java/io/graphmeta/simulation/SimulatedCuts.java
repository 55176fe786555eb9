package io.graphmeta.simulation;

import java.util.SplittableRandom;

/**
 * Cuts the logs of all shards at one moment, from time to time. A cut is on the disks later, unless
 * the power was lost meanwhile: then the one before it counts.
 */
final class SimulatedCuts {
  private final Simulation simulation;
  private final SplittableRandom random;

  SimulatedCuts(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** Takes a cut after a while, and then others. */
  void next() {
    long micros = simulation.options().backgroundSyncMicros();
    simulation
        .scheduler()
        .after(
            micros / 2 + random.nextLong(micros),
            () -> look(new long[simulation.options().shards()], 0, simulation.powerLosses()));
  }

  /** Looks at the logs from a shard on; at once, but for a defect. */
  private void look(long[] entries, int shard, int powerLosses) {
    long pause = simulation.sabotage().cutMicros();
    for (int s = shard; s < entries.length; s++) {
      entries[s] = simulation.shards().get(s).disk().entries();
      if (pause > 0 && s + 1 < entries.length) {
        int other = s + 1;
        simulation.scheduler().after(pause, () -> look(entries, other, powerLosses));
        return;
      }
    }
    long micros = 20 + random.nextLong(2 * simulation.diskFaults().syncMicros());
    simulation
        .scheduler()
        .after(
            micros,
            () -> {
              if (simulation.powerLosses() == powerLosses) {
                for (int s = 0; s < entries.length; s++) {
                  simulation.shards().get(s).disk().cut(entries[s]);
                }
              }
              next();
            });
  }
}
