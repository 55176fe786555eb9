package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.cluster.AskedCluster.HostedReplica;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.ShardPlacement;
import io.graphmeta.transport.Transport.Addressed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Has shards go on that have lost the majority of their replicas for good, with the loss of what
 * only that majority had. It writes into the placement which replica goes on; the nodes do it. To
 * do it again does no harm, and finishes what was cut off. Used by one thread.
 */
public final class ShardRecovery {
  private static final long AWAITED_MILLIS = 120_000;
  private static final long LOOK_MILLIS = 250;

  private final ClusterSettings settings;
  private final String cluster;

  /** Of a cluster. */
  public ShardRecovery(ClusterSettings settings, String cluster) {
    this.settings = settings;
    this.cluster = cluster;
  }

  /**
   * The shards that have lost their majority with some nodes. Changes nothing.
   *
   * @param lost the nodes that are lost for good
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if one of them is unknown, present in
   *     ZooKeeper or answers
   */
  public List<LostMajority> look(Collection<String> lost) {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      return look(membership.view(), lost);
    }
  }

  private List<LostMajority> look(ClusterView view, Collection<String> lost) {
    if (view.cluster().replicas() == 1) {
      throw GraphMetaException.invalid(
          "Cluster "
              + cluster
              + " has one copy of each shard; what is lost with its node is in a backup only");
    }
    lost.forEach(node -> requireAbsent(view, node));
    List<LostMajority> found = new ArrayList<>();
    try (AskedCluster asked = new AskedCluster(view, settings, "recovery")) {
      requireSilent(view, asked, lost);
      ShardPlacement placement = view.placement();
      List<Map<String, Response.ReplicaState>> states = states(placement, asked, lost);
      for (int shard = 0; shard < placement.replicas().size(); shard++) {
        LostMajority.of(
                shard,
                placement.generations().get(shard),
                placement.replicas().get(shard),
                placement.wanted().get(shard),
                lost,
                states.get(shard))
            .ifPresent(found::add);
      }
      Map<Integer, String> led = leaders(asked, found.stream().map(LostMajority::shard).toList());
      found.replaceAll(
          each ->
              led.containsKey(each.shard())
                  ? each.withProblem(
                      "a majority of it is there, since " + led.get(each.shard()) + " leads it")
                  : each);
    }
    return found;
  }

  private static void requireAbsent(ClusterView view, String name) {
    KnownNode node = view.nodes().get(name);
    if (node == null || node.present()) {
      throw GraphMetaException.invalid(
          node == null
              ? "No node '"
                  + name
                  + "' has joined cluster "
                  + view.cluster().name()
                  + "; expected some of "
                  + String.join(", ", view.nodes().keySet())
              : "Node "
                  + name
                  + " is present in ZooKeeper, and not lost. Let it come up; or end it for good,"
                  + " and ask again when ZooKeeper has noticed");
    }
  }

  /** A node may be cut off from ZooKeeper alone, and lead. */
  private static void requireSilent(ClusterView view, AskedCluster asked, Collection<String> lost) {
    List<HostedReplica> replicas = new ArrayList<>();
    for (String node : lost) {
      view.placement()
          .shardsFor(node)
          .forEach(shard -> replicas.add(new HostedReplica(shard, node)));
    }
    asked.ask(replicas, new Request.ReadReplica()).keySet().stream()
        .findFirst()
        .ifPresent(
            replica -> {
              throw GraphMetaException.invalid(
                  "Node "
                      + replica.node()
                      + " answers, and is not lost, though ZooKeeper does not see it; look after"
                      + " its way to ZooKeeper, or end it for good");
            });
  }

  /** What those that are not lost have of each shard, by their names. */
  private static List<Map<String, Response.ReplicaState>> states(
      ShardPlacement placement, AskedCluster asked, Collection<String> lost) {
    List<HostedReplica> replicas = new ArrayList<>();
    List<Map<String, Response.ReplicaState>> states = new ArrayList<>();
    for (int shard = 0; shard < placement.replicas().size(); shard++) {
      states.add(new TreeMap<>());
      Set<String> nodes = new TreeSet<>(placement.replicas().get(shard));
      nodes.addAll(placement.wanted().get(shard));
      nodes.removeAll(lost);
      for (String node : nodes) {
        replicas.add(new HostedReplica(shard, node));
      }
    }
    asked
        .ask(replicas, new Request.ReadReplica())
        .forEach(
            (replica, state) ->
                states.get(replica.shard()).put(replica.node(), (Response.ReplicaState) state));
    return states;
  }

  /** The nodes that lead shards, with a majority that confirms it. */
  private static Map<Integer, String> leaders(AskedCluster asked, Collection<Integer> shards) {
    List<Integer> numbers = List.copyOf(shards);
    List<Addressed> questions =
        numbers.stream()
            .map(shard -> new Addressed(shard, asked.call(new Request.ReadMembers())))
            .toList();
    List<CompletableFuture<Response>> answers = asked.leaders().sendAll(questions);
    Map<Integer, String> leaders = new TreeMap<>();
    for (int i = 0; i < numbers.size(); i++) {
      try {
        asked.leaders().await(answers.get(i));
        leaders.put(numbers.get(i), asked.leaders().leader(numbers.get(i)));
      } catch (GraphMetaException e) {
        continue; // nobody leads it
      }
    }
    return leaders;
  }

  /**
   * Has shards go on with what is left of them, with the loss of the rest. What was found of them
   * must still be so.
   *
   * @param lost the nodes that are lost for good
   * @param found what was {@linkplain #look found} of those that can go on
   * @return the numbers of the shards that have been given up to what is left of them
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if one of the nodes has come back; {@code
   *     CONFLICT} if something has changed; what was written before stays
   */
  public List<Integer> accept(Collection<String> lost, List<LostMajority> found) {
    List<Integer> written = new ArrayList<>();
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      for (LostMajority each : found) {
        if (!each.keeps().isEmpty()) {
          accept(membership, lost, each);
          written.add(each.shard());
        }
      }
    }
    return written;
  }

  private static void accept(
      ClusterMembership membership, Collection<String> lost, LostMajority each) {
    int shard = each.shard();
    UnaryOperator<ShardPlacement> change =
        now ->
            now.generations().get(shard) == each.generation()
                    && now.replicas().get(shard).equals(each.replicas())
                ? now.withSurvivor(shard, each.keeps())
                : now;
    Set<String> absent = new HashSet<>(lost);
    absent.retainAll(each.lost());
    ShardPlacement placed = membership.changeWithout(absent, change);
    if (placed.generations().get(shard) != each.generation() + 1
        || !placed.replicas().get(shard).contains(each.keeps())) {
      throw new GraphMetaException(
          ErrorCode.CONFLICT,
          "The placement of shard "
              + shard
              + " has changed meanwhile, to "
              + placed.replicas().get(shard)
              + "; look again");
    }
  }

  /**
   * The shards that go on without some nodes already, of those that these nodes are still wanted
   * for.
   */
  public List<Integer> accepted(Collection<String> lost) {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      ShardPlacement placement = membership.view().placement();
      List<Integer> shards = new ArrayList<>();
      for (int shard = 0; shard < placement.replicas().size(); shard++) {
        boolean isWithout = placement.replicas().get(shard).stream().noneMatch(lost::contains);
        boolean wasWith = placement.wanted().get(shard).stream().anyMatch(lost::contains);
        if (placement.generations().get(shard) > 0 && isWithout && wasWith) {
          shards.add(shard);
        }
      }
      return shards;
    }
  }

  /**
   * Waits until shards are led again.
   *
   * @return the nodes that lead them, by the numbers of the shards; without those that are not led
   *     after two minutes
   */
  public Map<Integer, String> await(Collection<Integer> shards) throws InterruptedException {
    Map<Integer, String> led = new TreeMap<>();
    long begin = System.nanoTime();
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      do {
        try (AskedCluster asked = new AskedCluster(membership.view(), settings, "recovery")) {
          led.putAll(leaders(asked, shards));
        }
        Thread.sleep(led.keySet().containsAll(shards) ? 0 : LOOK_MILLIS);
      } while (!led.keySet().containsAll(shards)
          && (System.nanoTime() - begin) / 1_000_000 < AWAITED_MILLIS);
    }
    return led;
  }
}
