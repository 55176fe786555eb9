package io.graphmeta.server.replication;

/**
 * Where a member of a group is reached by the others.
 *
 * @param name of the node, for ever
 * @param host a name or an address; where TLS is used, the name in its certificate
 * @param port where its {@link ReplicaServer} listens
 */
public record ReplicaAddress(String name, String host, int port) {
  /** The address as it is written. */
  String text() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
