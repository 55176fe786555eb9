package io.graphmeta.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A shard of which several nodes have replicas, one of which leads; and the moves of replicas from
 * node to node, which nodes make by themselves once others are wanted.
 */
final class ReplicatedShard extends SimulatedShard {
  private static final long LOOK_MICROS = 40_000;
  private static final int LOOKS_UNTIL_REMOVED = 20;
  private static final long MAX_TOLD_LATE_MICROS = 150_000;

  private final Simulation simulation;
  private final SimulatedCluster cluster;
  private final SplittableRandom random;
  private final AgreedRows agreed;
  private final Map<Integer, SimulatedReplica> replicas = new TreeMap<>();
  private final Map<Long, Integer> leaders = new HashMap<>();

  /** The nodes that callers ask, in the order in which they do. */
  private List<Integer> placement;

  /** The same, as it is told to callers: later. */
  private List<Integer> told;

  private Set<Integer> wanted;
  private long logs;

  ReplicatedShard(
      int number, Simulation simulation, SimulatedCluster cluster, SplittableRandom random) {
    super(number);
    this.simulation = simulation;
    this.cluster = cluster;
    this.random = random;
    this.agreed =
        new AgreedRows(
            number,
            key ->
                cluster.shards().stream()
                    .anyMatch(other -> other != this && other.agreed().had(key)));
    List<Integer> first = new ArrayList<>();
    for (int i = 0; i < SimulatedCluster.REPLICAS; i++) {
      first.add((number + i) % cluster.hosts().size());
    }
    this.placement = first;
    this.told = first;
    this.wanted = new TreeSet<>(first);
    Members members = Members.of(new TreeSet<>(first));
    first.forEach(host -> replicas.put(host, replica(host, members)));
  }

  private SimulatedReplica replica(int host, Members members) {
    return new SimulatedReplica(this, cluster.host(host), simulation, members, random.split());
  }

  AgreedRows agreed() {
    return agreed;
  }

  GroupMessages messages() {
    return cluster.messages();
  }

  SimulatedHost host(int number) {
    return cluster.host(number);
  }

  /** The nodes that are to be asked, as callers know it. */
  List<Integer> told() {
    return told;
  }

  /** The nodes of its replicas, as it is written down. */
  List<Integer> placement() {
    return placement;
  }

  @Nullable SimulatedReplica replicaOn(int host) {
    return replicas.get(host);
  }

  @Nullable GroupMember memberOn(int host) {
    SimulatedReplica replica = replicas.get(host);
    return replica == null ? null : replica.member();
  }

  boolean holds(SimulatedReplica replica) {
    return replicas.get(replica.host().number()) == replica;
  }

  /** A number for a log. */
  long nextLog() {
    return ++logs;
  }

  /** Somebody leads a term; nobody else ever does. */
  void isLed(long term, int host) {
    Integer before = leaders.putIfAbsent(term, host);
    if (before != null) {
      throw new IllegalStateException("Term " + term + " is led by " + before + " and " + host);
    }
  }

  @Override
  SimulatedDisk disk() {
    return agreed.disk();
  }

  /** The replica that leads the newest term, if its shard answers. */
  private @Nullable SimulatedReplica leader() {
    SimulatedReplica newest = null;
    for (SimulatedReplica replica : replicas.values()) {
      if (replica.host().isUp()
          && replica.member().leads()
          && (newest == null || replica.member().term() > newest.member().term())) {
        newest = replica;
      }
    }
    return newest != null && newest.answers() ? newest : null;
  }

  @Override
  @Nullable SimulatedProcess leading() {
    SimulatedReplica leader = leader();
    return leader == null ? null : leader.led();
  }

  @Override
  List<SimulatedClock> clocks() {
    return List.of();
  }

  @Override
  void start() {
    replicas.values().forEach(SimulatedReplica::start);
    GroupMember first = memberOn(placement.get(random.nextInt(placement.size())));
    if (first != null) {
      first.stand();
    }
    lookAgain();
  }

  /** The replica on a node, if there is one. */
  void onHost(int host, Consumer<SimulatedReplica> action) {
    SimulatedReplica replica = replicas.get(host);
    if (replica != null) {
      action.accept(replica);
    }
  }

  /** Has the replica that leads let another one lead. */
  void transfer() {
    SimulatedReplica leader = leader();
    if (leader != null) {
      List<SimulatedReplica> others =
          leader.member().log().members().now().stream()
              .filter(of -> of != leader.host().number() && replicas.containsKey(of))
              .map(replicas::get)
              .toList();
      if (!others.isEmpty()) {
        leader.resignFor(others.get(random.nextInt(others.size())));
      }
    }
  }

  /** Has a member stand that has no reason to. */
  void disturb() {
    GroupMember member = memberOn(placement.get(random.nextInt(placement.size())));
    if (member != null && cluster.host(placement.get(0)).isUp()) {
      member.stand();
    }
  }

  /** The node whose replica leads, as it believes itself; or -1. */
  int leadingHost() {
    SimulatedReplica leader = leader();
    return leader == null ? -1 : leader.host().number();
  }

  /** A node whose replica believes to lead, and another one does; or -1. */
  int formerHost() {
    for (SimulatedReplica replica : replicas.values()) {
      if (replica.answers() && replica != leader() && leader() != null) {
        return replica.host().number();
      }
    }
    return -1;
  }

  // Moves

  /** Wants one of the replicas on another node, unless a move is not over yet. */
  void want() {
    if (!isPlaced()) {
      return;
    }
    List<Integer> free = new ArrayList<>();
    cluster.hosts().forEach(host -> free.add(host.number()));
    free.removeAll(placement);
    if (!free.isEmpty()) {
      wanted = new TreeSet<>(placement);
      wanted.remove(placement.get(random.nextInt(placement.size())));
      wanted.add(free.get(random.nextInt(free.size())));
      simulation.trace("s", number(), " is wanted on ", wanted);
    }
  }

  private boolean isPlaced() {
    return wanted.equals(new TreeSet<>(placement)) && replicas.keySet().equals(wanted);
  }

  private void lookAgain() {
    simulation
        .scheduler()
        .after(
            LOOK_MICROS / 2 + random.nextLong(LOOK_MICROS),
            () -> {
              look();
              lookAgain();
            });
  }

  /** What nodes do about what is wanted; each its own, from what it sees. */
  private void look() {
    for (int host : wanted) {
      if (!replicas.containsKey(host) && cluster.host(host).isUp()) {
        SimulatedReplica made = replica(host, Members.NONE);
        replicas.put(host, made);
        simulation.trace(made, " is made");
        made.start();
      }
    }
    for (SimulatedReplica replica : List.copyOf(replicas.values())) {
      if (replica.host().isUp() && replica.answers()) {
        lead(replica);
      }
    }
    for (SimulatedReplica replica : List.copyOf(replicas.values())) {
      boolean looks =
          simulation.isDraining()
              || !simulation.sabotage().movesReplicas()
              || random.nextInt(LOOKS_UNTIL_REMOVED) == 0;
      if (looks && replica.host().isUp() && !wanted.contains(replica.host().number())) {
        removeIfLeft(replica);
      }
    }
  }

  /** Who leads writes down who is a member, and takes in one that is wanted. */
  private void lead(SimulatedReplica leader) {
    Members members = leader.member().agreedMembers();
    if (members == null) {
      return;
    }
    place(members.now(), leader);
    Set<Integer> coming = new TreeSet<>(wanted);
    coming.removeAll(members.now());
    coming.removeIf(host -> !replicas.containsKey(host) || !cluster.host(host).isUp());
    Set<Integer> going = new TreeSet<>(members.now());
    going.removeAll(wanted);
    if (going.remove(leader.host().number()) && going.isEmpty() && !coming.isEmpty()) {
      transfer();
    } else if (!going.isEmpty() && !coming.isEmpty()) {
      leader.member().replace(going.iterator().next(), coming.iterator().next());
    }
  }

  private void place(Set<Integer> members, SimulatedReplica leader) {
    if (members.equals(new TreeSet<>(placement)) || leader != leader()) {
      return;
    }
    List<Integer> coming = new ArrayList<>(members);
    coming.removeAll(placement);
    List<Integer> placed = new ArrayList<>();
    placement.forEach(host -> placed.add(members.contains(host) ? host : coming.remove(0)));
    placement = placed;
    simulation.moved();
    simulation.trace("s", number(), " is placed on ", placed);
    simulation.scheduler().after(random.nextLong(MAX_TOLD_LATE_MICROS), () -> told = placement);
  }

  /** A replica that is not wanted is removed when a leader says that the group has it no more. */
  private void removeIfLeft(SimulatedReplica replica) {
    for (SimulatedReplica leader : replicas.values()) {
      boolean reaches =
          leader.host().isUp()
              && simulation.network().passes(leader.host().number(), replica.host().number());
      Members members = reaches ? leader.member().agreedMembers() : null;
      if (members != null
          && leader != replica
          && !members.now().contains(replica.host().number())) {
        replicas.remove(replica.host().number());
        replica.die();
        simulation.trace(replica, " is removed");
        return;
      }
    }
  }

  // What must hold

  /** Fails if a store is not what the group has agreed on. */
  void requireAgreement() {
    replicas.values().forEach(SimulatedReplica::requireAgreement);
  }

  @Override
  String missing() {
    if (!isPlaced()) {
      return "Shard "
          + number()
          + " is wanted on "
          + wanted
          + ", placed on "
          + placement
          + ", and has replicas on "
          + replicas.keySet();
    }
    for (SimulatedReplica replica : replicas.values()) {
      if (replica.applied() < agreed.last()) {
        return replica + " has applied " + replica.applied() + " of " + agreed.last() + " entries";
      }
    }
    return "";
  }
}
