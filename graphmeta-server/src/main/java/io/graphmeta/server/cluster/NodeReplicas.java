package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeSettings;
import io.graphmeta.server.net.ReplicaCalls;
import io.graphmeta.server.replication.Leadership;
import io.graphmeta.server.replication.Replica;
import io.graphmeta.server.replication.ReplicaAddress;
import io.graphmeta.server.replication.ReplicaServer;
import io.graphmeta.server.replication.ReplicaSettings;
import io.graphmeta.server.replication.ReplicaSettings.Certificates;
import io.graphmeta.transport.Answers;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

  private final Context context;
  private final LeaderCopy copies;
  private final ReplicaServer server;
  private volatile boolean closing;

  /**
   * What the replicas of a node live in.
   *
   * @param self name of the node
   * @param view what is known of the cluster now
   * @param place where the node listens
   * @param logs directory of the logs of replicas
   * @param shards those that the node hosts; each has joined when it has a replica here
   * @param calls the way to replicas of other nodes
   * @param leaders the way to those that lead
   */
  record Context(
      String self,
      Supplier<ClusterView> view,
      NodePlace place,
      Path logs,
      HostedShards shards,
      ReplicaCalls calls,
      LeaderTransport leaders) {}

  private NodeReplicas(Context context, boolean isNew) {
    this.context = context;
    this.copies =
        new LeaderCopy(
            context.leaders(), context.calls(), context.place().settings(), () -> closing);
    ClusterView view = context.view().get();
    List<ReplicaServer.Hosted> members =
        context.shards().all().stream().map(shard -> hosted(shard, view)).toList();
    this.server = ReplicaServer.open(settings(context, view), members, this::terms, isNew);
  }

  /**
   * Begins to follow, and to lead where elected.
   *
   * @param isNew whether logs that are not there may be made
   */
  static NodeReplicas open(Context context, boolean isNew) {
    return new NodeReplicas(context, isNew);
  }

  private static ReplicaSettings settings(Context context, ClusterView view) {
    NodeSettings settings = context.place().settings();
    Certificates certificates =
        settings.has(NodeSetting.TLS_CERT)
            ? new Certificates(
                Path.of(settings.get(NodeSetting.TLS_CERT)),
                Path.of(settings.get(NodeSetting.TLS_KEY)),
                Path.of(settings.get(NodeSetting.TLS_CA)))
            : null;
    return new ReplicaSettings(
        view.cluster().id().toString(),
        address(view, context.self()),
        settings.get(NodeSetting.HOST),
        settings.integer(NodeSetting.REPLICA_PORT),
        context.logs(),
        certificates,
        settings.number(NodeSetting.ELECTION_MILLIS),
        new ReplicaSettings.Replayed(
            settings.number(NodeSetting.REPLAYED_BYTES),
            settings.number(NodeSetting.REPLAYED_ENTRIES)),
        settings.number(NodeSetting.KEPT_ENTRIES));
  }

  /** A shard that this node has by the placement is a member; others are taken in by theirs. */
  private ReplicaServer.Hosted hosted(HostedShard shard, ClusterView view) {
    List<String> nodes = view.placement().replicas().get(shard.number());
    int generation = view.placement().generations().get(shard.number());
    return new ReplicaServer.Hosted(
        shard.number(),
        generation,
        nodes.contains(context.self()) ? addresses(view, nodes) : List.of(),
        shard.store(),
        new OfShard(shard, generation));
  }

  static List<ReplicaAddress> addresses(ClusterView view, Collection<String> nodes) {
    return nodes.stream().map(node -> address(view, node)).toList();
  }

  /** Begins a replica that the group of its shard, of a generation, is to take in. */
  void add(HostedShard shard, int generation) {
    server.add(
        new ReplicaServer.Hosted(
            shard.number(), generation, List.of(), shard.store(), new OfShard(shard, generation)));
  }

  /** Goes on with a shard of which this node is the only member that is left, by a placement. */
  void goOn(HostedShard shard, ClusterView view) {
    server.goOn(hosted(shard, view));
  }

  /** Ends the replica of a shard; its log and store stay. */
  void end(int shard) {
    server.end(shard);
  }

  /** The generation of the group of which this node has a replica of a shard; -1 if none. */
  int generation(int shard) {
    return server.generation(shard);
  }

  /** Ends the replica of a shard, and removes its log; the store stays. */
  void remove(int shard) {
    server.remove(shard);
  }

  /** The replica of a shard that this node hosts. */
  Replica replica(int shard) {
    return server.replica(shard);
  }

  private Map<String, CompletableFuture<Long>> terms(int shard, Set<String> nodes) {
    Map<String, CompletableFuture<Long>> terms = new HashMap<>();
    ask(shard, nodes, new Request.ReadTerm())
        .forEach(
            (node, answer) ->
                terms.put(node, answer.thenApply(term -> ((Response.Term) term).term())));
    return terms;
  }

  /** Asks the replicas of a shard on other nodes; by the names of these. */
  private Map<String, CompletableFuture<Response>> ask(
      int shard, Collection<String> nodes, Request question) {
    List<String> others = nodes.stream().filter(node -> !node.equals(context.self())).toList();
    Call call = new Call(VirtualNodeMap.FIRST_EPOCH, TERM_MILLIS, question);
    List<CompletableFuture<Response>> answers =
        context
            .calls()
            .sendAllTo(
                others.stream().map(node -> new ReplicaCalls.Directed(shard, node, call)).toList());
    Map<String, CompletableFuture<Response>> asked = new LinkedHashMap<>();
    for (int other = 0; other < others.size(); other++) {
      asked.put(others.get(other), answers.get(other));
    }
    return asked;
  }

  /** Answers what is asked of a replica of this node. */
  CompletableFuture<Response> answer(int shard, Request request) {
    try {
      Replica replica = server.replica(shard);
      if (request instanceof Request.HandOver asked) {
        return handOver(replica, asked.node());
      }
      if (request instanceof Request.ReadMembers) {
        // A replica that has led, and does not know better, must not have stores removed.
        Response members =
            new Response.Members(List.copyOf(new TreeSet<>(requireMembers(replica))));
        return replica.confirmLeads().thenApply(led -> members);
      }
      if (request instanceof Request.RequireRoom) {
        hosted(shard).ifPresent(here -> here.store().requireRoom());
        return CompletableFuture.completedFuture(new Response.Done());
      }
      return CompletableFuture.completedFuture(
          request instanceof Request.ReadReplica
              ? state(replica)
              : new Response.Term(replica.term(), replica.lastIndex(), replica.applied()));
    } catch (GraphMetaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Optional<HostedShard> hosted(int shard) {
    return context.shards().all().stream().filter(each -> each.number() == shard).findAny();
  }

  private Response state(Replica replica) {
    return new Response.ReplicaState(
        replica.generation(),
        replica.term(),
        replica.lastTerm(),
        replica.lastIndex(),
        replica.committed(),
        replica.applied(),
        hosted(replica.shard()).map(HostedShard::settledStamp).orElse(0L),
        List.copyOf(new TreeSet<>(replica.lastMembers())));
  }

  private Set<String> requireMembers(Replica replica) {
    if (!replica.leads()) {
      throw notLed(replica);
    }
    Set<String> members = replica.agreedMembers();
    if (members.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "The members of shard " + replica.shard() + " are changing; ask again");
    }
    return members;
  }

  private GraphMetaException notLed(Replica replica) {
    return new GraphMetaException(
        ErrorCode.NOT_LEADER, "Node " + context.self() + " does not lead shard " + replica.shard());
  }

  private CompletableFuture<Response> handOver(Replica replica, String node) {
    List<String> nodes = nodesOf(replica.shard());
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
      throw notLed(replica);
    }
    CompletableFuture<Void> leads =
        node.equals(context.self())
            ? CompletableFuture.completedFuture(null)
            : replica.transfer(node, HAND_OVER_MILLIS);
    return leads.thenApply(done -> new Response.Done());
  }

  /** Lets a shard of this node lead and follow. */
  private final class OfShard implements Leadership {
    private final HostedShard shard;
    private final int generation;

    OfShard(HostedShard shard, int generation) {
      this.shard = shard;
      this.generation = generation;
    }

    @Override
    public void leads(ReplicationLog log) {
      shard.lead(log, generation);
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

    @Override
    public ReplicationLog.Told followed() {
      return shard.followed();
    }

    @Override
    public Copy copyOfLeader() {
      return copies.of(shard);
    }
  }

  private List<String> nodesOf(int shard) {
    return context.view().get().placement().replicas().get(shard);
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
    return server.replicas().stream().map(NodeReplicas::status).toList();
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
   * shard the one that is furthest. That is told by what it has applied: one that has begun a
   * moment ago may have all of the log, and would serve only when it has applied it.
   */
  void handOver() {
    Map<Replica, Map<String, CompletableFuture<Response>>> asked = new LinkedHashMap<>();
    for (Replica replica : server.replicas()) {
      if (replica.leads()) {
        asked.put(replica, askHowFar(replica.shard(), nodesOf(replica.shard())));
      }
    }
    Map<Integer, CompletableFuture<Void>> under = new TreeMap<>();
    asked.forEach(
        (replica, answers) -> {
          int shard = replica.shard();
          String next = furthest(states(shard, answers));
          if (next.isEmpty()) {
            LOG.warn("Shard {} is not handed over, since no other node says how far it is", shard);
          } else {
            under.put(shard, replica.transfer(next, HAND_OVER_MILLIS));
          }
        });
    under.forEach(
        (shard, transfer) -> {
          try {
            transfer.join();
          } catch (CompletionException e) {
            LOG.warn("Shard {} was not handed over: {}", shard, String.valueOf(e.getCause()));
          }
        });
  }

  /**
   * Begins to have another node, whose disk has room, lead a shard, and does not wait for it.
   *
   * @return completes when it leads, or with false if those that answer have no room either; null
   *     if this node does not lead the shard
   */
  @Nullable CompletableFuture<Boolean> giveAway(int shard) {
    Replica replica = server.replica(shard);
    return replica.leads()
        ? CompletableFuture.supplyAsync(() -> nextWithRoom(shard))
            .thenCompose(next -> giveAway(replica, next))
        : null;
  }

  private CompletableFuture<Boolean> giveAway(Replica replica, String next) {
    if (next.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    int shard = replica.shard();
    LOG.warn("Node {} is to lead shard {}, since the disk here has no room", next, shard);
    return replica
        .transfer(next, HAND_OVER_MILLIS)
        .thenApply(done -> true)
        .whenComplete(
            (done, e) -> {
              if (e != null) {
                LOG.warn("Shard {} was not given away: {}", shard, String.valueOf(e.getCause()));
              }
            });
  }

  /**
   * Of other nodes that have room the one that has applied most of a shard; empty if those that
   * answer have none.
   *
   * @throws GraphMetaException {@code UNAVAILABLE} if none answers, or one that has room does not
   *     say how far it is
   */
  private String nextWithRoom(int shard) {
    List<String> nodes = nodesOf(shard);
    Map<String, CompletableFuture<Response>> rooms = ask(shard, nodes, new Request.RequireRoom());
    Map<String, Response.ReplicaState> states = states(shard, askHowFar(shard, nodes));
    Map<String, Optional<ErrorCode>> refusals = new LinkedHashMap<>();
    rooms.forEach((node, answer) -> refusals.put(node, Optional.ofNullable(refusal(answer))));
    return nextWithRoom(shard, states, refusals);
  }

  /**
   * As above, by what other nodes have answered.
   *
   * @param refusals why a node has no room, or has not said that it has; none if it has
   */
  static String nextWithRoom(
      int shard,
      Map<String, Response.ReplicaState> states,
      Map<String, Optional<ErrorCode>> refusals) {
    Map<String, Response.ReplicaState> withRoom = new LinkedHashMap<>(states);
    withRoom.keySet().removeIf(node -> !Optional.empty().equals(refusals.get(node)));
    if (withRoom.isEmpty()
        && (refusals.containsValue(Optional.empty())
            || !refusals.containsValue(Optional.of(ErrorCode.STORAGE_FAILURE)))) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "No other node says that it has room for shard " + shard + " and how far it is");
    }
    return furthest(withRoom);
  }

  private static @Nullable ErrorCode refusal(CompletableFuture<Response> answer) {
    try {
      answer.get(HAND_OVER_MILLIS, TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return Answers.error(e).code();
    } catch (TimeoutException e) {
      return ErrorCode.TIMEOUT;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ErrorCode.CANCELLED;
    }
  }

  /** Of other nodes the one that has applied most of a shard; empty if none answers. */
  String nextLeader(int shard, Collection<String> nodes) {
    return furthest(states(shard, askHowFar(shard, nodes)));
  }

  static String furthest(Map<String, Response.ReplicaState> states) {
    return states.entrySet().stream()
        .max(
            Comparator.comparingLong(
                    (Map.Entry<String, Response.ReplicaState> each) -> each.getValue().applied())
                .thenComparingLong(each -> each.getValue().last()))
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /**
   * How far the logs of a shard go on other nodes, by the names of those that answer; one of a
   * former generation follows nobody, and is left out.
   */
  Map<String, Long> lastIndices(int shard, Collection<String> nodes) {
    return states(shard, askHowFar(shard, nodes)).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().last()));
  }

  private Map<String, CompletableFuture<Response>> askHowFar(int shard, Collection<String> nodes) {
    return ask(shard, nodes, new Request.ReadReplica());
  }

  private Map<String, Response.ReplicaState> states(
      int shard, Map<String, CompletableFuture<Response>> answers) {
    Map<String, Response.ReplicaState> states = new LinkedHashMap<>();
    int generation = generation(shard);
    for (var other : answers.entrySet()) {
      try {
        Response.ReplicaState state =
            (Response.ReplicaState) other.getValue().get(HAND_OVER_MILLIS, TimeUnit.MILLISECONDS);
        if (state.generation() == generation) {
          states.put(other.getKey(), state);
        }
      } catch (ExecutionException | TimeoutException e) {
        LOG.info("Node {} does not say how far it is: {}", other.getKey(), e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Map.of();
      }
    }
    return states;
  }

  /** Whether another node says how far its log of a shard goes. */
  boolean answers(int shard, String node) {
    return !lastIndices(shard, List.of(node)).isEmpty();
  }

  @Override
  public void close() {
    closing = true;
    server.close();
    context.shards().all().forEach(HostedShard::follow);
  }
}
