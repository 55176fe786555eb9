package io.graphmeta.server.replication;

import java.util.List;
import org.apache.ratis.protocol.RaftPeer;

/**
 * Where a member of a group is reached by the others.
 *
 * @param name of the node, for ever
 * @param host a name or an address; where TLS is used, the name in its certificate
 * @param port where its {@link ReplicaServer} listens
 */
public record ReplicaAddress(String name, String host, int port) {
  /** Members as the engine is told them. */
  static List<RaftPeer> peers(List<ReplicaAddress> members) {
    return members.stream()
        .map(each -> RaftPeer.newBuilder().setId(each.name()).setAddress(each.text()).build())
        .toList();
  }

  /** The address as it is written. */
  String text() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
