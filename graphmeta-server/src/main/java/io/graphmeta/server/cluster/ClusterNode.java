package io.graphmeta.server.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.PeerStatus;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.CheckpointKeeper;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.node.Hosting;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.membership.ClusterDescription;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.membership.Standing;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeIdentity;
import io.graphmeta.server.net.NodeListener;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeTransport;
import io.graphmeta.server.net.ShardQueues;
import io.graphmeta.server.replication.GroupLogs;
import io.graphmeta.time.Stamp;
import io.graphmeta.time.SteadyClock;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node at work: it has joined its cluster, hosts the shards that the placement gives it, and
 * answers for them. Close it; safe for use by many threads.
 *
 * <p>It joins first, since who joins can be given shards; then it opens their stores, over which
 * the shards find out from others what became of transactions under way, while they are asked
 * already.
 */
public final class ClusterNode implements AutoCloseable {
  private static final long WAIT_MILLIS = 5_000;
  private static final long STATUS_MILLIS = 1_000;

  private final SteadyClock clock = NodeClock.open();
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final ClusterMembership membership;
  private final String name;
  private final NodePlace place;
  private @Nullable HostedShards shards;
  private @Nullable NetTransport transport;
  private volatile @Nullable NodeReplicas replicas;
  private @Nullable NodeListener listener;

  private ClusterNode(String name, NodePlace place, ClusterMembership membership) {
    this.name = name;
    this.place = place;
    this.membership = membership;
    closing.push(membership::close);
  }

  /**
   * Joins a cluster as a node, waits until shards are given to nodes, and serves its own.
   *
   * @param cluster name of the cluster
   * @param name of the node
   * @param directory of the node; made if it is empty or absent and the node is new
   * @param version of the build, for people
   * @param waiting is told from time to time why there is nothing to serve yet
   * @throws GraphMetaException if it listens where others cannot call, cannot join, its stores
   *     cannot be opened or its address is taken; it has left again then
   */
  public static ClusterNode open(
      String cluster,
      String name,
      Path directory,
      ClusterSettings settings,
      String version,
      Consumer<String> waiting) {
    NodePlace place = NodePlace.of(settings.node());
    ClusterNode node =
        new ClusterNode(name, place, ClusterMembership.open(settings.zookeeper(), cluster));
    try {
      node.begin(directory, settings, version, waiting);
      return node;
    } catch (RuntimeException e) {
      try {
        node.close();
      } catch (RuntimeException failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  private void begin(
      Path directory, ClusterSettings settings, String version, Consumer<String> waiting) {
    ClusterDescription cluster = membership.view().cluster();
    NodeDirectory own = NodeDirectory.open(directory, cluster.id(), name);
    closing.push(own::close);
    boolean replicated = cluster.replicas() > 1;
    GraphMetaConfig config = config(own, cluster, settings);
    requireStays(replicated, membership.view());
    if (replicated) {
      requireRestored(own, membership.view());
      TermRehearsal.run(settings.node().number(NodeSetting.REHEARSAL_MILLIS));
    }
    long incarnation = membership.join(description(own, replicated, settings, version));
    ClusterView view = awaitPlacement(waiting);
    if (replicated) {
      requireRestored(own, view);
    }
    FormerReplicas former =
        new FormerReplicas(own, new GroupLogs(own.logs(), cluster.id().toString()));
    former.setAside(view, name);
    HostedShards hosted = HostedShards.open(config, hosting(view), clock);
    closing.push(hosted::close);
    if (!replicated) {
      own.ready();
    }
    NetThreads threads = new NetThreads(settings.node());
    closing.push(threads::close);
    CheckpointKeeper files = hosted.keepCheckpoints();
    closing.push(files::close);
    ShardQueues queues = new ShardQueues(name, Map.of(), settings.node());
    hosted.all().forEach(shard -> queues.host(shard.number(), handler(shard, files)));
    NodeIdentity identity = new NodeIdentity(cluster.id(), name, incarnation);
    NetTransport toOthers =
        NetTransport.toNodes(
            identity,
            view.placement().replicas(),
            NodeAddresses.all(view),
            settings.node(),
            threads,
            clock);
    closing.push(toOthers::close);
    membership.addListener(seen -> NodeAddresses.tell(seen, toOthers));
    NodeTransport toAll = new NodeTransport(name, queues, toOthers);
    closing.push(queues::close);
    closing.push(() -> hosted.all().forEach(HostedShard::leave));
    if (replicated) {
      LeaderTransport toLeaders =
          new LeaderTransport(
              toAll, cluster.shards(), cluster.replicas(), settings.node(), threads.timer());
      LostNodes lost =
          new LostNodes(settings.node().number(NodeSetting.LOST_MILLIS), System::nanoTime);
      beginReplicas(
          own,
          new NodeReplicas.Context(
              name, membership::view, place, own.logs(), hosted, toAll, toLeaders),
          new Openings(toLeaders, queues, shard -> handler(shard, files)),
          lost,
          former);
    } else {
      hosted.all().forEach(shard -> shard.join(toAll));
    }
    NodeListener fromOthers = NodeListener.open(identity, queues, place.settings(), threads, clock);
    closeFirst(fromOthers, hosted);
    shards = hosted;
    transport = toOthers;
    listener = fromOthers;
  }

  /** A node that closes is left by its clients in order, before anything of it ends. */
  private void closeFirst(NodeListener fromOthers, HostedShards hosted) {
    closing.push(fromOthers::close);
    closing.push(() -> hosted.all().forEach(HostedShard::endWaits));
    closing.push(fromOthers::leave);
    if (replicas != null) {
      closing.push(replicas::handOver);
    }
  }

  private void beginReplicas(
      NodeDirectory own,
      NodeReplicas.Context context,
      Openings openings,
      LostNodes lost,
      FormerReplicas former) {
    context.shards().all().forEach(shard -> shard.join(context.leaders()));
    NodeReplicas opened = NodeReplicas.open(context, !own.isReady());
    closing.push(opened::close);
    own.ready();
    replicas = opened;
    NodeMoves moves =
        new NodeMoves(
            name, membership, context.shards(), opened, context.leaders(), openings, lost, former);
    closing.push(moves::close);
  }

  private NodeDescription description(
      NodeDirectory own, boolean replicated, ClusterSettings settings, String version) {
    return new NodeDescription(
        name,
        own.id(),
        own.lock(),
        place.host(),
        place.port(),
        replicated ? place.replicaPort() : 0,
        settings.node().get(NodeSetting.RACK),
        version,
        NodeListener.LOWEST_PROTOCOL,
        settings.node().integer(NodeSetting.HIGHEST_PROTOCOL));
  }

  private Hosting hosting(ClusterView view) {
    ClusterDescription cluster = view.cluster();
    String id = cluster.id().toString();
    List<Integer> placed = view.placement().shardsOf(name);
    if (cluster.replicas() == 1) {
      return Hosting.ofNode(id, placed);
    }
    long nodes = view.placement().replicas().stream().flatMap(List::stream).distinct().count();
    int share = (int) ((cluster.shards() * cluster.replicas() + nodes - 1) / nodes);
    return Hosting.ofReplicas(id, placed, Math.max(share, placed.size()));
  }

  private RequestHandler handler(HostedShard shard, CheckpointKeeper files) {
    int number = shard.number();
    return new NodeRequests(
        files.before(number, shard, shard),
        shard::readFollowing,
        request -> answerOfReplica(number, request),
        new LeaderRoom(
            number, () -> shard.store().requireRoom(), this::giveAway, System::nanoTime));
  }

  private @Nullable CompletableFuture<Boolean> giveAway(int shard) {
    NodeReplicas now = replicas;
    return now == null ? null : now.giveAway(shard);
  }

  /** Opens replicas that come later, and closes those that go. */
  private record Openings(
      Transport others, ShardQueues queues, Function<HostedShard, RequestHandler> handlers)
      implements NodeMoves.Openings {
    @Override
    public void open(HostedShard shard) {
      shard.join(others);
      queues.host(shard.number(), handlers.apply(shard));
    }

    @Override
    public void close(int shard) {
      queues.drop(shard);
    }
  }

  private static GraphMetaConfig config(
      NodeDirectory own, ClusterDescription cluster, ClusterSettings settings) {
    Map<String, Object> given = new HashMap<>(settings.graph());
    given.put(Setting.DIRECTORY.key(), own.shards().toString());
    given.put(Setting.CREATE.key(), own.isReady() ? "false" : "true");
    GraphMetaConfig config = SharedSettings.of(cluster, GraphMetaConfig.of(given));
    if (cluster.replicas() > 1 && !config.syncCommits()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          Setting.DURABILITY.key()
              + " is "
              + config.get(Setting.DURABILITY)
              + ", but a cluster with replicas tells nobody of a commit before the disks of a"
              + " majority have it; leave the setting out");
    }
    return config;
  }

  /** The replicas of other nodes know this one by the address of its first start. */
  private void requireStays(boolean replicated, ClusterView view) {
    KnownNode before = view.nodes().get(name);
    if (!replicated || before == null || !view.placement().isThere()) {
      return;
    }
    String then = before.description().host() + ":" + before.description().replicaPort();
    String now = place.host() + ":" + place.replicaPort();
    if (!now.equals(then)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The replicas of node "
              + name
              + " are reached at "
              + now
              + ", but those of other nodes look for them at "
              + then
              + "; start it at that address, with "
              + NodeSetting.REPLICA_PORT.key()
              + " and the host as they were");
    }
  }

  /**
   * A node that begins alone with a shard has its store from a backup, or would begin with none.
   */
  private void requireRestored(NodeDirectory own, ClusterView view) {
    List<Integer> missing =
        own.isReady()
            ? List.of()
            : view.placement().shardsOf(name).stream()
                .filter(shard -> view.placement().replicas().get(shard).equals(List.of(name)))
                .filter(shard -> !HostedShards.isThere(own.shards(), shard))
                .toList();
    if (!missing.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Node "
              + name
              + " is to begin with shards that were restored, and its directory does not have "
              + missing
              + "; start it with the directory that 'graphmeta restore' has made for it");
    }
  }

  private ClusterView awaitPlacement(Consumer<String> waiting) {
    while (true) {
      try {
        return membership.awaitPlacement(WAIT_MILLIS);
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.UNAVAILABLE) {
          throw e;
        }
        waiting.accept(String.valueOf(e.getMessage()));
      }
    }
  }

  private CompletableFuture<Response> answerOfReplica(int shard, Request request) {
    NodeReplicas now = replicas;
    return now == null
        ? CompletableFuture.failedFuture(
            new GraphMetaException(
                ErrorCode.UNAVAILABLE, "Node " + name + " has not begun, or no replicas"))
        : now.answer(shard, request);
  }

  /** The numbers of the shards that it hosts. */
  public List<Integer> shards() {
    return hosted().stream().map(HostedShard::number).toList();
  }

  private List<HostedShard> hosted() {
    HostedShards opened = shards;
    return opened == null ? List.of() : opened.all();
  }

  /** How each of them is doing, in the order of their numbers. */
  public List<ShardStatus> status() {
    return hosted().stream().map(this::status).toList();
  }

  /** How its replicas are doing, in the order of their shards; none where each shard has one. */
  public List<ReplicaStatus> replicas() {
    NodeReplicas now = replicas;
    return now == null ? List.of() : now.status();
  }

  private ShardStatus status(HostedShard shard) {
    if (!shard.isLed()) {
      return ShardStatus.ofReplica(shard.number(), shard.store().statistics());
    }
    try {
      // A shard without work resolves no stamps by itself: the question makes it do so.
      ask(shard, new Request.Snapshot(0));
      return ShardStatus.of(
          shard.number(),
          (Response.Status) ask(shard, new Request.ReadStatus()),
          Stamp.epochMicros(clock.instant()));
    } catch (ExecutionException e) {
      return ShardStatus.away(shard.number(), String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      return ShardStatus.away(shard.number(), "It did not answer within " + STATUS_MILLIS + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ShardStatus.away(shard.number(), "The thread that asked it was interrupted");
    }
  }

  private static Response ask(HostedShard shard, Request request)
      throws ExecutionException, TimeoutException, InterruptedException {
    return shard
        .handle(new Call(VirtualNodeMap.FIRST_EPOCH, STATUS_MILLIS, request))
        .get(STATUS_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * By how much the clock of this machine was set while the node is at work, in microseconds. It
   * goes on by its own.
   */
  public long clockIgnoredMicros() {
    return clock.ignoredMicros();
  }

  /** How the other nodes are reached. */
  public List<PeerStatus> peers() {
    return transport == null
        ? List.of()
        : transport.peers().stream().filter(peer -> !peer.node().equals(name)).toList();
  }

  /** Connections of other nodes and of clients that are open. */
  public int connections() {
    return listener == null ? 0 : listener.connections();
  }

  /** Connections that were closed because of what came by them, since it began. */
  public long refusedConnections() {
    return listener == null ? 0 : listener.traffic().refused();
  }

  /** Where it listens and others reach it, for people. */
  public String place() {
    return place.toString();
  }

  /** Whether another process has taken its place for good, so that it should end. */
  public boolean isReplaced() {
    return membership.standing() == Standing.REPLACED;
  }

  /** Answers what it has taken, closes its stores and leaves. Safe to call again. */
  @Override
  public synchronized void close() {
    RuntimeException failure = null;
    while (!closing.isEmpty()) {
      try {
        closing.pop().run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
