package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads a cluster. Immutable. */
final class ClusterReader {
  private final ClusterPaths paths;

  ClusterReader(ClusterPaths paths) {
    this.paths = paths;
  }

  /**
   * What was read.
   *
   * @param view for all
   * @param placementVersion by which the znode of the placement is known not to have changed since
   */
  record Reading(ClusterView view, int placementVersion) {}

  /**
   * Reads all of it, in the order that {@link ClusterView} tells.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such cluster, {@code CORRUPTION} if
   *     something else lies there
   */
  Reading read(CuratorFramework curator) throws Exception {
    ClusterDescription cluster = description(curator);
    Stat stat = new Stat();
    ShardPlacement placement =
        ZnodeForms.placement(paths, cluster, required(curator, paths.placement(), stat));
    Map<String, Presence> present = new HashMap<>();
    for (String name : names(curator, paths.presences())) {
      // Whoever left since the names were read is not present.
      byte @Nullable [] content = content(curator, paths.presence(name), new Stat());
      if (content != null) {
        present.put(name, ZnodeForms.presence(paths, name, content));
      }
    }
    TreeMap<String, KnownNode> nodes = new TreeMap<>();
    for (String name : names(curator, paths.nodes())) {
      byte @Nullable [] content = content(curator, paths.node(name), new Stat());
      if (content != null) {
        Registration known = ZnodeForms.registration(paths, name, content);
        @Nullable Presence presence = present.get(name);
        nodes.put(
            name,
            new KnownNode(
                known.description(),
                known.incarnation(),
                presence != null && presence.incarnation() == known.incarnation()));
      }
    }
    return new Reading(new ClusterView(cluster, nodes, placement), stat.getVersion());
  }

  /** What the cluster is. */
  ClusterDescription description(CuratorFramework curator) throws Exception {
    byte @Nullable [] content = content(curator, paths.root(), new Stat());
    if (content == null) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no cluster '"
              + paths.cluster()
              + "' in ZooKeeper (no znode "
              + paths.root()
              + "); make it with graphmeta cluster init, or give the name of one that is there");
    }
    return ZnodeForms.cluster(paths, content);
  }

  private List<String> names(CuratorFramework curator, String path) throws Exception {
    List<String> names;
    try {
      names = curator.getChildren().forPath(path);
    } catch (KeeperException.NoNodeException e) {
      throw missing(path);
    }
    if (names.size() > ClusterDescription.MAX_NODES) {
      throw ZnodeText.forPath(path)
          .corruption(names.size() + " children", "at most " + ClusterDescription.MAX_NODES);
    }
    for (String name : names) {
      if (!Names.isName(name)) {
        throw ZnodeText.forPath(path).corruption("the child '" + name + "'", "names of nodes");
      }
    }
    return names;
  }

  private static byte[] required(CuratorFramework curator, String path, Stat stat)
      throws Exception {
    byte @Nullable [] content = content(curator, path, stat);
    if (content == null) {
      throw missing(path);
    }
    return content;
  }

  private static GraphMetaException missing(String path) {
    return ZnodeText.forPath(path).corruption("gone", "what is made with the cluster");
  }

  /** What a znode holds, and which version of it; null if there is none. */
  static byte @Nullable [] content(CuratorFramework curator, String path, Stat stat)
      throws Exception {
    try {
      return curator.getData().storingStatIn(stat).forPath(path);
    } catch (KeeperException.NoNodeException e) {
      return null;
    }
  }
}
