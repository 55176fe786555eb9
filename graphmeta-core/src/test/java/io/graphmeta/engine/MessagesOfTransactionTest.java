package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A transaction that says which ids come asks each shard a fixed number of times for all. */
class MessagesOfTransactionTest {
  private static final int SHARDS = 8;
  private static final int ELEMENTS = 400;

  /**
   * What is asked for a transaction; others are sent in the background, or until all is durable.
   */
  private static final List<String> READS =
      List.of("Incarnations", "FindVertices", "ReadVertices", "ReadEdges");

  private static GraphDatabase open() {
    return GraphDatabases.open(
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, SHARDS)
            .with(Setting.SPLIT_THRESHOLD, 1 << 24));
  }

  private static List<String> ids(String prefix) {
    return IntStream.range(0, ELEMENTS).mapToObj(i -> prefix + i).toList();
  }

  private static long sent(GraphDatabase database) {
    return READS.stream().mapToLong(kind -> database.callsSent().getOrDefault(kind, 0L)).sum();
  }

  /** Begins with a commit, for what is asked for once: names, and numbers of elements. */
  private static void warm(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      for (String id : ids("warm")) {
        long vertex = tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge("of-" + id, vertex, "is", vertex, Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  @Test
  void newVerticesWithIds() {
    try (GraphDatabase database = open()) {
      warm(database);
      long before = sent(database);
      try (GraphTransaction tx = database.begin()) {
        tx.lookUpIds(ids("v"), List.of());
        ids("v").forEach(id -> tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT));
        tx.commit();
      }
      assertThat(sent(database) - before)
          .as("ids, from each shard")
          .isLessThanOrEqualTo(1L * SHARDS);
    }
  }

  /** A caller that says nothing ahead has its ids asked for with the commit. */
  @Test
  void newElementsWithIdsThatWereNotLookedUp() {
    try (GraphDatabase database = open()) {
      warm(database);
      long before = sent(database);
      try (GraphTransaction tx = database.begin()) {
        long last = 0;
        for (String id : ids("u")) {
          long vertex = tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT);
          tx.addEdge(
              "to-" + id, vertex, "is", last == 0 ? vertex : last, Map.of(), Stamp.AT_COMMIT);
          last = vertex;
        }
        tx.commit();
      }
      assertThat(sent(database) - before)
          .as("ids of both kinds, from each shard")
          .isLessThanOrEqualTo(2L * SHARDS);
    }
  }

  @Test
  void newEdgesBetweenVerticesThatAreThere() {
    try (GraphDatabase database = open()) {
      warm(database);
      long before = sent(database);
      try (GraphTransaction tx = database.begin()) {
        tx.lookUpIds(ids("warm"), ids("e"));
        long[] keys = tx.vertexKeys(ids("warm"));
        long past = tx.snapshot().validAt();
        for (int i = 0; i < ELEMENTS; i++) {
          tx.addEdge("e" + i, keys[i], "is", keys[(i + 1) % ELEMENTS], Map.of(), past);
        }
        tx.commit();
      }
      assertThat(sent(database) - before)
          .as("ids of both kinds, keys, lifetimes, from each shard")
          .isLessThanOrEqualTo(4L * SHARDS);
    }
  }

  /** Whether the ends of edges are there is asked for with the commit, of all at once. */
  @Test
  void newEdgesBetweenVerticesThatNobodyHasRead() {
    try (GraphDatabase database = open()) {
      warm(database);
      long[] keys;
      try (GraphTransaction tx = database.begin()) {
        keys = tx.vertexKeys(ids("warm"));
      }
      long before = sent(database);
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < ELEMENTS; i++) {
          tx.addEdge(null, keys[i], "is", keys[(i + 1) % ELEMENTS], Map.of(), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
      assertThat(sent(database) - before).as("ends, from each shard").isLessThanOrEqualTo(SHARDS);
    }
  }

  /** An end that is not there keeps the transaction from committing, whenever that is found out. */
  @Test
  void anEdgeWithoutAnEndNeverCommits() {
    try (GraphDatabase database = open()) {
      warm(database);
      long[] keys;
      try (GraphTransaction tx = database.begin()) {
        keys = tx.vertexKeys(ids("warm"));
        tx.removeVertex(keys[0], Stamp.AT_COMMIT);
        tx.commit();
      }
      try (GraphTransaction tx = database.begin()) {
        EdgeKey edge = tx.addEdge(null, keys[1], "is", keys[0], Map.of(), Stamp.AT_COMMIT);
        for (int i = 0; i < 2; i++) {
          assertNotFound(() -> tx.countEdges(Set.of("is"), tx.snapshot()));
        }
        tx.removeEdge(edge, Stamp.AT_COMMIT);
        assertThat(tx.countEdges(Set.of("is"), tx.snapshot())).isEqualTo(ELEMENTS - 1);
        assertNotFound(() -> tx.addEdge(null, keys[2], "is", keys[0], Map.of(), Stamp.AT_COMMIT));
        tx.commit();
      }
      try (GraphTransaction tx = database.begin()) {
        tx.addEdge(null, keys[2], "is", keys[0], Map.of(), Stamp.AT_COMMIT);
        assertNotFound(tx::commit);
      }
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.countEdges(Set.of(), tx.snapshot())).isEqualTo(ELEMENTS - 1);
      }
    }
  }

  private static void assertNotFound(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  /** What was looked up is as of the transaction: it hides neither what is there nor what came. */
  @Test
  void errorsAreThoseWithoutALookUp() {
    try (GraphDatabase database = open()) {
      warm(database);
      try (GraphTransaction tx = database.begin();
          GraphTransaction other = database.begin()) {
        tx.lookUpIds(List.of("warm1", "new"), List.of());
        assertThatThrownBy(() -> tx.addVertex("warm1", "file", Map.of(), Stamp.AT_COMMIT))
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
        other.addVertex("new", "file", Map.of(), Stamp.AT_COMMIT);
        other.commit();
        tx.addVertex("new", "file", Map.of(), Stamp.AT_COMMIT);
        assertThatThrownBy(tx::commit)
            .isInstanceOfSatisfying(
                GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
      }
    }
  }
}
