package io.graphmeta.server.net;

import io.graphmeta.engine.PeerStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * The transport to shards on nodes of a cluster. Safe for use by many threads.
 *
 * <p>Callers are told {@code OVERLOADED} when as many calls to a shard wait for their answers, or
 * as many bytes for a node, as may: nothing was sent then. Actions that depend on a future run in
 * threads that are there for that, and should not wait.
 */
public final class NetTransport implements Transport, ReplicaCalls {
  private final NodeIdentity self;
  private final InstantSource clock;
  private final NodeSettings settings;
  private final NetThreads threads;
  private final @Nullable NodeTls tls;
  private final AtomicIntegerArray callsToShard;
  private final int maxCalls;
  private final MessageCodec codec;
  private final AllowedTime allowed;
  private final Traffic traffic = new Traffic();
  private volatile Routes routes = new Routes(List.of(), Map.of());
  private volatile boolean closed;

  /**
   * Who is where. Immutable.
   *
   * @param ofShard the nodes of each shard, of which calls that name none go to the first
   * @param links the way to each known node; a connection is made when there is something to send
   */
  private record Routes(List<List<String>> ofShard, Map<String, NodeLink> links) {}

  /**
   * A transport to shards, by their numbers from 0 on.
   *
   * @param self who calls
   * @param nodeOfShard the node of each shard
   * @param threads outlive the transport
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if a node is on another machine and
   *     there are no certificates, or these cannot be taken
   */
  public NetTransport(
      NodeIdentity self,
      List<NodeAddress> nodeOfShard,
      NodeSettings settings,
      NetThreads threads,
      InstantSource clock) {
    this(nodeOfShard.size(), self, settings, threads, clock);
    route(
        nodeOfShard.stream().map(NodeAddress::node).map(List::of).toList(),
        Set.copyOf(nodeOfShard));
  }

  private NetTransport(
      int shards,
      NodeIdentity self,
      NodeSettings settings,
      NetThreads threads,
      InstantSource clock) {
    this.self = self;
    this.clock = clock;
    this.settings = settings;
    this.threads = threads;
    this.callsToShard = new AtomicIntegerArray(shards);
    this.maxCalls = settings.integer(NodeSetting.MAX_CALLS);
    this.codec = new MessageCodec(settings.integer(NodeSetting.MAX_MESSAGE_BYTES));
    this.allowed = new AllowedTime(settings);
    this.tls = NodeTls.of(settings);
  }

  /**
   * A transport to all nodes of shards. Where a shard has several, one that is away is not waited
   * for, since another one may lead, and one that is silent only for as long as its replicas do
   * before they elect another leader.
   *
   * @param nodesOfShard the names of the nodes of the replicas of each shard
   * @param nodes where these listen, and any others
   * @throws GraphMetaException as the constructor
   */
  public static NetTransport toNodes(
      NodeIdentity self,
      List<List<String>> nodesOfShard,
      Collection<NodeAddress> nodes,
      NodeSettings settings,
      NetThreads threads,
      InstantSource clock) {
    boolean replicated = nodesOfShard.stream().anyMatch(names -> names.size() > 1);
    NetTransport transport =
        new NetTransport(
            nodesOfShard.size(),
            self,
            replicated ? settings.ofReplicas() : settings,
            threads,
            clock);
    transport.route(nodesOfShard, nodes);
    return transport;
  }

  /**
   * Learns which nodes shards have from now on. Calls under way stay with the node that they were
   * sent to. A node that is known already stays where it is.
   *
   * @param nodesOfShard as many shards as before
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if a new node is on another machine
   *     and there are no certificates; all is as before then
   */
  public synchronized void route(List<List<String>> nodesOfShard, Collection<NodeAddress> nodes) {
    Map<String, NodeLink> links = new LinkedHashMap<>(routes.links());
    for (NodeAddress node : nodes) {
      if (!links.containsKey(node.node())) {
        NodeTls.require(tls, node.host());
        links.put(
            node.node(), new NodeLink(node, self, clock, settings, tls, codec, threads, traffic));
      }
    }
    for (List<String> names : nodesOfShard) {
      if (!links.keySet().containsAll(names) || nodesOfShard.size() != callsToShard.length()) {
        throw GraphMetaException.internal(
            "No address of one of the nodes " + names + ", or not as many shards as before");
      }
    }
    routes = new Routes(nodesOfShard.stream().map(List::copyOf).toList(), links);
  }

  @Override
  public List<String> nodes(int shard) {
    return routes.ofShard().get(shard);
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return sendAll(List.of(new Addressed(shard, call))).get(0);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    List<List<String>> nodes = routes.ofShard();
    return sendAllTo(
        calls.stream()
            .map(
                each ->
                    new Directed(
                        each.shard(),
                        isShard(each.shard()) ? nodes.get(each.shard()).get(0) : "",
                        each.call()))
            .toList());
  }

  @Override
  public List<CompletableFuture<Response>> sendAllTo(List<Directed> calls) {
    List<CompletableFuture<Response>> futures = new ArrayList<>(calls.size());
    Map<NodeLink, List<PendingCall>> byNode = new IdentityHashMap<>();
    for (Directed each : calls) {
      try {
        NodeLink link = link(each);
        PendingCall pending = pending(link, each.shard(), each.call());
        byNode.computeIfAbsent(link, node -> new ArrayList<>()).add(pending);
        futures.add(pending);
      } catch (GraphMetaException e) {
        futures.add(CompletableFuture.failedFuture(e));
      }
    }
    byNode.forEach(NodeLink::send);
    return futures;
  }

  private boolean isShard(int shard) {
    return shard >= 0 && shard < callsToShard.length();
  }

  private NodeLink link(Directed call) {
    if (!isShard(call.shard())) {
      throw GraphMetaException.internal(
          "No shard " + call.shard() + "; there are " + callsToShard.length() + " shards");
    }
    NodeLink link = routes.links().get(call.node());
    if (link == null) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE, "Node " + call.node() + " is not known here; nothing was done");
    }
    return link;
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    if (future instanceof PendingCall call) {
      call.awaitHere(codec);
    }
    return Transport.super.await(future);
  }

  @Override
  public void awaitAll(List<CompletableFuture<Response>> futures) {
    // Before the first is waited for, so that the answers to the others wake nobody else.
    List<PendingCall> awaited = new ArrayList<>(futures.size());
    for (CompletableFuture<Response> future : futures) {
      if (future instanceof PendingCall call && call.beginToWait()) {
        awaited.add(call);
      }
    }
    awaited.forEach(call -> call.waitHere(codec));
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    if (future instanceof PendingCall call) {
      call.awaitHere(codec);
    }
    return Transport.super.awaitOutcome(future);
  }

  private PendingCall pending(NodeLink link, int shard, Call call) {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The transport between nodes is closed");
    }
    if (callsToShard.incrementAndGet(shard) > maxCalls) {
      callsToShard.decrementAndGet(shard);
      throw overloaded(link, shard, maxCalls + " calls to it wait for their answers");
    }
    PendingCall pending = null;
    try {
      pending =
          new PendingCall(
              link.address(),
              shard,
              call,
              allowed.millis(call),
              codec.writeCall(call),
              new Places(link));
      if (!link.takeRoom(pending.sizeBytes())) {
        pending = null;
        throw overloaded(link, shard, "too many bytes wait for its node");
      }
      return pending;
    } finally {
      if (pending == null) {
        callsToShard.decrementAndGet(shard);
      }
    }
  }

  private static GraphMetaException overloaded(NodeLink link, int shard, String why) {
    return new GraphMetaException(
        ErrorCode.OVERLOADED,
        "Shard "
            + shard
            + " on node "
            + link.address()
            + " has more to do than it may: "
            + why
            + "; nothing was done, try again later");
  }

  private final class Places implements PendingCall.Places {
    private final NodeLink link;

    Places(NodeLink link) {
      this.link = link;
    }

    @Override
    public void leave(int shard) {
      callsToShard.decrementAndGet(shard);
    }

    @Override
    public void leaveRoom(int sizeBytes) {
      link.leaveRoom(sizeBytes);
    }
  }

  /** Learns that a node is not there, and was not for some time: calls do not wait for it. */
  public void absent(String node) {
    NodeLink link = routes.links().get(node);
    if (link != null) {
      link.absent();
    }
  }

  /**
   * Learns that a node is there, and where it listens. A connection that is there stays; calls of
   * it are answered, or fail when it breaks.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if the node is on another machine and
   *     there are no certificates
   */
  public void present(NodeAddress at) {
    NodeLink link = routes.links().get(at.node());
    if (link != null) {
      if (!link.address().equals(at)) {
        NodeTls.require(tls, at.host());
      }
      link.present(at);
    }
  }

  /** How each node of a shard is reached, in the order of the shards. */
  public List<PeerStatus> peers() {
    Routes now = routes;
    return now.ofShard().stream()
        .flatMap(List::stream)
        .distinct()
        .map(now.links()::get)
        .map(NodeLink::status)
        .toList();
  }

  /** What has passed the connections to all nodes. */
  public Traffic traffic() {
    return traffic;
  }

  /** Takes no more calls and waits for the answers of those under way, or their deadlines. */
  @Override
  public void close() {
    closed = true;
    CompletableFuture.allOf(
            routes.links().values().stream().map(NodeLink::close).toArray(CompletableFuture[]::new))
        .join();
  }
}
