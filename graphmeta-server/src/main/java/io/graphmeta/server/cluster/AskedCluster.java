package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeIdentity;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.ReplicaCalls.Directed;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The ways to all nodes of a cluster, for a process that asks some questions and goes. */
final class AskedCluster implements AutoCloseable {
  private final NetThreads threads;
  private final NetTransport nodes;
  private final LeaderTransport leaders;
  private final long answerMillis;

  /** What a node has of a shard. */
  record HostedReplica(int shard, String node) {}

  /**
   * Ways to the nodes that a placement names.
   *
   * @param asker what the process does, for the name by which nodes know it
   */
  AskedCluster(ClusterView view, ClusterSettings settings, String asker) {
    NodeIdentity self =
        new NodeIdentity(
            view.cluster().id(),
            asker + "-" + ProcessHandle.current().pid(),
            System.nanoTime() >>> 1);
    answerMillis = settings.node().number(NodeSetting.BEGIN_TIMEOUT_MILLIS);
    threads = new NetThreads(settings.node());
    try {
      nodes =
          NetTransport.toNodes(
              self,
              view.placement().replicas(),
              NodeAddresses.all(view),
              settings.node(),
              threads,
              InstantSource.system());
      leaders =
          new LeaderTransport(
              nodes,
              view.cluster().shards(),
              view.cluster().replicas(),
              settings.node(),
              threads.timer());
    } catch (RuntimeException e) {
      threads.close();
      throw e;
    }
  }

  /** To each replica. */
  NetTransport nodes() {
    return nodes;
  }

  /** A request that waits for its answer as long as a begin does. */
  Call call(Request request) {
    return new Call(VirtualNodeMap.FIRST_EPOCH, answerMillis, request);
  }

  /**
   * Asks replicas the same, all at once, so that those that do not answer are waited for once.
   *
   * @return the answers of those that answered
   */
  Map<HostedReplica, Response> ask(Collection<HostedReplica> replicas, Request request) {
    List<HostedReplica> asked = List.copyOf(replicas);
    List<CompletableFuture<Response>> answers =
        nodes.sendAllTo(
            asked.stream()
                .map(each -> new Directed(each.shard(), each.node(), call(request)))
                .toList());
    Map<HostedReplica, Response> told = new HashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      try {
        told.put(asked.get(i), nodes.await(answers.get(i)));
      } catch (GraphMetaException e) {
        continue; // those that do not answer are what callers look for
      }
    }
    return told;
  }

  /** To whoever leads a shard. */
  LeaderTransport leaders() {
    return leaders;
  }

  @Override
  public void close() {
    nodes.close();
    threads.close();
  }
}
