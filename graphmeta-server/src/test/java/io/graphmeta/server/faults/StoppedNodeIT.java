package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.server.faults.LinkFault.Side;
import io.graphmeta.server.faults.LinkFault.Stall;
import io.graphmeta.server.faults.LinkFault.Swallow;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that is there and does not answer, whose connections nothing resets: whoever calls it is
 * told so within his deadline, by an error that names the shard and the node, and what needs no
 * shard of it goes on.
 */
@RunsAlone
class StoppedNodeIT {
  private static final int NODE = 2;
  private static final int VERTICES = 96;
  private static final Set<ErrorCode> AWAY =
      Set.of(ErrorCode.UNREACHABLE, ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT);

  @TempDir private Path directory;
  private final Deadlines deadlines = new Deadlines();
  private GraphDatabase database;
  private long there;
  private long away;

  @Test
  void whoCallsItIsToldSoInTime() throws Exception {
    try (FaultyCluster cluster = new FaultyCluster(directory, 1);
        Client client = new Client("c", cluster.config())) {
      database = client.database;
      addVertices();
      calls(() -> cluster.signal(NODE, "STOP"), () -> cluster.signal(NODE, "CONT"));
      opens(cluster);
      for (LinkFault fault :
          List.of(new Stall(), new Swallow(Side.CALLER), new Swallow(Side.CALLED))) {
        calls(() -> cluster.link(NODE).set(fault), () -> cluster.link(NODE).set(LinkFault.NONE));
      }
      System.out.println("longest steps in ms " + deadlines.longestMillis());
      assertThat(deadlines.missed()).as("steps over their deadlines, in ms").isEmpty();
    }
  }

  /** Finds a vertex on a shard of the node, and one on a shard of another. */
  private void addVertices() {
    List<Long> added = new ArrayList<>();
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < VERTICES; i++) {
        added.add(tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT));
      }
      tx.commit();
    }
    // Shards are given to nodes in turn.
    for (long vertex : added) {
      int home = database.placement(vertex).home();
      if (home % FaultyCluster.NODES == NODE - 1) {
        away = vertex;
      } else {
        there = vertex;
      }
    }
    assertThat(List.of(there, away)).doesNotContain(0L);
  }

  private void calls(Runnable begin, Runnable end) {
    try (GraphTransaction reading = database.begin();
        GraphTransaction writing = database.begin();
        GraphTransaction elsewhere = database.begin()) {
      set(writing, away);
      set(elsewhere, there);
      begin.run();
      begin(database, true); // found out meanwhile
      begin(database, false);
      assertToldAway(() -> deadlines.of(Step.READ, () -> read(reading, away)));
      assertThat(read(reading, there)).isOne();
      assertToldAway(() -> deadlines.of(Step.COMMIT, writing::commit));
      assertThat(deadlines.of(Step.COMMIT, elsewhere::commit)).isPositive();
    } finally {
      end.run();
    }
    awaitService();
  }

  /**
   * Who begins goes on with what lies elsewhere; until it is found out he may be told so instead.
   */
  private void begin(GraphDatabase by, boolean mayFail) {
    GraphTransaction begun;
    try {
      begun = deadlines.of(Step.BEGIN, by::begin);
    } catch (GraphMetaException e) {
      assertThat(mayFail).as(e.getMessage()).isTrue();
      assertThat(e.code()).isIn(AWAY);
      return;
    }
    try (begun) {
      assertThat(read(begun, there)).isOne();
      assertToldAway(() -> deadlines.of(Step.READ, () -> read(begun, away)));
    }
  }

  /** Who comes now is let in, and told the same. */
  private void opens(FaultyCluster cluster) {
    cluster.signal(NODE, "STOP");
    try (GraphDatabase other =
        deadlines.of(Step.OPEN, () -> GraphDatabases.open(cluster.config()))) {
      begin(other, true);
    } finally {
      cluster.signal(NODE, "CONT");
    }
    awaitService();
  }

  private static void set(GraphTransaction tx, long vertex) {
    tx.setVertexProperty(
        vertex, "n", System.nanoTime(), Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
  }

  private static int read(GraphTransaction tx, long vertex) {
    return tx.vertices(new long[] {vertex}, tx.snapshot()).size();
  }

  private static void assertToldAway(Runnable call) {
    GraphMetaException error = catchThrowableOfType(GraphMetaException.class, call::run);
    assertThat(error).isNotNull();
    assertThat(error.code()).as(error.getMessage()).isIn(AWAY);
    assertThat(error.getMessage()).containsPattern("Shard \\d.*[Nn]ode n" + NODE);
  }

  private void awaitService() {
    new Errors()
        .persist(
            () -> {
              try (GraphTransaction tx = database.begin()) {
                set(tx, away);
                set(tx, there);
                return tx.commit();
              }
            });
  }
}
