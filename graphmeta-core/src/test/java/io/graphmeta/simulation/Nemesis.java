package io.graphmeta.simulation;

import io.graphmeta.simulation.SimulatedNetwork.Weather;
import io.graphmeta.storage.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Makes trouble: kills, losses of power, partitions, clocks that jump, clients that die. */
final class Nemesis implements Trouble {
  private static final long TOLD_MICROS = 20_000;

  private final Simulation simulation;
  private final List<LoneShard> shards;
  private final SplittableRandom random;

  Nemesis(Simulation simulation, List<LoneShard> shards, SplittableRandom random) {
    this.simulation = simulation;
    this.shards = shards;
    this.random = random;
  }

  @Override
  public void start() {
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
      case 12, 13 -> simulation.replaceSplitter(random.nextInt(simulation.options().shards()));
      case 0, 1 -> kill(anyNode());
      case 2, 3 -> losePower();
      case 4 -> stop(anyNode());
      case 5, 6, 7 -> partition();
      case 8 -> disturbClock();
      case 9, 10 -> simulation.replaceClient(random.nextInt(simulation.options().clients()));
      default -> restartFailed();
    }
  }

  /** The shards of one node, which come and go together. */
  private List<LoneShard> anyNode() {
    int nodes = simulation.options().nodes();
    int node = random.nextInt(nodes);
    List<LoneShard> hosted = new ArrayList<>();
    for (int shard = node; shard < shards.size(); shard += nodes) {
      hosted.add(shards.get(shard));
    }
    return hosted;
  }

  private void kill(List<LoneShard> node) {
    end(node, LoneShard::kill);
  }

  private void stop(List<LoneShard> node) {
    end(node, LoneShard::stop);
  }

  private void end(List<LoneShard> node, Consumer<LoneShard> end) {
    List<LoneShard> up = node.stream().filter(LoneShard::leads).toList();
    up.forEach(end);
    startLater(up);
  }

  /**
   * With synced commits, of one shard; with syncs in the background, of everything: whole commits
   * may be lost then, which clients must not remember. One shard alone shares the power with its
   * clients.
   */
  private void losePower() {
    boolean all =
        simulation.options().durability() == Durability.BACKGROUND
            || simulation.options().shards() == 1
            || random.nextInt(3) == 0;
    if (all) {
      simulation.loseAllPower(shards);
      shards.forEach(shard -> startLater(List.of(shard)));
    } else {
      end(anyNode(), LoneShard::losePower);
    }
  }

  private void startLater(List<LoneShard> shards) {
    List<Integer> incarnations = shards.stream().map(LoneShard::incarnation).toList();
    simulation
        .scheduler()
        .after(
            random.nextLong(random.nextInt(4) == 0 ? 3_000_000 : 200_000),
            () -> {
              for (int i = 0; i < shards.size(); i++) {
                if (shards.get(i).incarnation() == incarnations.get(i)) {
                  shards.get(i).start();
                }
              }
            });
  }

  @Override
  public void watermarkTold(int shard) {
    if (simulation.sabotage().losesPowerWhenTold() && random.nextInt(4) == 0) {
      simulation
          .scheduler()
          .after(random.nextLong(TOLD_MICROS), () -> losePowerOf(shards.get(shard)));
    }
  }

  private void losePowerOf(LoneShard shard) {
    if (!simulation.isDraining()) {
      end(List.of(shard), LoneShard::losePower);
    }
  }

  /** A log whose sync failed takes nothing more: somebody has to open the store again. */
  private void restartFailed() {
    for (LoneShard shard : shards) {
      if (shard.hasFailed()) {
        kill(List.of(shard));
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

  @Override
  public void end() {
    simulation.network().heal();
    simulation.network().setWeather(Weather.FAIR);
    simulation.clocks().forEach(SimulatedClock::correct);
    for (LoneShard shard : shards) {
      if (shard.hasFailed()) {
        shard.kill();
      }
      if (!shard.leads()) {
        shard.start();
      }
    }
  }
}
