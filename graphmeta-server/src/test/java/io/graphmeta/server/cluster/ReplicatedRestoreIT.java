package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.formats.GraphListing;
import io.graphmeta.formats.GraphListing.Point;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus.HostedPart;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups that are restored into clusters of real processes which keep three replicas of each
 * shard: of an embedded database, and then of the cluster that was made of it.
 */
@RunsAlone
@Timeout(400)
class ReplicatedRestoreIT {
  private static final int NODES = 3;
  private static final int SHARDS = 4;
  private static final int FILES = 200;
  private static final long WAIT_MILLIS = 90_000;
  private static final LocalCluster.Shape SHAPE = new LocalCluster.Shape(NODES, SHARDS, 3);

  @TempDir private Path directory;

  private final Random random = new Random(11);

  @Test
  void oneReplicaIsRestoredAndTheNodesCopyTheOthers() throws Exception {
    Path target = directory.resolve("backups");
    BackupSummary taken = backUp(target, embedded());
    List<String> expected = expected(directory.resolve("embedded"), taken.database().stamp());

    BackupSummary again;
    try (RunningCluster cluster = restored(target, "first", true)) {
      try (GraphDatabase database = cluster.open()) {
        compare(database, taken, expected);
        awaitReplicas(cluster);
        assertThat(add(database, "after")).isPositive();
        cluster.kill(1);
        await(() -> answers(database), "the shards of a killed node are led by others");
        compare(database, taken, expected);
        assertThat(add(database, "later")).isPositive();
        cluster.processes().restart(1);
        awaitReplicas(cluster);
        again = database.backup(target, bytes -> {});
        assertThat(again.database().identity()).isNotEqualTo(taken.database().identity());
      }
      assertThat(
              run(1, restoring(target, directory.resolve("more"), cluster.processes().zookeeper()))
                  .err())
          .contains("has nodes already (n1, n2, n3)");
    }

    try (RunningCluster cluster = restored(target, "second", false);
        GraphDatabase database = cluster.open()) {
      compare(database, taken, expected);
      awaitReplicas(cluster);
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.verticesById(List.of("after", "later"), tx.snapshot())).hasSize(2);
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  // The database that is backed up

  private GraphMetaConfig embedded() {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("embedded"))
            .with(Setting.SHARDS, SHARDS)
            .with(Setting.SPLIT_THRESHOLD, 16);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int i = 0; i < FILES; i += 20) {
        try (GraphTransaction tx = database.begin()) {
          long job = tx.addVertex("j" + i, "job", Map.of("n", i), Stamp.AT_COMMIT);
          for (int k = i; k < i + 20; k++) {
            long file =
                tx.addVertex(
                    "f" + k, "file", Map.of("note", "" + random.nextLong()), Stamp.AT_COMMIT);
            tx.addEdge(null, job, "read", file, Map.of("bytes", k), Stamp.AT_COMMIT);
          }
          tx.commit();
        }
      }
    }
    return config;
  }

  private static BackupSummary backUp(Path target, GraphMetaConfig config) {
    try (GraphDatabase database = GraphDatabases.open(GraphDatabases.asCreated(config))) {
      return database.backup(target, bytes -> {});
    }
  }

  private static List<String> expected(Path embedded, long stamp) {
    try (GraphDatabase database =
        GraphDatabases.open(GraphDatabases.asCreated(GraphMetaConfig.inDirectory(embedded)))) {
      return listing(database, stamp);
    }
  }

  /** All that there was at a stamp, with its history up to there. */
  private static List<String> listing(GraphDatabase database, long stamp) {
    return GraphListing.upTo(stamp, database, List.of(new Point(stamp, stamp)));
  }

  private static void compare(GraphDatabase database, BackupSummary taken, List<String> expected) {
    assertThat(listing(database, taken.database().stamp()))
        .hasSizeGreaterThan(2 * FILES)
        .isEqualTo(expected);
  }

  // The clusters

  private RunningCluster restored(Path target, String name, boolean withoutFirst) {
    Path place = directory.resolve(name);
    List<String> reached = new ArrayList<>();
    return new RunningCluster(
        place,
        SHAPE,
        List.of("graphmeta.split-threshold=16"),
        address -> {
          reached.add(address); // first that of ZooKeeper
          if (reached.size() == 2) {
            restore(target, place, reached.get(0), withoutFirst);
          }
          return address;
        });
  }

  private static void restore(Path target, Path place, String zookeeper, boolean again) {
    Path made = place.resolve("made");
    assertThat(run(1, restoring(target, made, zookeeper, "n1")).err())
        .contains("waits for 3 nodes, and 1 are named (n1)");
    assertThat(run(2, restoring(target, made, zookeeper, "n1,n1=r2,n3")).err())
        .contains("names n1 twice");
    assertThat(run(1, restoring(target, made, zookeeper, "n1=a/b,n2,n3")).err())
        .contains("'a/b' is no name of a rack");
    assertThat(made).doesNotExist();
    run(0, restoring(target, made, zookeeper));
    if (again) {
      // Whoever has thrown the directories away may ask for them once more.
      run(0, restoring(target, place.resolve("made-again"), zookeeper));
      made = place.resolve("made-again");
      assertThat(run(1, restoring(target, place.resolve("other"), zookeeper, "a,b,c")).err())
          .contains("has nodes already (n1, n2, n3)");
      assertThatThrownBy(() -> begin(place.resolve("empty"), zookeeper))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
          .hasMessageContaining("Node n2")
          .hasMessageContaining("[1]")
          .hasMessageContaining("graphmeta restore");
    }
    try {
      for (int node = 1; node <= NODES; node++) {
        Files.move(made.resolve("n" + node), place.resolve("n" + node));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void begin(Path empty, String zookeeper) {
    Map<String, String> settings =
        Map.of(
            ZooKeeperSetting.HOSTS.key(),
            zookeeper,
            "node.port",
            "0",
            "node.replica-port",
            "28191");
    ClusterNode.open(
            LocalCluster.NAME, "n2", empty, ClusterSettings.of(settings), "test", waiting -> {})
        .close();
  }

  private static String[] restoring(Path target, Path place, String zookeeper) {
    return restoring(target, place, zookeeper, "n1=r1,n2=r2,n3=r3");
  }

  private static String[] restoring(Path target, Path place, String zookeeper, String nodes) {
    List<String> line = new ArrayList<>(List.of("restore", target.toString(), place.toString()));
    line.addAll(List.of("--cluster", LocalCluster.NAME, "--zookeeper", zookeeper));
    line.addAll(List.of("--nodes", nodes));
    return line.toArray(String[]::new);
  }

  private static Cli run(int exitCode, String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isEqualTo(exitCode);
    return run;
  }

  /** All replicas are there, and none is behind. */
  private static void awaitReplicas(RunningCluster cluster) throws InterruptedException {
    await(
        () -> {
          ClusterStatus status = cluster.status();
          return status.isWell() && status.shards().stream().allMatch(ReplicatedRestoreIT::isWhole);
        },
        "all shards have three replicas");
  }

  private static boolean isWhole(HostedPart shard) {
    return shard.replicas().size() == 3
        && shard.replicas().equals(shard.wanted())
        && shard.behind().stream().allMatch(entries -> entries == 0);
  }

  private static boolean answers(GraphDatabase database) {
    try {
      return add(database, "asked-" + System.nanoTime()) > 0;
    } catch (GraphMetaException e) {
      return false;
    }
  }

  private static long add(GraphDatabase database, String id) {
    try (GraphTransaction tx = database.begin()) {
      long key = tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
      return key;
    }
  }

  private static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat((System.nanoTime() - begun) / 1_000_000).as(what).isLessThan(WAIT_MILLIS);
      Thread.sleep(200);
    }
  }
}
