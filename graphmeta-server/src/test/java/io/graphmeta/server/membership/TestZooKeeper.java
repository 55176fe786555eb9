package io.graphmeta.server.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.cluster.ZooKeeperProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * A real ZooKeeper with short times, and a client beside those of the product to look behind them.
 */
final class TestZooKeeper implements AutoCloseable {
  static final Path JARS = Path.of(System.getProperty("basedir", "."), "target/zookeeper");
  static final int SESSION_MILLIS = 1500;
  private static final Duration AWAITED = Duration.ofSeconds(30);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final ZooKeeperProcess process;

  TestZooKeeper(Path directory) {
    this(JARS, directory, Map.of(), List.of());
  }

  TestZooKeeper(Path jars, Path directory, Map<String, String> settings, List<String> options) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("tickTime", "200");
    process = new ZooKeeperProcess(jars, directory, all, options);
    process.start();
  }

  ZooKeeperProcess process() {
    return process;
  }

  ZooKeeperSettings settings() {
    return ZooKeeperSettings.of(
        Map.of(
            ZooKeeperSetting.HOSTS.key(),
            process.hosts(),
            ZooKeeperSetting.SESSION_TIMEOUT_MILLIS.key(),
            SESSION_MILLIS));
  }

  /** A name that no other cluster of these tests has. */
  static String name() {
    return "c" + NAMES.incrementAndGet();
  }

  static ClusterDescription description(String name, int shards, int awaitedNodes) {
    return ClusterDescription.of(
        name, shards, 1, awaitedNodes, Map.of("graphmeta.placement", "dido"), Instant.now());
  }

  /** A new cluster; its name. */
  String cluster(int shards, int awaitedNodes) {
    String name = name();
    ClusterMembership.create(settings(), description(name, shards, awaitedNodes));
    return name;
  }

  ClusterMembership open(String cluster) {
    return ClusterMembership.open(settings(), cluster);
  }

  static NodeDescription node(String name) {
    return node(name, new UUID(1, name.hashCode()), 8190);
  }

  static NodeDescription node(String name, UUID directory, int port) {
    return new NodeDescription(name, directory, "", "127.0.0.1", port, 0, "", "0.1.0", 1, 1);
  }

  /** A client that knows nothing of clusters. */
  ZooKeeper raw() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            process.hosts(),
            10_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  void write(String path, byte[] content) throws Exception {
    try (ZooKeeper raw = raw()) {
      if (raw.exists(path, false) == null) {
        raw.create(path, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      } else {
        raw.setData(path, content, -1);
      }
    }
  }

  /**
   * Ends the session that a node is present by, as ZooKeeper does when its time is over: another
   * client with its number and password closes it. The password follows from the number. A node
   * that has just lost a session may not have made its presence again; it is waited for.
   */
  void expire(String cluster, String node) throws Exception {
    long session;
    try (ZooKeeper raw = raw()) {
      session = awaitPresence(raw, cluster, node).getEphemeralOwner();
    }
    byte[] password = new byte[16];
    new Random(session ^ 0xB3415C00L).nextBytes(password);
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper twin =
        new ZooKeeper(
            process.hosts(),
            10_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected
                  || event.getState() == KeeperState.Expired) {
                connected.countDown();
              }
            },
            session,
            password)) {
      assertThat(connected.await(20, TimeUnit.SECONDS)).as("ZooKeeper answers").isTrue();
    }
    try (ZooKeeper raw = raw()) {
      Stat presence = raw.exists(new ClusterPaths(cluster).presence(node), false);
      assertThat(presence == null ? 0 : presence.getEphemeralOwner())
          .as("taken for the same client")
          .isNotEqualTo(session);
    }
  }

  private static Stat awaitPresence(ZooKeeper raw, String cluster, String node) throws Exception {
    String path = new ClusterPaths(cluster).presence(node);
    long start = System.nanoTime();
    Stat presence = raw.exists(path, false);
    while (presence == null) {
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("node %s is present again", node)
          .isLessThan(AWAITED);
      Thread.sleep(10);
      presence = raw.exists(path, false);
    }
    return presence;
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    await(what, AWAITED, condition);
  }

  static void await(String what, Duration limit, BooleanSupplier condition)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(limit);
      Thread.sleep(10);
    }
  }

  /** The error that an action ends with, which must have a code. */
  static GraphMetaException error(ErrorCode code, Runnable action) {
    GraphMetaException error = catchThrowableOfType(GraphMetaException.class, action::run);
    assertThat(error).as("an error %s", code).isNotNull();
    assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
    return error;
  }

  @Override
  public void close() {
    process.close();
  }
}
