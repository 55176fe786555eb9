package io.graphmeta.server.net;

/**
 * Where a node listens.
 *
 * @param node its name, which it must tell when it is called
 * @param host name or address of its machine; with TLS its certificate must be for this name
 * @param port the port that it listens on for other nodes
 */
public record NodeAddress(String node, String host, int port) {
  @Override
  public String toString() {
    return node + " (" + host + ":" + port + ")";
  }
}
