package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeAddress;
import java.util.List;

/** What is known of a cluster, as the transport takes it. */
final class NodeAddresses {
  private NodeAddresses() {}

  /**
   * All nodes.
   *
   * @throws GraphMetaException {@code CORRUPTION} if a node has shards that is not among them
   */
  static List<NodeAddress> all(ClusterView view) {
    view.placement().replicas().forEach(nodes -> nodes.forEach(node -> requireKnown(view, node)));
    return view.nodes().values().stream().map(node -> address(node.description())).toList();
  }

  private static void requireKnown(ClusterView view, String name) {
    if (!view.nodes().containsKey(name)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Cluster "
              + view.cluster().name()
              + " has shards on node "
              + name
              + ", which is not registered; look into ZooKeeper");
    }
  }

  private static NodeAddress address(NodeDescription node) {
    return new NodeAddress(node.name(), node.host(), node.port());
  }

  /** Tells a transport that is new which nodes are not there, so that nothing waits for them. */
  static void tellAbsent(ClusterView view, NetTransport transport) {
    for (KnownNode node : view.nodes().values()) {
      if (!node.present()) {
        transport.absent(node.description().name());
      }
    }
  }

  /** Tells a transport which nodes shards have, which nodes are there, and where they listen. */
  static void tell(ClusterView view, NetTransport transport) {
    if (view.placement().isThere()) {
      transport.route(view.placement().replicas(), all(view));
    }
    for (KnownNode node : view.nodes().values()) {
      if (node.present()) {
        transport.present(address(node.description()));
      }
    }
  }
}
