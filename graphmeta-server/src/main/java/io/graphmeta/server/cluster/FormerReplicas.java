package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.HostedShards;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.ShardPlacement;
import io.graphmeta.server.replication.GroupLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of groups that are at an end, since they have lost their majority and another group goes
 * on: their stores and logs are moved out of the way, where nobody opens them, and kept. What was
 * committed and is lost may be in them. Used by one thread.
 *
 * <p>The store goes before its log. What is cut off between the two is found by the log; a store
 * without one would be taken for that of a replica which is to be taken in.
 */
final class FormerReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(FormerReplicas.class);

  private final NodeDirectory own;
  private final GroupLogs logs;

  /** Those of a node. */
  FormerReplicas(NodeDirectory own, GroupLogs logs) {
    this.own = own;
    this.logs = logs;
  }

  /**
   * Moves all that this node has of former groups and does not go on with, before anything of it is
   * opened.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if it cannot be moved
   */
  void setAside(ClusterView view, String self) {
    ShardPlacement placement = view.placement();
    for (int shard = 0; shard < placement.replicas().size(); shard++) {
      boolean goesOn = placement.replicas().get(shard).equals(List.of(self));
      int generation = placement.generations().get(shard);
      if (!goesOn && generation > 0) {
        setAside(shard, generation);
      }
    }
  }

  /**
   * Moves what there is of a shard and belongs to a group before that of a generation; nothing if
   * there is none. Neither store nor log is open.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} if it cannot be moved
   */
  void setAside(int shard, int generation) {
    int former = logs.generation(shard, generation);
    if (former < 0 || former == generation) {
      return;
    }
    Path to = own.former().resolve("shard-" + shard + "-generation-" + former);
    try {
      Files.createDirectories(to);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Directory " + to + " cannot be made: " + e, e);
    }
    HostedShards.setAside(own.shards(), shard, to.resolve("store"));
    logs.setAside(shard, former, to.resolve("log"));
    LOG.warn(
        "Shard {} has lost its majority and goes on elsewhere; what this node had of it is in {}."
            + " Remove it when nobody looks for lost commits there",
        shard,
        to);
  }
}
