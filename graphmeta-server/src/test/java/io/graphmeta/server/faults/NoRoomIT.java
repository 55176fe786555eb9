package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.LeaderMoves;
import io.graphmeta.server.cluster.RunningCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose disk has no room is made to lead shards again and again, in any order and at any
 * moment, while clients commit: they are not told of its disk, since others have room. {@code
 * -Dgraphmeta.transfers=N} sets how often.
 */
@RunsAlone
@Timeout(7_200)
class NoRoomIT {
  private static final int TRANSFERS = Integer.getInteger("graphmeta.transfers", 12);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int SHARDS = 2;
  private static final int NODES = 3;
  private static final int MOST_BETWEEN_MILLIS = 1_500;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** No disk has as much. */
  private static final String NO_ROOM = "graphmeta.reserved-disk-bytes=1000000000000000";

  private static final String ROOM = "graphmeta.reserved-disk-bytes=0";

  @TempDir private Path directory;

  private static void restart(RunningCluster cluster, int node, String setting) {
    cluster.processes().node(node).close();
    cluster.processes().restart(node, setting);
  }

  private static void commit(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  @Test
  void thereIsNoRoomOnlyWhereNoReplicaHasAny() throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    LocalCluster.Shape shape = new LocalCluster.Shape(NODES, SHARDS, NODES);
    try (RunningCluster cluster = new RunningCluster(directory, shape);
        GraphDatabase database = new Errors().persist(cluster::open)) {
      Counters counters = new Counters(database, SHARDS);
      counters.awaitAll();
      restart(cluster, 1, NO_ROOM);
      LeaderMoves moves = new LeaderMoves(cluster.settings(), LocalCluster.NAME);
      int moved = 0;
      for (int transfer = 0; transfer < TRANSFERS; transfer++) {
        counters.awaitAll();
        int shard = random.nextInt(SHARDS);
        String problem = new Errors().persist(() -> moves.move(shard, "n1")).problem();
        moved += problem.isEmpty() ? 1 : 0;
        Thread.sleep(random.nextInt(MOST_BETWEEN_MILLIS));
      }
      counters.awaitAll();
      counters.finish();
      assertThat(moved).as("transfers that were done").isGreaterThan(TRANSFERS / 2);

      restart(cluster, 2, NO_ROOM);
      restart(cluster, 3, NO_ROOM);
      assertThatThrownBy(() -> new Errors().persist(() -> committed(database)))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE))
          .hasMessageContaining("no space left on the device but");
      restart(cluster, 1 + random.nextInt(NODES), ROOM);
      awaitRoom(database);
    }
  }

  private static boolean committed(GraphDatabase database) {
    commit(database);
    return true;
  }

  /** Somebody has room, and soon leads; what was known before holds for some seconds. */
  private static void awaitRoom(GraphDatabase database) throws InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        new Errors().persist(() -> committed(database));
        return;
      } catch (GraphMetaException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
        assertThat(System.nanoTime() - begin).as("waits for room").isLessThan(PATIENCE_NANOS);
        Thread.sleep(100);
      }
    }
  }
}
