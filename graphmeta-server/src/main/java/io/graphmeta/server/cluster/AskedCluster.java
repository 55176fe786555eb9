package io.graphmeta.server.cluster;

import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeIdentity;
import java.time.InstantSource;

/** The ways to all nodes of a cluster, for a process that asks some questions and goes. */
final class AskedCluster implements AutoCloseable {
  private final NetThreads threads;
  private final NetTransport nodes;
  private final LeaderTransport leaders;

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
