package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.UUID;

/**
 * What a node tells of itself when it joins. Immutable.
 *
 * @param name its name; one cluster has one node of a name
 * @param directory the id of the directory in which it keeps its shards, drawn when that was made;
 *     by it a node with an empty disk is known
 * @param lock which file, in which run of which machine, this process holds locked as long as it
 *     lives; a process that holds the same one knows that this process has ended. Empty if it holds
 *     none of which that is known
 * @param host where others reach it
 * @param port where others reach it
 * @param replicaPort where the replicas of other nodes reach its own, on the same host; 0 if it has
 *     none
 * @param rack what it shares with other nodes that may fail together with it, such as a rack; empty
 *     if nothing
 * @param software the version of its build
 * @param lowestProtocol lowest version of the protocol between nodes that it speaks
 * @param highestProtocol highest of them
 */
public record NodeDescription(
    String name,
    UUID directory,
    String lock,
    String host,
    int port,
    int replicaPort,
    String rack,
    String software,
    int lowestProtocol,
    int highestProtocol) {
  private static final int MAX_HOST_CHARS = 255;
  private static final int MAX_PORT = 65_535;

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public NodeDescription {
    Names.require("node", name);
    if (!ZnodeText.isValue(lock)) {
      throw GraphMetaException.invalid(
          "The lock of node " + name + " is '" + lock + "'; expected one line");
    }
    if (host.isBlank() || host.length() > MAX_HOST_CHARS || !ZnodeText.isValue(host)) {
      throw GraphMetaException.invalid(
          "The host of node " + name + " is '" + host + "'; expected a name or an address");
    }
    if (port < 1 || port > MAX_PORT) {
      throw GraphMetaException.invalid(
          "The port of node " + name + " is " + port + "; expected 1 to " + MAX_PORT);
    }
    if (replicaPort < 0 || replicaPort > MAX_PORT) {
      throw GraphMetaException.invalid(
          "The port of the replicas of node "
              + name
              + " is "
              + replicaPort
              + "; expected 1 to "
              + MAX_PORT
              + ", or 0 for none");
    }
    if (!rack.isEmpty()) {
      requireRack(rack);
    }
    if (!ZnodeText.isValue(software)) {
      throw GraphMetaException.invalid(
          "The version of node " + name + " is '" + software + "'; expected one line");
    }
    if (lowestProtocol < 0 || highestProtocol < lowestProtocol) {
      throw GraphMetaException.invalid(
          "Node "
              + name
              + " speaks versions "
              + lowestProtocol
              + " to "
              + highestProtocol
              + "; expected a range");
    }
  }

  /**
   * Fails if a node cannot have a name.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT}
   */
  public static void requireName(String name) {
    Names.require("node", name);
  }

  /**
   * Checks the name of a rack.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT}
   */
  public static void requireRack(String rack) {
    Names.require("rack", rack);
  }

  /** Where others reach it. */
  public String address() {
    return host + ":" + port;
  }
}
