package io.graphmeta.server.net;

import io.graphmeta.error.GraphMetaException;
import java.util.UUID;

/**
 * Who a process is among the nodes of its cluster.
 *
 * @param cluster the cluster, which is given its id when it is made
 * @param node name of the node; a client that hosts no shard has one as well
 * @param incarnation a number that no earlier process of that name had, such as the time of its
 *     start
 */
public record NodeIdentity(UUID cluster, String node, long incarnation) {
  /** Most bytes of a name, so that a greeting is small. */
  static final int MAX_NAME_BYTES = 255;

  /** Fails for a name that is empty or too long. */
  public NodeIdentity {
    if (node.isEmpty() || node.length() > MAX_NAME_BYTES / 3) {
      throw GraphMetaException.invalid(
          "The name of a node has "
              + node.length()
              + " characters; expected 1 to "
              + MAX_NAME_BYTES / 3);
    }
  }
}
