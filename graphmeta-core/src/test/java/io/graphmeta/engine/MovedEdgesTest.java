package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MovedEdgesTest {
  private static final int HUBS = 20;
  private static final int EDGES = 8;

  /** The clocks of all shards stand still: nothing but what a client learns moves its snapshots. */
  @Test
  void whoWasRefusedForAMoveBeginsBehindItTheNextTime() {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, 4)
            .with(Setting.PLACEMENT, "dido")
            .with(Setting.SPLIT_THRESHOLD, 2);
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    try (GraphDatabase database = GraphDatabases.open(config, () -> now)) {
      int refused = 0;
      for (int hub = 0; hub < HUBS; hub++) {
        List<EdgeKey> edges = edges(database, hub);
        if (!attempt(database, edges, true)) {
          refused++;
          assertThat(attempt(database, edges, false)).as("second attempt at hub %d", hub).isTrue();
        }
      }
      assertThat(refused).as("vertices that were split within a transaction").isPositive();
    }
  }

  /** Edges to one vertex, added one by one, so that none is placed elsewhere from the first. */
  private static List<EdgeKey> edges(GraphDatabase database, int hub) {
    List<EdgeKey> edges = new ArrayList<>();
    long vertex = 0;
    for (int i = 0; i < EDGES; i++) {
      try (GraphTransaction tx = database.begin()) {
        if (i == 0) {
          vertex = tx.addVertex("hub" + hub, "file", Map.of(), Stamp.AT_COMMIT);
        }
        long other = tx.addVertex(hub + "/" + i, "file", Map.of(), Stamp.AT_COMMIT);
        edges.add(tx.addEdge(null, other, "read", vertex, Map.of(), Stamp.AT_COMMIT));
        tx.commit();
      }
    }
    return edges;
  }

  /** Ends edges; false if some were moved meanwhile. */
  private static boolean attempt(GraphDatabase database, List<EdgeKey> edges, boolean splits) {
    try (GraphTransaction tx = database.begin()) {
      edges.forEach(edge -> tx.removeEdge(edge, Stamp.AT_COMMIT));
      if (splits) {
        database.splitNow();
      }
      tx.commit();
      return true;
    } catch (GraphMetaException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
      return false;
    }
  }
}
