package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.ClusterConnector;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterClient;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All nodes are restarted, one after the other, while clients write and read: nothing is lost, and
 * whoever is told an error can do the same again. {@code -Dgraphmeta.restarts=N} sets how often all
 * are.
 */
@RunsAlone
class RollingRestartIT {
  private static final int ROUNDS = Integer.getInteger("graphmeta.restarts", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  private static final int NODE = 2;

  /** Less than a begin is waited for. */
  private static final Duration STOPS = Duration.ofMillis(FaultyCluster.BEGIN_MILLIS - 1_000);

  /** A node that does not say that it stops may leave what it was asked without an answer. */
  private static final Set<ErrorCode> OF_TWO_PROTOCOLS =
      Set.of(
          ErrorCode.CONFLICT,
          ErrorCode.SNAPSHOT_TOO_OLD,
          ErrorCode.UNAVAILABLE,
          ErrorCode.UNREACHABLE,
          ErrorCode.TRAVERSAL_LOST,
          ErrorCode.TIMEOUT);

  @TempDir private Path directory;

  /**
   * Of all that goes on when a node is restarted, clients are told of what crossed its word, and of
   * traversals that it had a part in; of nothing that may have been done.
   */
  @Test
  void clientsAreToldNothingButToTryAgain() throws Exception {
    assertThat(restartAll())
        .isSubsetOf(
            ErrorCode.CONFLICT,
            ErrorCode.SNAPSHOT_TOO_OLD,
            ErrorCode.UNAVAILABLE,
            ErrorCode.TRAVERSAL_LOST);
  }

  /**
   * A node that stops is told of no outcome any more, so that whoever waits for one there is sent
   * away, to come again when the node does. The parts of the transaction are both on this node,
   * which cannot find out by itself what became of them either.
   */
  @Test
  void nobodyWaitsForAnOutcomeAtANodeThatStops() throws Exception {
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED);
        ClusterConnector.Connection client =
            new ClusterClient().connect(cluster.config(), InstantSource.system());
        Transport shards = client.transport()) {
      int first = NODE - 1; // shards are given to nodes in turn
      int[] parts = {first, first + FaultyCluster.NODES};
      long stamp = ((Response.Stamped) answer(shards, first, new Request.Snapshot(0))).stamp();
      TransactionId open = new TransactionId(Stamp.plusMicros(stamp, 1_000), 7, 1);
      for (int shard : parts) {
        Request.Prepare part =
            new Request.Prepare(
                open, parts, new StagedRows(64), stamp, new long[0], new long[0], null);
        assertThat(answer(shards, shard, part)).isInstanceOf(Response.Prepared.class);
      }
      CompletableFuture<Response> waits =
          send(shards, first, new Request.Snapshot(Stamp.plusMicros(open.stamp(), 1_000)));
      long begin = System.nanoTime();
      cluster.stop(NODE);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(STOPS);
      cluster.restart(NODE);
      assertThat(waits.get(FaultyCluster.REQUEST_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOfSatisfying(
              Response.Stamped.class,
              given -> assertThat(given.stamp()).isGreaterThan(open.stamp()));
    }
  }

  private static Response answer(Transport shards, int shard, Request request) throws Exception {
    return send(shards, shard, request).get(FaultyCluster.REQUEST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static CompletableFuture<Response> send(Transport shards, int shard, Request request) {
    return shards.send(
        shard, new Call(VirtualNodeMap.FIRST_EPOCH, FaultyCluster.REQUEST_MILLIS, request));
  }

  /** A cluster goes back to a protocol of builds before, and over to the present one again. */
  @Test
  void nodesOfTwoProtocolsWorkBesideEachOther() throws Exception {
    String before = "node.highest-protocol=" + (1 + new Random(SEED).nextInt(2));
    assertThat(restartAll(before, "node.compression=lz4")).isSubsetOf(OF_TWO_PROTOCOLS);
  }

  /** The same of nodes with three replicas of each shard: others lead what a node has led. */
  @Test
  void nodesOfReplicasOfTwoProtocolsWorkBesideEachOther() throws Exception {
    String before = "node.highest-protocol=" + (1 + new Random(SEED).nextInt(2));
    LocalCluster.Shape shape = new LocalCluster.Shape(3, 4, 3);
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED, shape)) {
      Set<ErrorCode> told =
          restartAll(cluster, Math.max(1, ROUNDS / 2), before, "node.compression=lz4");
      told.remove(ErrorCode.NOT_LEADER);
      assertThat(told).isSubsetOf(OF_TWO_PROTOCOLS);
    }
  }

  private Set<ErrorCode> restartAll(String... settings) throws Exception {
    try (FaultyCluster cluster = new FaultyCluster(directory, SEED)) {
      return restartAll(cluster, ROUNDS, settings);
    }
  }

  private static Set<ErrorCode> restartAll(FaultyCluster cluster, int rounds, String... settings)
      throws Exception {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    try (Load load = new Load(cluster, random)) {
      Nemesis nemesis = new Nemesis(cluster, load, random);
      for (int round = 0; round < rounds; round++) {
        String[] now =
            settings.length == 0 ? settings : new String[] {settings[round % settings.length]};
        nemesis.restartAll(now);
      }
      System.out.println(nemesis.tally());
      load.finish();
      return new TreeSet<>(load.told());
    }
  }
}
