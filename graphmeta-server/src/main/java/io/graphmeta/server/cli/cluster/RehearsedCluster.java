package io.graphmeta.server.cli.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.server.cluster.ClusterNode;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.LeaderMoves;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of three nodes in this process that does once what nodes and their clients do: they
 * join, commit, read, and others lead. It is for what a process has to load before it can do so,
 * which takes a node that is new up to a second when it comes to lead on a busy machine.
 */
public final class RehearsedCluster {
  private static final String NAME = "rehearsed";
  private static final int NODES = 3;
  private static final int SHARDS = 2;
  private static final int ATTEMPTS = 100;
  private static final long PAUSE_MILLIS = 100;

  private final Path directory;
  private final String version;
  private final String zookeeper;

  private RehearsedCluster(Path directory, String version, String zookeeper) {
    this.directory = directory;
    this.version = version;
    this.zookeeper = zookeeper;
  }

  /**
   * Rehearses; all has ended when it returns, or fails.
   *
   * @param directory of what it keeps meanwhile
   * @param version of this software
   * @throws GraphMetaException if ZooKeeper or a node cannot be started here
   */
  public static void rehearse(Path directory, String version) {
    try (ZooKeeperProcess zookeeper =
        new ZooKeeperProcess(LocalCluster.zookeeperLibraries(), directory.resolve("zookeeper"))) {
      zookeeper.start();
      new RehearsedCluster(directory, version, zookeeper.hosts()).run();
    }
  }

  private void run() {
    ClusterInitCommand.create(settings(Map.of()), NAME, SHARDS, NODES, NODES);
    ExecutorService threads = Executors.newFixedThreadPool(NODES);
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      List<CompletableFuture<Void>> opening =
          IntStream.rangeClosed(1, NODES)
              .mapToObj(number -> CompletableFuture.runAsync(() -> open(number, opened), threads))
              .toList();
      // Each node waits for all others, so that none is to wait when one has failed.
      opening.forEach(each -> each.exceptionally(failure -> end(threads)));
      CompletableFuture.allOf(opening.toArray(CompletableFuture<?>[]::new)).join();
      use();
    } catch (CompletionException e) {
      throw e.getCause() instanceof GraphMetaException known ? known : e;
    } finally {
      threads.shutdown();
      closeAll(opened);
    }
  }

  private static @Nullable Void end(ExecutorService threads) {
    threads.shutdownNow();
    return null;
  }

  private ClusterSettings settings(Map<String, String> more) {
    Map<String, String> given = new HashMap<>(more);
    given.put(ZooKeeperSetting.HOSTS.key(), zookeeper);
    return ClusterSettings.of(given);
  }

  private void open(int number, Deque<AutoCloseable> opened) {
    ClusterSettings settings =
        settings(
            Map.of(
                NodeSetting.PORT.key(), String.valueOf(ChildProcess.freePort()),
                NodeSetting.REPLICA_PORT.key(), String.valueOf(ChildProcess.freePort()),
                NodeSetting.ADMIN_PORT.key(), "0"));
    String name = "n" + number;
    ClusterNode node =
        ClusterNode.open(NAME, name, directory.resolve(name), settings, version, waiting -> {});
    synchronized (opened) {
      opened.push(node);
      opened.push(NodeAdmin.start(node, settings.node()));
    }
  }

  private void use() {
    GraphMetaConfig config =
        GraphMetaConfig.of(Map.of(Setting.CLUSTER.key(), NAME, Setting.ZOOKEEPER.key(), zookeeper));
    try (GraphDatabase database = GraphDatabases.open(config)) {
      commitAndRead(database);
      LeaderMoves moves = new LeaderMoves(settings(Map.of()), NAME);
      for (ClusterStatus.HostedPart shard : ClusterStatus.of(settings(Map.of()), NAME).shards()) {
        for (String node : shard.replicas()) {
          moves.move(shard.shard(), node);
        }
      }
      commitAndRead(database);
    }
  }

  /** Some vertices, so that each shard has one. */
  private static void commitAndRead(GraphDatabase database) {
    for (int attempt = 1; ; attempt++) {
      try (GraphTransaction tx = database.begin()) {
        long[] added = new long[SHARDS * 8];
        for (int i = 0; i < added.length; i++) {
          added[i] = tx.addVertex(null, "rehearsed", Map.of("number", (long) i), Stamp.AT_COMMIT);
        }
        long stamp = tx.commit();
        try (GraphTransaction reading = database.begin()) {
          reading.vertices(added, ReadView.at(stamp));
        }
        return;
      } catch (GraphMetaException e) {
        if (e.code().category() != ErrorCode.Category.RETRY || attempt == ATTEMPTS) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GraphMetaException(ErrorCode.CANCELLED, "The thread was interrupted", e);
    }
  }

  private static void closeAll(Deque<AutoCloseable> opened) {
    GraphMetaException failure = null;
    for (AutoCloseable each : opened) {
      try {
        each.close();
      } catch (Exception e) {
        failure = new GraphMetaException(ErrorCode.INTERNAL, "A node could not be closed: " + e, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
