package io.graphmeta.simulation;

import io.graphmeta.simulation.SimulatedNetwork.Weather;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes trouble where shards have replicas: nodes die or stop, are cut off, the one that leads from
 * the others alone; leaders are handed over or disturbed, replicas move, clocks jump, clients die.
 */
final class ReplicaTrouble implements Trouble {
  private static final long MAX_CHANGE_MICROS = 60_000;

  private final Simulation simulation;
  private final SimulatedCluster cluster;
  private final SplittableRandom random;

  ReplicaTrouble(Simulation simulation, SimulatedCluster cluster, SplittableRandom random) {
    this.simulation = simulation;
    this.cluster = cluster;
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
    if (simulation.sabotage().movesReplicas() && random.nextInt(8) != 0) {
      anyShard().want();
      return;
    }
    if (simulation.sabotage().keepsFormerLeaders() && random.nextInt(4) != 0) {
      simulation.network().heal(); // one at a time, so that the others go on
      isolateLeader();
      return;
    }
    switch (random.nextInt(20)) {
      case 0, 1 -> kill(anyHost());
      case 2 -> stop(anyHost());
      case 3 -> killAll();
      case 4, 5, 6, 7 -> isolateLeader();
      case 8, 9 -> partition();
      case 10, 11 -> anyShard().transfer();
      case 12 -> anyShard().disturb();
      case 13, 14, 15, 16 -> anyShard().want();
      case 17 -> disturbClock();
      case 18 -> simulation.replaceClient(random.nextInt(simulation.options().clients()));
      default -> simulation.replaceSplitter(random.nextInt(simulation.options().shards()));
    }
  }

  private ReplicatedShard anyShard() {
    return cluster.shards().get(random.nextInt(cluster.shards().size()));
  }

  private SimulatedHost anyHost() {
    return cluster.host(random.nextInt(cluster.hosts().size()));
  }

  private void kill(SimulatedHost host) {
    cluster.kill(host);
    cluster.startLater(host);
  }

  private void stop(SimulatedHost host) {
    cluster.stop(host);
    cluster.startLater(host);
  }

  private void killAll() {
    List<SimulatedHost> up = cluster.hosts().stream().filter(SimulatedHost::isUp).toList();
    up.forEach(cluster::kill);
    up.forEach(cluster::startLater);
  }

  /** Who leads hears nothing of the other nodes, or they of it; clients reach it as before. */
  private void isolateLeader() {
    int leader = anyShard().leadingHost();
    if (leader < 0) {
      return;
    }
    int ways = random.nextInt(8);
    for (SimulatedHost other : cluster.hosts()) {
      if (other.number() != leader) {
        if (ways != 0) {
          simulation.network().cut(leader, other.number());
        }
        if (ways != 1) {
          simulation.network().cut(other.number(), leader);
        }
      }
    }
    simulation.trace("h", leader, " is cut off from the other nodes");
    healLater(2_500_000);
  }

  /**
   * Who leads a group that takes in a member, alone with that one or with the one that goes, hears
   * nothing of the others: in half of the cases before any of these hears of the change.
   */
  @Override
  public void membersChange(int leader, int from, int to) {
    if (random.nextInt(simulation.sabotage().keepsFormerLeaders() ? 2 : 6) != 0) {
      return;
    }
    if (random.nextBoolean()) {
      cutOff(leader, to);
    } else {
      int companion = random.nextBoolean() ? from : to;
      simulation
          .scheduler()
          .after(
              random.nextLong(MAX_CHANGE_MICROS),
              () -> {
                if (!simulation.isDraining()) {
                  cutOff(leader, companion);
                }
              });
    }
  }

  private void cutOff(int leader, int companion) {
    for (SimulatedHost other : cluster.hosts()) {
      if (other.number() != leader && other.number() != companion) {
        for (int inside : new int[] {leader, companion}) {
          simulation.network().cut(inside, other.number());
          simulation.network().cut(other.number(), inside);
        }
      }
    }
    simulation.trace("h", leader, " and h", companion, " are cut off from the other nodes");
    healLater(2_500_000);
  }

  private void partition() {
    for (int from : simulation.nodes()) {
      for (int to : simulation.nodes()) {
        if (from < to && random.nextInt(3) == 0) {
          simulation.network().cut(from, to);
          simulation.network().cut(to, from);
        }
      }
    }
    simulation.trace("partition");
    healLater(1_200_000);
  }

  private void healLater(long mostMicros) {
    simulation
        .scheduler()
        .after(
            random.nextLong(mostMicros),
            () -> {
              simulation.network().heal();
              simulation.trace("partition healed");
            });
  }

  /**
   * Not further than clocks may be wrong, but for nodes that fall behind and must not lead then.
   */
  private void disturbClock() {
    long allowed = simulation.options().maxOffsetMicros();
    List<SimulatedClock> clocks = simulation.clocks();
    SimulatedClock clock = clocks.get(random.nextInt(clocks.size()));
    clock.disturb(random, allowed / 3);
    if (random.nextInt(4) == 0) {
      clock.setBack(8 * allowed);
    }
    simulation.trace("a clock jumps to ", clock.toString());
  }

  @Override
  public void end() {
    simulation.network().heal();
    simulation.network().setWeather(Weather.FAIR);
    simulation.clocks().forEach(SimulatedClock::correct);
    cluster.hosts().forEach(cluster::start);
  }
}
