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

  /** The nodes of each shard. */
  static List<List<NodeAddress>> ofShards(ClusterView view) {
    return view.placement().replicas().stream()
        .map(nodes -> nodes.stream().map(node -> address(view, node)).toList())
        .toList();
  }

  private static NodeAddress address(ClusterView view, String name) {
    KnownNode node = view.nodes().get(name);
    if (node == null) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Cluster "
              + view.cluster().name()
              + " has shards on node "
              + name
              + ", which is not registered; look into ZooKeeper");
    }
    return address(node.description());
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

  /** Tells a transport which nodes are there, and where they listen. */
  static void tell(ClusterView view, NetTransport transport) {
    for (KnownNode node : view.nodes().values()) {
      if (node.present()) {
        transport.present(address(node.description()));
      }
    }
  }
}
