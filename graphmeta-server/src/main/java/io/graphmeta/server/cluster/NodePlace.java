package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.server.net.NodeSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * Where a node listens, and where others reach it: in a container, or behind address translation,
 * these are two places. Immutable.
 *
 * @param settings with the port that it listens on, which is a real one
 * @param host where others reach it
 * @param port where others reach it
 * @param replicaPort where its replicas are reached
 */
record NodePlace(NodeSettings settings, String host, int port, int replicaPort) {
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::");
  private static final String HOST_KEY = NodeSetting.HOST.key();

  /**
   * What the settings say. A node that may listen on any port takes one that is free now: others
   * are told where it is before it listens there.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if it listens on all addresses and
   *     none is told at which others reach it, or on one that this machine does not have
   */
  static NodePlace of(NodeSettings given) {
    String listening = given.get(NodeSetting.HOST);
    String advertised = given.get(NodeSetting.ADVERTISED_HOST);
    InetAddress address = address(listening);
    if (advertised.isEmpty() ? address.isAnyLocalAddress() : WILDCARDS.contains(advertised)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Others cannot reach a node at "
              + (advertised.isEmpty() ? listening : advertised)
              + ", which stands for all addresses of a machine; set "
              + NodeSetting.ADVERTISED_HOST.key()
              + " (--advertise) to the name or address at which they reach it");
    }
    NodeSettings settings =
        given.integer(NodeSetting.PORT) == 0
            ? given.with(NodeSetting.PORT, freePort(address))
            : given;
    int listeningPort = settings.integer(NodeSetting.PORT);
    int port = settings.integer(NodeSetting.ADVERTISED_PORT);
    int replicaPort = settings.integer(NodeSetting.ADVERTISED_REPLICA_PORT);
    return new NodePlace(
        settings,
        advertised.isEmpty() ? listening : advertised,
        port == 0 ? listeningPort : port,
        replicaPort == 0 ? settings.integer(NodeSetting.REPLICA_PORT) : replicaPort);
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The address " + host + " to listen on is unknown; choose another " + HOST_KEY,
          e);
    }
  }

  private static int freePort(InetAddress address) {
    try (ServerSocket socket = new ServerSocket(0, 1, address)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Cannot listen on " + address + " (" + e.getMessage() + "); choose another " + HOST_KEY,
          e);
    }
  }

  /** For people. */
  @Override
  public String toString() {
    String listening = settings.get(NodeSetting.HOST) + ":" + settings.integer(NodeSetting.PORT);
    String reached = host + ":" + port;
    return listening.equals(reached) ? reached : listening + ", reached at " + reached;
  }
}
