package io.graphmeta.server.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process and its cluster: what it knows of the cluster, and how it is known there if it is a
 * node. Safe for use by many threads.
 *
 * <p>One thread looks at the cluster when ZooKeeper tells that something has changed, or that the
 * connection is there again; it reads all of it, sees to the presence of its own node, gives shards
 * to nodes when it is time, and tells listeners. A look that could not be done is done again a
 * little later. Of changes that come while it looks, one more look is what follows; so it never
 * works on more than one and one more.
 *
 * <p>What was seen last stays whatever becomes of ZooKeeper.
 */
public final class ClusterMembership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMembership.class);
  private static final long RETRY_MILLIS = 250;
  private static final int MAX_LISTENERS = 64;

  private final ZooKeeperClient client;
  private final ClusterPaths paths;
  private final ClusterReader reader;
  private final ScheduledThreadPoolExecutor thread;
  private final AtomicBoolean lookIsDue = new AtomicBoolean();

  /** How many connections there were; each of them has watches of its own. */
  private final AtomicInteger connections = new AtomicInteger(1);

  private final Object change = new Object();

  private volatile ClusterView view;
  private volatile @Nullable NodePresence joined;
  private volatile boolean connected = true;
  private volatile Standing kept = Standing.AWAY;
  private volatile @Nullable String problem;

  @GuardedBy("change")
  private boolean closed;

  // Of the thread that looks.
  private final List<Consumer<ClusterView>> listeners = new ArrayList<>();
  private int watchedConnection;

  private final AtomicInteger listenerCount = new AtomicInteger();

  private ClusterMembership(ZooKeeperClient client, ClusterPaths paths) {
    this.client = client;
    this.paths = paths;
    this.reader = new ClusterReader(paths);
    this.view = client.ask(reader::read).view();
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "graphmeta-membership-" + paths.cluster());
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Makes a cluster.
   *
   * @return the cluster, as it was given
   * @throws GraphMetaException {@code ALREADY_EXISTS} if there is one of that name, which stays as
   *     it is; {@code UNAVAILABLE} if ZooKeeper does not answer in time
   */
  public static ClusterDescription create(ZooKeeperSettings settings, ClusterDescription cluster) {
    try (ZooKeeperClient client = ZooKeeperClient.connect(settings)) {
      return client.ask(new ClusterCreation(cluster)::create);
    }
  }

  /**
   * Reads a cluster, and goes on watching it.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is none of that name, {@code UNAVAILABLE}
   *     if ZooKeeper does not answer in time, {@code INVALID_CONFIGURATION} if it does not let this
   *     process in, {@code CORRUPTION} if something else lies there
   */
  public static ClusterMembership open(ZooKeeperSettings settings, String cluster) {
    ClusterPaths paths = new ClusterPaths(cluster);
    ZooKeeperClient client = ZooKeeperClient.connect(settings);
    try {
      ClusterMembership membership = new ClusterMembership(client, paths);
      client.onConnection(membership::connectionChanged);
      membership.lookSoon();
      return membership;
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /** What was last seen of the cluster. Waits for nothing. */
  public ClusterView view() {
    return view;
  }

  /** What keeps the view from being what ZooKeeper has, for people; empty if nothing does. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** How this process stands in the cluster. Waits for nothing. */
  public Standing standing() {
    if (joined == null) {
      return Standing.OUTSIDE;
    }
    Standing last = kept;
    return last == Standing.PRESENT && !connected ? Standing.AWAY : last;
  }

  /**
   * Has a listener told the view as it is and each later one, in their order, by one thread that
   * does nothing else meanwhile: it is to return soon, and must not wait for this object.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if there are too many
   */
  public void addListener(Consumer<ClusterView> listener) {
    if (listenerCount.incrementAndGet() > MAX_LISTENERS) {
      listenerCount.decrementAndGet();
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The view of cluster "
              + paths.cluster()
              + " has "
              + MAX_LISTENERS
              + " listeners; it takes no more");
    }
    execute(
        () -> {
          listeners.add(listener);
          tell(listener, view);
        });
  }

  /**
   * Waits until shards have nodes, and all of these have joined.
   *
   * @return a view with a placement, and with this process if it has joined as a node
   * @throws GraphMetaException {@code UNAVAILABLE} if they have none in time
   */
  public ClusterView awaitPlacement(long limitMillis) {
    long start = System.nanoTime();
    synchronized (change) {
      while (!view.isServed() || !seesItself()) {
        long left = limitMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (closed) {
          throw new GraphMetaException(
              ErrorCode.CLOSED, "The connection to cluster " + paths.cluster() + " was closed");
        }
        if (left <= 0) {
          throw noPlacement(limitMillis);
        }
        try {
          change.wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new GraphMetaException(
              ErrorCode.CANCELLED, "Interrupted while nodes of a cluster were waited for", e);
        }
      }
      return view;
    }
  }

  /** What was seen last may be from before this process joined. */
  private boolean seesItself() {
    NodePresence own = joined;
    return own == null || view.nodes().containsKey(own.node().name());
  }

  private GraphMetaException noPlacement(long limitMillis) {
    ClusterView seen = view;
    String known = problem;
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE,
        "The shards of cluster "
            + paths.cluster()
            + " have no nodes after "
            + limitMillis
            + " milliseconds: "
            + seen.nodes().size()
            + " of the "
            + seen.cluster().awaitedNodes()
            + " nodes that it waits for have joined; start the others"
            + (known == null ? "" : " (" + known + ")"));
  }

  /**
   * Joins as a node. While another process is present as this node it waits for about as long as
   * ZooKeeper takes to notice that a process was killed.
   *
   * @return the incarnation: no other process has joined, or will, as this node with this number
   * @throws GraphMetaException {@code ALREADY_OPEN} if another process is this node and stays,
   *     {@code WRONG_CLUSTER} if the node had another directory, {@code UNAVAILABLE} if ZooKeeper
   *     does not answer in time
   */
  public synchronized long join(NodeDescription node) {
    NodePresence before = joined;
    if (before != null) {
      throw GraphMetaException.invalid(
          "This process is node "
              + before.node().name()
              + " of cluster "
              + paths.cluster()
              + " and cannot be "
              + node.name()
              + " too");
    }
    NodePresence presence = NodePresence.join(client, paths, node);
    kept = Standing.PRESENT;
    joined = presence;
    lookSoon();
    return presence.incarnation();
  }

  /** Called by the thread of Curator that tells of connections, and by it alone. */
  private void connectionChanged(boolean isThere) {
    boolean was = connected;
    connected = isThere;
    if (isThere) {
      connections.incrementAndGet();
      lookSoon();
      LOG.info("ZooKeeper answers for cluster {}", paths.cluster());
    } else if (was) {
      LOG.warn(
          "ZooKeeper does not answer for cluster {}; what is known of the cluster stays",
          paths.cluster());
    }
  }

  /** Has the thread look, unless it is about to. */
  private void lookSoon() {
    if (lookIsDue.compareAndSet(false, true)) {
      execute(this::look);
    }
  }

  private void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed meanwhile", e);
    }
  }

  private void look() {
    // Before anything is read: what changes from here on makes for another look.
    lookIsDue.set(false);
    try {
      watch();
      // Before it reads: who can be read is of no matter to whether this process is present.
      keepPresence();
      ClusterReader.Reading reading = client.askOnce(reader::read);
      take(reading.view());
      if (joined != null && isTimeToPlace(reading.view())) {
        client.askOnce(curator -> place(curator, reading));
      }
      problem = null;
    } catch (GraphMetaException e) {
      if (thread.isShutdown()) {
        return;
      }
      String text = String.valueOf(e.getMessage());
      if (e.code() != ErrorCode.UNAVAILABLE && !text.equals(problem)) {
        LOG.error("Cluster {} cannot be read: {}", paths.cluster(), text);
      }
      problem = text;
      lookLater();
    }
  }

  private void lookLater() {
    if (lookIsDue.compareAndSet(false, true)) {
      try {
        thread.schedule(this::look, RETRY_MILLIS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("Closed meanwhile", e);
      }
    }
  }

  /** Watches are of one session; a connection may be one of a new session. */
  private void watch() {
    int connection = connections.get();
    if (watchedConnection != connection) {
      client.watch(paths.root(), this::lookSoon);
      watchedConnection = connection;
    }
  }

  private void keepPresence() {
    NodePresence presence = joined;
    if (presence == null || kept == Standing.REPLACED) {
      return;
    }
    kept = client.askOnce(presence::keep);
    if (kept == Standing.AWAY) {
      lookLater();
    } else if (kept == Standing.REPLACED) {
      LOG.error(
          "Another process has joined cluster {} as node {} since this one did with incarnation {};"
              + " end this process",
          paths.cluster(),
          presence.node().name(),
          presence.incarnation());
    }
  }

  private static boolean isTimeToPlace(ClusterView seen) {
    return !seen.placement().isThere() && seen.nodes().size() >= seen.cluster().awaitedNodes();
  }

  /** Of nodes that do it at once the first one wins; the others read what it wrote. */
  private boolean place(CuratorFramework curator, ClusterReader.Reading reading) throws Exception {
    ClusterView seen = reading.view();
    ShardPlacement first =
        ShardPlacement.first(
            seen.cluster().shards(),
            seen.cluster().replicas(),
            new TreeSet<>(seen.nodes().keySet()),
            seen.racks());
    return write(curator, first, reading.placementVersion());
  }

  private boolean write(CuratorFramework curator, ShardPlacement placement, int version)
      throws Exception {
    try {
      curator
          .setData()
          .withVersion(version)
          .forPath(paths.placement(), ZnodeForms.write(paths, placement));
      return true;
    } catch (KeeperException.BadVersionException e) {
      return false;
    }
  }

  /**
   * Changes the placement, in one step that nobody else's comes between.
   *
   * @param change the next placement, or the same to leave it; asked again if another one came
   *     between
   * @return the placement then
   * @throws GraphMetaException {@code UNAVAILABLE} if ZooKeeper does not answer in time; it may
   *     have been changed then
   */
  public ShardPlacement change(UnaryOperator<ShardPlacement> change) {
    return client.ask(
        curator -> {
          while (true) {
            ClusterReader.Reading reading = reader.read(curator);
            ShardPlacement next = change.apply(reading.view().placement());
            if (next.equals(reading.view().placement())
                || write(curator, next, reading.placementVersion())) {
              return next;
            }
          }
        });
  }

  /**
   * Changes the placement as {@link #change} does, if some nodes are not present, and none of them
   * has joined again in the meantime.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if one of them is present, or unknown;
   *     {@code UNAVAILABLE} if ZooKeeper does not answer in time
   */
  public ShardPlacement changeWithout(
      Collection<String> nodes, UnaryOperator<ShardPlacement> change) {
    return client.ask(
        curator -> {
          while (true) {
            List<CuratorOp> changes = new ArrayList<>();
            for (String node : nodes) {
              Stat registered = curator.checkExists().forPath(paths.node(node));
              int version = registered == null ? -1 : registered.getVersion();
              changes.add(
                  curator.transactionOp().check().withVersion(version).forPath(paths.node(node)));
            }
            ClusterReader.Reading reading = reader.read(curator);
            nodes.forEach(node -> requireAbsent(reading.view(), node));
            ShardPlacement next = change.apply(reading.view().placement());
            if (next.equals(reading.view().placement())) {
              return next;
            }
            changes.add(
                curator
                    .transactionOp()
                    .setData()
                    .withVersion(reading.placementVersion())
                    .forPath(paths.placement(), ZnodeForms.write(paths, next)));
            try {
              curator.transaction().forOperations(changes);
              return next;
            } catch (KeeperException.BadVersionException e) {
              LOG.debug("Something has changed meanwhile", e);
            }
          }
        });
  }

  private static void requireAbsent(ClusterView view, String name) {
    KnownNode node = view.nodes().get(name);
    if (node == null) {
      throw GraphMetaException.invalid(
          "No node '"
              + name
              + "' has joined cluster "
              + view.cluster().name()
              + "; expected some of "
              + String.join(", ", view.nodes().keySet()));
    }
    if (node.present()) {
      throw GraphMetaException.invalid(
          "Node "
              + name
              + " is present in ZooKeeper and not lost; nothing was changed. Let it come up, or end"
              + " it for good and ask again");
    }
  }

  private void take(ClusterView seen) {
    synchronized (change) {
      if (seen.equals(view)) {
        return;
      }
      view = seen;
      change.notifyAll();
    }
    listeners.forEach(listener -> tell(listener, seen));
  }

  private static void tell(Consumer<ClusterView> listener, ClusterView seen) {
    try {
      listener.accept(seen);
    } catch (RuntimeException e) {
      LOG.error("A listener of the view of a cluster failed", e);
    }
  }

  /** Leaves: ZooKeeper is told that the session ends, or finds it out if it does not answer. */
  @Override
  public void close() {
    synchronized (change) {
      closed = true;
      change.notifyAll();
    }
    thread.shutdownNow();
    client.close();
  }
}
