package io.graphmeta.server.membership;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One process as a node of a cluster: how it joins, and how it is present.
 *
 * <p>A node has two znodes. Its <em>registration</em> stays; its <em>presence</em> ends with the
 * session that made it. To join is one atomic change that makes the presence, which must not be
 * there, and writes the registration, whose version must be the one whose directory and incarnation
 * were looked at. So of two processes that join as the same node one gets in; no two ever have the
 * same incarnation; and a registration never changes under a process that is present.
 *
 * <p>A process that was killed counts as present until its session has run out. One that holds the
 * lock which that one held as long as it lived need not wait for that: it removes the old presence
 * in the same change, on the same condition.
 *
 * <p>A process whose session has ended makes its presence again, on the condition that the
 * registration is still as it left it. If it is not, another process has joined meanwhile.
 *
 * <p>Every change may have happened although nobody said so. So a process draws a number, writes it
 * into its presence, and by it finds out what became of its attempt.
 *
 * <p>Immutable but for what it remembers of its registration; used by one thread at a time.
 */
final class NodePresence {
  private static final long PAUSE_MILLIS = 100;

  private final ClusterPaths paths;
  private final NodeDescription node;
  private final UUID process = UUID.randomUUID();
  private long incarnation;
  private int registrationVersion;

  private NodePresence(ClusterPaths paths, NodeDescription node) {
    this.paths = paths;
    this.node = node;
  }

  /**
   * Joins. While another process is present as the same node it waits until a process that was
   * killed a moment ago no longer counts as present, unless it holds the lock that that one held.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if that one stays, {@code WRONG_CLUSTER} if the
   *     node is registered with another directory, {@code LIMIT_EXCEEDED} if there are too many
   *     nodes, {@code UNAVAILABLE} if ZooKeeper does not answer
   */
  static NodePresence join(ZooKeeperClient client, ClusterPaths paths, NodeDescription node) {
    NodePresence presence = new NodePresence(paths, node);
    // ZooKeeper ends sessions at the ticks of its clock, so some time after they have run out.
    long patience = client.sessionTimeoutMillis() * 3 / 2 + 1000;
    long start = System.nanoTime();
    while (true) {
      Optional<GraphMetaException> obstacle = client.ask(presence::attempt);
      if (obstacle.isEmpty()) {
        return presence;
      }
      if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) >= patience) {
        throw obstacle.get();
      }
      ZooKeeperClient.pause(PAUSE_MILLIS);
    }
  }

  NodeDescription node() {
    return node;
  }

  long incarnation() {
    return incarnation;
  }

  /** Joins; otherwise why it cannot as long as things are as they are. */
  private Optional<GraphMetaException> attempt(CuratorFramework curator) throws Exception {
    // The presence first: if it is that of this process, the registration is not older than it.
    Stat presenceStat = new Stat();
    byte @Nullable [] present =
        ClusterReader.content(curator, paths.presence(node.name()), presenceStat);
    Stat registrationStat = new Stat();
    byte @Nullable [] content =
        ClusterReader.content(curator, paths.node(node.name()), registrationStat);
    @Nullable Registration registered =
        content == null ? null : ZnodeForms.registration(paths, node.name(), content);
    if (registered != null && present != null) {
      Presence presence = ZnodeForms.presence(paths, node.name(), present);
      if (presence.process().equals(process)
          && presence.incarnation() == registered.incarnation()) {
        // An attempt whose answer was lost. If its session is not this one, keep() sees to it.
        incarnation = registered.incarnation();
        registrationVersion = registrationStat.getVersion();
        return Optional.empty();
      }
    }
    if (registered == null) {
      requireRoom(curator);
    } else {
      requireSameDirectory(registered);
    }
    boolean hasEnded = registered != null && heldLockOf(registered.description());
    if (present != null && !hasEnded) {
      return Optional.of(occupied(registered, presenceStat));
    }
    long next = registered == null ? 1 : registered.incarnation() + 1;
    byte[] registration = ZnodeForms.write(paths, new Registration(node, next));
    List<CuratorOp> changes = new ArrayList<>();
    changes.add(
        registered == null
            ? curator.transactionOp().create().forPath(paths.node(node.name()), registration)
            : curator
                .transactionOp()
                .setData()
                .withVersion(registrationStat.getVersion())
                .forPath(paths.node(node.name()), registration));
    if (present != null) {
      changes.add(
          curator
              .transactionOp()
              .delete()
              .withVersion(presenceStat.getVersion())
              .forPath(paths.presence(node.name())));
    }
    changes.add(presenceOf(curator, next));
    try {
      curator.transaction().forOperations(changes);
    } catch (KeeperException.NodeExistsException
        | KeeperException.NoNodeException
        | KeeperException.BadVersionException e) {
      return Optional.of(occupied(registered, new Stat()));
    }
    incarnation = next;
    registrationVersion = registered == null ? 0 : registrationStat.getVersion() + 1;
    return Optional.empty();
  }

  /** Whether this process holds the lock that the process which joined last held till its end. */
  private boolean heldLockOf(NodeDescription last) {
    return !node.lock().isEmpty() && node.lock().equals(last.lock());
  }

  private CuratorOp presenceOf(CuratorFramework curator, long number) throws Exception {
    return curator
        .transactionOp()
        .create()
        .withMode(CreateMode.EPHEMERAL)
        .forPath(
            paths.presence(node.name()),
            ZnodeForms.write(paths, node.name(), new Presence(number, process)));
  }

  /**
   * Sees to it that the process is present, after its session may have ended.
   *
   * @return {@code PRESENT}, {@code REPLACED} if another process has joined as this node, or {@code
   *     AWAY} if things changed meanwhile and it is to be called again
   */
  Standing keep(CuratorFramework curator) throws Exception {
    String path = paths.presence(node.name());
    List<CuratorOp> changes = new ArrayList<>();
    // The condition on which all hangs: nobody has joined since.
    changes.add(
        curator
            .transactionOp()
            .check()
            .withVersion(registrationVersion)
            .forPath(paths.node(node.name())));
    Stat stat = new Stat();
    byte @Nullable [] content = ClusterReader.content(curator, path, stat);
    if (content != null) {
      if (!ZnodeForms.presence(paths, node.name(), content).process().equals(process)) {
        return Standing.REPLACED;
      }
      if (stat.getEphemeralOwner() == curator.getZookeeperClient().getZooKeeper().getSessionId()) {
        return Standing.PRESENT;
      }
      // Of a session of this process that ZooKeeper has not ended yet.
      changes.add(curator.transactionOp().delete().withVersion(stat.getVersion()).forPath(path));
    }
    changes.add(presenceOf(curator, incarnation));
    try {
      curator.transaction().forOperations(changes);
      return Standing.PRESENT;
    } catch (KeeperException.NodeExistsException e) {
      return Standing.AWAY;
    } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
      // Of the registration, or of the old presence, which may have ended just then.
      @Nullable Stat registration = curator.checkExists().forPath(paths.node(node.name()));
      return registration == null || registration.getVersion() != registrationVersion
          ? Standing.REPLACED
          : Standing.AWAY;
    }
  }

  private void requireRoom(CuratorFramework curator) throws Exception {
    @Nullable Stat nodes = curator.checkExists().forPath(paths.nodes());
    if (nodes != null && nodes.getNumChildren() >= ClusterDescription.MAX_NODES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "Cluster "
              + paths.cluster()
              + " has "
              + nodes.getNumChildren()
              + " nodes; at most "
              + ClusterDescription.MAX_NODES
              + " can join");
    }
  }

  private void requireSameDirectory(Registration registered) {
    UUID known = registered.description().directory();
    if (!known.equals(node.directory())) {
      throw new GraphMetaException(
          ErrorCode.WRONG_CLUSTER,
          "Node "
              + node.name()
              + " of cluster "
              + paths.cluster()
              + " keeps its shards in directory "
              + known
              + ", and was started with directory "
              + node.directory()
              + ". A shard that was lost must not come back empty: start the node with the"
              + " directory that it had (last at "
              + registered.description().address()
              + "), or restore it from a backup, or start this directory as a node of another"
              + " name");
    }
  }

  private GraphMetaException occupied(@Nullable Registration registered, Stat presence) {
    return new GraphMetaException(
        ErrorCode.ALREADY_OPEN,
        "Node "
            + node.name()
            + " of cluster "
            + paths.cluster()
            + " is there already"
            + (registered == null
                ? ""
                : ": at "
                    + registered.description().address()
                    + ", incarnation "
                    + registered.incarnation())
            + (presence.getCtime() == 0
                ? ""
                : ", since " + Instant.ofEpochMilli(presence.getCtime()))
            + "; stop that process first, or give this one another name");
  }
}
