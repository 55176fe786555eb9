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
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.membership.Standing;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeIdentity;
import io.graphmeta.server.net.NodeListener;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeTransport;
import io.graphmeta.server.net.ShardQueues;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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

  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final ClusterMembership membership;
  private final String name;
  private final NodePlace place;
  private final Map<Integer, HostedShard> shards = new TreeMap<>();
  private @Nullable NetTransport transport;
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
    GraphMetaConfig config = config(own, cluster, settings);
    long incarnation =
        membership.join(
            new NodeDescription(
                name,
                own.id(),
                own.lock(),
                place.host(),
                place.port(),
                version,
                NodeListener.LOWEST_PROTOCOL,
                settings.node().integer(NodeSetting.HIGHEST_PROTOCOL)));
    ClusterView view = awaitPlacement(waiting);
    InstantSource clock = InstantSource.system();
    HostedShards hosted =
        HostedShards.open(
            config, Hosting.ofNode(cluster.id().toString(), shardsOf(name, view)), clock);
    closing.push(hosted::close);
    own.ready();
    NetThreads threads = new NetThreads(settings.node());
    closing.push(threads::close);
    Map<Integer, RequestHandler> handlers = new HashMap<>();
    CheckpointKeeper files = hosted.keepCheckpoints();
    closing.push(files::close);
    for (HostedShard shard : hosted.all()) {
      handlers.put(shard.number(), new NodeRequests(files.before(shard.number(), shard, shard)));
    }
    ShardQueues queues = new ShardQueues(name, handlers, settings.node());
    NodeIdentity identity = new NodeIdentity(cluster.id(), name, incarnation);
    NetTransport toOthers =
        new NetTransport(identity, NodeAddresses.ofShards(view), settings.node(), threads, clock);
    closing.push(toOthers::close);
    membership.addListener(seen -> NodeAddresses.tell(seen, toOthers));
    NodeTransport toAll = new NodeTransport(queues, toOthers);
    closing.push(queues::close);
    closing.push(() -> hosted.all().forEach(HostedShard::leave));
    hosted.all().forEach(shard -> shard.join(toAll));
    NodeListener fromOthers = NodeListener.open(identity, queues, place.settings(), threads, clock);
    closing.push(fromOthers::close);
    hosted.all().forEach(shard -> shards.put(shard.number(), shard));
    transport = toOthers;
    listener = fromOthers;
  }

  private static GraphMetaConfig config(
      NodeDirectory own, ClusterDescription cluster, ClusterSettings settings) {
    Map<String, Object> given = new HashMap<>(settings.graph());
    given.put(Setting.DIRECTORY.key(), own.shards().toString());
    given.put(Setting.CREATE.key(), own.isReady() ? "false" : "true");
    return SharedSettings.of(cluster, GraphMetaConfig.of(given));
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

  private static List<Integer> shardsOf(String node, ClusterView view) {
    List<Integer> shards = new ArrayList<>();
    List<String> nodes = view.placement().nodes();
    for (int shard = 0; shard < nodes.size(); shard++) {
      if (nodes.get(shard).equals(node)) {
        shards.add(shard);
      }
    }
    return List.copyOf(shards);
  }

  /** The numbers of the shards that it hosts. */
  public List<Integer> shards() {
    return List.copyOf(shards.keySet());
  }

  /** How each of them is doing, in the order of their numbers. */
  public List<ShardStatus> status() {
    return shards.values().stream().map(ClusterNode::status).toList();
  }

  private static ShardStatus status(HostedShard shard) {
    try {
      // A shard without work resolves no stamps by itself: the question makes it do so.
      ask(shard, new Request.Snapshot(0));
      return ShardStatus.of(
          shard.number(),
          (Response.Status) ask(shard, new Request.ReadStatus()),
          Stamp.epochMicros(InstantSource.system().instant()));
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
