package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeSettings;
import io.graphmeta.server.net.ReplicaCalls;
import io.graphmeta.server.replication.Leadership;
import io.graphmeta.server.replication.MemberTerms;
import io.graphmeta.server.replication.Replica;
import io.graphmeta.server.replication.ReplicaAddress;
import io.graphmeta.server.replication.ReplicaServer;
import io.graphmeta.server.replication.ReplicaSettings;
import io.graphmeta.server.replication.ReplicaSettings.Certificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of a node: lets each of its shards follow its group, and lead it where elected. Safe
 * for use by many threads.
 */
final class NodeReplicas implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReplicas.class);

  /** To wait longer for another leader than for an election would gain nothing. */
  private static final long HAND_OVER_MILLIS = 2_000;

  /** A leader that hears nothing of the others for so long leads no more. */
  private static final long TERM_MILLIS = 5_000;

  private final String self;
  private final ClusterView view;
  private final ReplicaCalls calls;
  private final ReplicaServer server;
  private final List<HostedShard> hosted;

  private NodeReplicas(
      String self,
      ClusterView view,
      ReplicaCalls calls,
      ReplicaServer server,
      List<HostedShard> hosted) {
    this.self = self;
    this.view = view;
    this.calls = calls;
    this.server = server;
    this.hosted = hosted;
  }

  /**
   * Begins to follow, and to lead where elected.
   *
   * @param view with the placement and the nodes of all replicas
   * @param logs directory of the logs
   * @param hosted have joined
   * @param calls the way to the replicas of other nodes
   * @param isNew whether logs that are not there may be made
   */
  static NodeReplicas open(
      String self,
      ClusterView view,
      NodePlace place,
      Path logs,
      List<HostedShard> hosted,
      ReplicaCalls calls,
      boolean isNew) {
    NodeSettings settings = place.settings();
    Certificates certificates =
        settings.has(NodeSetting.TLS_CERT)
            ? new Certificates(
                Path.of(settings.get(NodeSetting.TLS_CERT)),
                Path.of(settings.get(NodeSetting.TLS_KEY)),
                Path.of(settings.get(NodeSetting.TLS_CA)))
            : null;
    ReplicaSettings replicas =
        new ReplicaSettings(
            view.cluster().id().toString(),
            address(view, self),
            settings.get(NodeSetting.HOST),
            settings.integer(NodeSetting.REPLICA_PORT),
            logs,
            certificates,
            settings.number(NodeSetting.ELECTION_MILLIS),
            settings.number(NodeSetting.REPLAYED_BYTES));
    List<ReplicaServer.Hosted> members = new ArrayList<>();
    for (HostedShard shard : hosted) {
      List<ReplicaAddress> nodes =
          view.placement().replicas().get(shard.number()).stream()
              .map(node -> address(view, node))
              .toList();
      members.add(
          new ReplicaServer.Hosted(shard.number(), nodes, shard.store(), new OfShard(shard)));
    }
    MemberTerms terms =
        shard ->
            askOthers(calls, view, self, shard).values().stream()
                .map(answer -> answer.thenApply(term -> ((Response.Term) term).term()))
                .toList();
    return new NodeReplicas(
        self, view, calls, ReplicaServer.open(replicas, members, terms, isNew), hosted);
  }

  /** Asks the other replicas of a shard; by the names of their nodes. */
  private static Map<String, CompletableFuture<Response>> askOthers(
      ReplicaCalls calls, ClusterView view, String self, int shard) {
    List<String> nodes = view.placement().replicas().get(shard);
    List<String> others = new ArrayList<>();
    List<ReplicaCalls.Directed> questions = new ArrayList<>();
    for (int replica = 0; replica < nodes.size(); replica++) {
      if (!nodes.get(replica).equals(self)) {
        others.add(nodes.get(replica));
        Call call = new Call(VirtualNodeMap.FIRST_EPOCH, TERM_MILLIS, new Request.ReadTerm());
        questions.add(new ReplicaCalls.Directed(shard, replica, call));
      }
    }
    List<CompletableFuture<Response>> answers = calls.sendAllTo(questions);
    Map<String, CompletableFuture<Response>> asked = new LinkedHashMap<>();
    for (int other = 0; other < others.size(); other++) {
      asked.put(others.get(other), answers.get(other));
    }
    return asked;
  }

  /** Answers what is asked of a replica of this node; all but a hand-over at once. */
  CompletableFuture<Response> answer(int shard, Request request) {
    try {
      Replica replica = server.replica(shard);
      return request instanceof Request.HandOver asked
          ? handOver(replica, asked.node())
          : CompletableFuture.completedFuture(
              new Response.Term(replica.term(), replica.lastIndex(), replica.applied()));
    } catch (GraphMetaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Response> handOver(Replica replica, String node) {
    List<String> nodes = view.placement().replicas().get(replica.shard());
    if (!nodes.contains(node)) {
      throw GraphMetaException.invalid(
          "Node '"
              + node
              + "' has no replica of shard "
              + replica.shard()
              + "; expected one of "
              + String.join(", ", nodes));
    }
    if (!replica.leads()) {
      throw new GraphMetaException(
          ErrorCode.NOT_LEADER, "Node " + self + " does not lead shard " + replica.shard());
    }
    CompletableFuture<Void> leads =
        node.equals(self)
            ? CompletableFuture.completedFuture(null)
            : replica.transfer(node, HAND_OVER_MILLIS);
    return leads.thenApply(done -> new Response.Done());
  }

  /** Lets a shard of this node lead and follow. */
  private record OfShard(HostedShard shard) implements Leadership {
    @Override
    public void leads(ReplicationLog log) {
      shard.lead(log);
      LOG.info("This node leads shard {}", shard.number());
    }

    @Override
    public void resigns() {
      shard.resign();
    }

    @Override
    public void leadsNoMore() {
      shard.follow();
      LOG.info("This node does not lead shard {} any more", shard.number());
    }
  }

  private static ReplicaAddress address(ClusterView view, String name) {
    KnownNode node = view.nodes().get(name);
    if (node == null || node.description().replicaPort() == 0) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Cluster "
              + view.cluster().name()
              + " has replicas on node "
              + name
              + ", which "
              + (node == null ? "is not registered" : "told no port for them")
              + "; look into ZooKeeper");
    }
    return new ReplicaAddress(name, node.description().host(), node.description().replicaPort());
  }

  /** How each replica is doing, in the order of the shards. */
  List<ReplicaStatus> status() {
    return hosted.stream().map(shard -> status(server.replica(shard.number()))).toList();
  }

  private static ReplicaStatus status(Replica replica) {
    Throwable failure = replica.failure();
    boolean alive = replica.isAlive();
    return new ReplicaStatus(
        replica.shard(),
        alive,
        replica.leads(),
        alive ? replica.leader() : "",
        alive ? replica.term() : 0,
        replica.applied(),
        alive ? replica.committed() : 0,
        failure == null ? "" : failure.toString());
  }

  /**
   * Lets other nodes lead what this one leads, so that nobody has to wait for an election: each
   * shard the one whose log goes furthest.
   */
  void handOver() {
    List<CompletableFuture<Void>> under = new ArrayList<>();
    for (HostedShard shard : hosted) {
      Replica replica = server.replica(shard.number());
      if (replica.leads()) {
        String next = nextLeader(shard.number());
        if (!next.isEmpty()) {
          under.add(replica.transfer(next, HAND_OVER_MILLIS));
        }
      }
    }
    for (CompletableFuture<Void> transfer : under) {
      try {
        transfer.join();
      } catch (CompletionException e) {
        LOG.info("A shard was not handed over: {}", String.valueOf(e.getCause()));
      }
    }
  }

  private String nextLeader(int shard) {
    String best = "";
    long bestIndex = -1;
    for (var other : askOthers(calls, view, self, shard).entrySet()) {
      try {
        Response.Term term =
            (Response.Term) other.getValue().get(HAND_OVER_MILLIS, TimeUnit.MILLISECONDS);
        if (term.last() > bestIndex) {
          best = other.getKey();
          bestIndex = term.last();
        }
      } catch (ExecutionException | TimeoutException e) {
        LOG.info("Node {} does not say how far its log goes: {}", other.getKey(), e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "";
      }
    }
    return best;
  }

  @Override
  public void close() {
    server.close();
    hosted.forEach(HostedShard::follow);
  }
}
