package io.graphmeta.server.membership;

/**
 * Where the znodes of a cluster lie. Immutable.
 *
 * @param cluster the name of the cluster
 */
record ClusterPaths(String cluster) {
  /** Below it is all that GraphMeta writes. */
  static final String ROOT = "/graphmeta";

  ClusterPaths {
    Names.require("cluster", cluster);
  }

  /** What the cluster is. */
  String root() {
    return ROOT + "/" + cluster;
  }

  /** Has a child for each node that has ever joined. */
  String nodes() {
    return root() + "/nodes";
  }

  String node(String name) {
    return nodes() + "/" + name;
  }

  /** Has an ephemeral child for each node that is present. */
  String presences() {
    return root() + "/present";
  }

  String presence(String node) {
    return presences() + "/" + node;
  }

  /** Which node hosts which shard. */
  String placement() {
    return root() + "/placement";
  }
}
