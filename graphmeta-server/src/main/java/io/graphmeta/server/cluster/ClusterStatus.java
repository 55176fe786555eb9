package io.graphmeta.server.cluster;

import io.graphmeta.engine.PeerStatus;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.cluster.AskedCluster.HostedReplica;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.transport.Transport.Addressed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is: what ZooKeeper knows of it, and what its nodes answer when they are asked.
 * Immutable.
 *
 * @param name of the cluster
 * @param id of the cluster
 * @param created when it was made
 * @param epoch of the placement; 0 as long as there is none
 * @param awaitedNodes how many nodes must have joined before there is one
 * @param nodes all nodes that have ever joined, by name
 * @param shards all shards, by number; empty without a placement
 */
public record ClusterStatus(
    String name,
    String id,
    Instant created,
    long epoch,
    int awaitedNodes,
    List<Node> nodes,
    List<HostedPart> shards) {
  /**
   * A node.
   *
   * @param address where it listens
   * @param rack that it has told; empty if none
   * @param software the version of its build
   * @param incarnation how many times it has joined
   * @param present whether ZooKeeper knows it as present
   * @param answers whether it answered, of those that host shards
   * @param clockOffsetMicros by how much its clock is ahead of the asker's, in microseconds
   */
  public record Node(
      String name,
      String address,
      String rack,
      String software,
      long incarnation,
      boolean present,
      boolean answers,
      long clockOffsetMicros,
      List<Integer> shards) {}

  /**
   * A shard.
   *
   * @param node that answers for it; empty if none of several does
   * @param replicas the nodes that have it
   * @param wanted the nodes that are to have it
   * @param behind by how many entries the store of each of them is behind the longest log; -1 for
   *     one that does not answer. Empty where a shard has one replica
   * @param problem why it does not answer, or takes no commits; empty if all is well
   */
  public record HostedPart(
      int shard,
      String node,
      List<String> replicas,
      List<String> wanted,
      List<Long> behind,
      long bytesOnDisk,
      long openIntents,
      String problem) {}

  /** Copies the lists. */
  public ClusterStatus {
    nodes = List.copyOf(nodes);
    shards = List.copyOf(shards);
  }

  /** Whether every shard answers and takes commits, and all of its replicas answer. */
  public boolean isWell() {
    return epoch > 0
        && shards.stream()
            .allMatch(shard -> shard.problem().isEmpty() && !shard.behind().contains(-1L));
  }

  /**
   * Asks ZooKeeper and all nodes.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such cluster, {@code UNAVAILABLE}
   *     if ZooKeeper does not answer
   */
  public static ClusterStatus of(ClusterSettings settings, String cluster) {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      ClusterView view = membership.view();
      if (!view.isServed()) {
        return of(view, List.of(), Map.of());
      }
      try (AskedCluster asked = new AskedCluster(view, settings, "status")) {
        List<HostedPart> shards = ask(view, asked, behind(view, asked));
        Map<String, PeerStatus> peers = new HashMap<>();
        asked.nodes().peers().forEach(peer -> peers.put(peer.node(), peer));
        return of(view, shards, peers);
      }
    }
  }

  private static List<HostedPart> ask(
      ClusterView view, AskedCluster asked, List<List<Long>> behind) {
    LeaderTransport transport = asked.leaders();
    List<List<String>> replicas = view.placement().replicas();
    List<Addressed> questions = new ArrayList<>();
    for (int shard = 0; shard < replicas.size(); shard++) {
      questions.add(new Addressed(shard, asked.call(new Request.ReadStatus())));
    }
    List<CompletableFuture<Response>> answers = transport.sendAll(questions);
    List<HostedPart> shards = new ArrayList<>();
    for (int shard = 0; shard < replicas.size(); shard++) {
      List<String> nodes = replicas.get(shard);
      List<String> wanted = view.placement().wanted().get(shard);
      try {
        Response.Status status = (Response.Status) transport.await(answers.get(shard));
        shards.add(
            new HostedPart(
                shard,
                transport.leader(shard),
                nodes,
                wanted,
                behind.get(shard),
                status.bytesOnDisk(),
                status.openIntents(),
                status.fault()));
      } catch (GraphMetaException e) {
        String node = nodes.size() == 1 ? nodes.get(0) : "";
        String problem = e.code() + ": " + e.getMessage();
        shards.add(new HostedPart(shard, node, nodes, wanted, behind.get(shard), 0, 0, problem));
      }
    }
    return shards;
  }

  /**
   * By how many entries the replicas of each shard are behind the longest log. What counts is what
   * they have applied: one that has all of the log, and is still applying it after a start, could
   * not serve at once if it came to lead.
   */
  private static List<List<Long>> behind(ClusterView view, AskedCluster asked) {
    List<List<HostedReplica>> compared = new ArrayList<>();
    for (int shard = 0; shard < view.cluster().shards(); shard++) {
      int number = shard;
      List<String> nodes = view.placement().replicas().get(shard);
      compared.add(
          (nodes.size() > 1 ? nodes : List.<String>of())
              .stream().map(node -> new HostedReplica(number, node)).toList());
    }
    Map<HostedReplica, Response> terms =
        asked.ask(compared.stream().flatMap(List::stream).toList(), new Request.ReadTerm());
    List<List<Long>> all = new ArrayList<>();
    for (List<HostedReplica> replicas : compared) {
      List<Response.@Nullable Term> told =
          replicas.stream().map(each -> (Response.Term) terms.get(each)).toList();
      all.add(behind(told));
    }
    return all;
  }

  /** Of what the replicas of a shard tell, or null. */
  static List<Long> behind(List<Response.@Nullable Term> told) {
    long longest =
        told.stream().filter(Objects::nonNull).mapToLong(Response.Term::last).max().orElse(0);
    return told.stream().map(term -> term == null ? -1 : longest - term.applied()).toList();
  }

  private static ClusterStatus of(
      ClusterView view, List<HostedPart> shards, Map<String, PeerStatus> peers) {
    List<Node> nodes = new ArrayList<>();
    for (KnownNode node : view.nodes().values()) {
      String name = node.description().name();
      @Nullable PeerStatus peer = peers.get(name);
      nodes.add(
          new Node(
              name,
              node.description().address(),
              node.description().rack(),
              node.description().software(),
              node.incarnation(),
              node.present(),
              peer != null && peer.connected(),
              peer == null ? 0 : peer.clockOffsetMicros(),
              view.placement().shardsOf(name)));
    }
    return new ClusterStatus(
        view.cluster().name(),
        view.cluster().id().toString(),
        view.cluster().created(),
        view.isServed() ? view.placement().epoch() : 0,
        view.cluster().awaitedNodes(),
        nodes,
        shards);
  }
}
