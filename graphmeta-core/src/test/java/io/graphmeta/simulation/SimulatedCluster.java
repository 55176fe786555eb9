package io.graphmeta.simulation;

import io.graphmeta.node.TermAnswers;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Nodes that hold the replicas of all shards. */
final class SimulatedCluster {
  /** Of each shard. */
  static final int REPLICAS = 3;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final List<SimulatedHost> hosts = new ArrayList<>();
  private final List<ReplicatedShard> shards = new ArrayList<>();
  private final GroupMessages messages;

  SimulatedCluster(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
    this.messages = new GroupMessages(simulation, random.split());
    for (int host = 0; host < simulation.options().hosts(); host++) {
      hosts.add(new SimulatedHost(host, simulation.scheduler()));
    }
    for (int shard = 0; shard < simulation.options().shards(); shard++) {
      shards.add(new ReplicatedShard(shard, simulation, this, random.split()));
    }
  }

  /** Randomness for one who has to do with replicas. */
  SplittableRandom split() {
    return random.split();
  }

  List<SimulatedHost> hosts() {
    return hosts;
  }

  SimulatedHost host(int number) {
    return hosts.get(number);
  }

  List<ReplicatedShard> shards() {
    return shards;
  }

  GroupMessages messages() {
    return messages;
  }

  /** The nodes of the network: a place for each shard on each node, shard after shard. */
  List<SimulatedNetwork.Node> places() {
    List<SimulatedNetwork.Node> places = new ArrayList<>();
    for (ReplicatedShard shard : shards) {
      hosts.forEach(host -> places.add(new Place(shard, host)));
    }
    return places;
  }

  /** Where a node may have a replica of a shard. */
  private record Place(ReplicatedShard shard, SimulatedHost of) implements SimulatedNetwork.Node {
    @Override
    public int host() {
      return of.number();
    }

    @Override
    public int incarnation() {
      return of.incarnation();
    }

    @Override
    public boolean isUp() {
      return of.isUp();
    }

    @Override
    public CompletableFuture<Response> handle(Call call) {
      SimulatedReplica replica = shard.replicaOn(of.number());
      return replica == null
          ? CompletableFuture.failedFuture(TermAnswers.notLed(shard.number()))
          : replica.handle(call);
    }

    @Override
    public String toString() {
      return "s" + shard.number() + "@" + of;
    }
  }

  /** Where the network finds a replica. */
  int place(int shard, int host) {
    return shard * hosts.size() + host;
  }

  // The life of nodes

  /** A node dies; its stores keep what was on disk, and perhaps more. */
  void kill(SimulatedHost host) {
    end(host, SimulatedReplica::die);
  }

  /** A node ends as it should. */
  void stop(SimulatedHost host) {
    end(host, SimulatedReplica::stop);
  }

  private void end(SimulatedHost host, Consumer<SimulatedReplica> end) {
    if (host.isUp()) {
      host.set(false);
      simulation.trace(host, " ends");
      shards.forEach(shard -> shard.onHost(host.number(), end));
    }
  }

  void start(SimulatedHost host) {
    if (!host.isUp()) {
      host.set(true);
      simulation.trace(host, " begins");
      shards.forEach(shard -> shard.onHost(host.number(), SimulatedReplica::start));
    }
  }

  /** A node begins again after a while. */
  void startLater(SimulatedHost host) {
    int incarnation = host.incarnation();
    simulation
        .scheduler()
        .after(
            random.nextLong(random.nextInt(4) == 0 ? 1_500_000 : 200_000),
            () -> {
              if (host.incarnation() == incarnation) {
                start(host);
              }
            });
  }
}
