package io.graphmeta.simulation;

import io.graphmeta.simulation.SimulatedNetwork.Weather;
import io.graphmeta.storage.Durability;
import java.util.List;
import java.util.SplittableRandom;

/** Makes trouble: kills, losses of power, partitions, clocks that jump, clients that die. */
final class Nemesis {
  private final Simulation simulation;
  private final SplittableRandom random;

  Nemesis(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  void start() {
    if (simulation.options().troubleMicros() > 0) {
      next();
    }
  }

  private void next() {
    simulation
        .scheduler()
        .after(
            random.nextLong(2 * simulation.options().troubleMicros()),
            () -> {
              if (!simulation.isDraining()) {
                trouble();
                next();
              }
            });
  }

  private void trouble() {
    switch (random.nextInt(14)) {
      case 12, 13 -> simulation.replaceSplitter(random.nextInt(simulation.options().servers()));
      case 0, 1 -> kill(anyServer());
      case 2, 3 -> losePower();
      case 4 -> stop(anyServer());
      case 5, 6, 7 -> partition();
      case 8 -> disturbClock();
      case 9, 10 -> simulation.replaceClient(random.nextInt(simulation.options().clients()));
      default -> restartFailed();
    }
  }

  private SimulatedServer anyServer() {
    return simulation.servers().get(random.nextInt(simulation.servers().size()));
  }

  private void kill(SimulatedServer server) {
    if (server.isUp()) {
      server.kill();
      startLater(server);
    }
  }

  private void stop(SimulatedServer server) {
    if (server.isUp()) {
      server.stop();
      startLater(server);
    }
  }

  /**
   * With synced commits, of one server; with syncs in the background, of everything: whole commits
   * may be lost then, which clients must not remember. One server alone shares the power with its
   * clients.
   */
  private void losePower() {
    boolean all =
        simulation.options().durability() == Durability.BACKGROUND
            || simulation.options().servers() == 1
            || random.nextInt(3) == 0;
    if (all) {
      simulation.loseAllPower();
      simulation.servers().forEach(this::startLater);
    } else {
      SimulatedServer server = anyServer();
      if (server.isUp()) {
        server.losePower();
        startLater(server);
      }
    }
  }

  private void startLater(SimulatedServer server) {
    int incarnation = server.incarnation();
    simulation
        .scheduler()
        .after(
            random.nextLong(random.nextInt(4) == 0 ? 3_000_000 : 200_000),
            () -> {
              if (server.incarnation() == incarnation) {
                server.start();
              }
            });
  }

  /** A log whose sync failed takes nothing more: somebody has to open the store again. */
  private void restartFailed() {
    for (SimulatedServer server : simulation.servers()) {
      if (server.hasFailed()) {
        kill(server);
      }
    }
  }

  private void partition() {
    List<Integer> nodes = simulation.nodes();
    boolean bothWays = random.nextInt(3) != 0;
    for (int from : nodes) {
      for (int to : nodes) {
        boolean apart = random.nextInt(3) == 0;
        if (from < to && apart) {
          simulation.network().cut(from, to);
          if (bothWays) {
            simulation.network().cut(to, from);
          }
        }
      }
    }
    simulation.trace("partition");
    simulation
        .scheduler()
        .after(
            random.nextLong(1_500_000),
            () -> {
              simulation.network().heal();
              simulation.trace("partition healed");
            });
  }

  private void disturbClock() {
    long allowed = simulation.options().maxOffsetMicros();
    long offset = random.nextInt(8) == 0 ? allowed * 4 : allowed / 3;
    List<SimulatedClock> clocks = simulation.clocks();
    SimulatedClock clock = clocks.get(random.nextInt(clocks.size()));
    clock.disturb(random, offset);
    simulation.trace("a clock jumps to ", clock.toString());
  }

  /** Ends all trouble. */
  void end() {
    simulation.network().heal();
    simulation.network().setWeather(Weather.FAIR);
    simulation.clocks().forEach(SimulatedClock::correct);
    for (SimulatedServer server : simulation.servers()) {
      if (server.hasFailed()) {
        server.kill();
      }
      if (!server.isUp()) {
        server.start();
      }
    }
  }
}
