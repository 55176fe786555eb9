package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;

/** The making of a cluster: one change of ZooKeeper, so that there is never half of one. */
final class ClusterCreation {
  private static final byte[] NOTHING = {};

  private final ClusterPaths paths;
  private final ClusterDescription cluster;

  ClusterCreation(ClusterDescription cluster) {
    this.paths = new ClusterPaths(cluster.name());
    this.cluster = cluster;
  }

  /**
   * Makes it; whoever asks again, because the answer was lost, finds its own id there.
   *
   * @throws GraphMetaException {@code ALREADY_EXISTS} if there is one of that name
   */
  ClusterDescription create(CuratorFramework curator) throws Exception {
    if (curator.checkExists().forPath(ClusterPaths.ROOT) == null) {
      try {
        curator.create().forPath(ClusterPaths.ROOT, NOTHING);
      } catch (KeeperException.NodeExistsException e) {
        // Another cluster was made just then.
      }
    }
    try {
      curator
          .transaction()
          .forOperations(
              List.of(
                  made(curator, paths.root(), ZnodeForms.write(paths, cluster)),
                  made(curator, paths.nodes(), NOTHING),
                  made(curator, paths.presences(), NOTHING),
                  made(curator, paths.placement(), ZnodeForms.write(paths, ShardPlacement.NONE))));
    } catch (KeeperException.NodeExistsException e) {
      requireOwn(new ClusterReader(paths).description(curator));
    }
    return cluster;
  }

  private static CuratorOp made(CuratorFramework curator, String path, byte[] content)
      throws Exception {
    return curator.transactionOp().create().forPath(path, content);
  }

  private void requireOwn(ClusterDescription found) {
    if (!found.id().equals(cluster.id())) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_EXISTS,
          "There is a cluster '"
              + found.name()
              + "' already, made "
              + found.created()
              + " with "
              + found.shards()
              + " shards (id "
              + found.id()
              + "); nothing was changed. Take another name, or use that cluster");
    }
  }
}
