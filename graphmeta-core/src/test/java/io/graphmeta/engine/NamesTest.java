package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names come to be with the first commit that uses them, and keep their ids. */
class NamesTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 60;

  private static GraphDatabase open(int shards) {
    return GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards));
  }

  /** Each round all threads use names that nobody has used: the same, and others. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void threadsThatUseNewNamesAtOnce(int shards) throws Exception {
    try (GraphDatabase database = open(shards)) {
      CyclicBarrier barrier = new CyclicBarrier(THREADS);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads =
          IntStream.range(0, THREADS)
              .mapToObj(
                  thread ->
                      new Thread(
                          () -> {
                            try {
                              for (int round = 0; round < ROUNDS; round++) {
                                barrier.await();
                                addWithNewNames(database, thread, round);
                              }
                            } catch (Exception e) {
                              failure.compareAndSet(null, e);
                              barrier.reset();
                            }
                          }))
              .toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(database.vertexLabels()).hasSize(ROUNDS).doesNotHaveDuplicates();
      assertThat(database.edgeLabels()).hasSize(ROUNDS * THREADS).doesNotHaveDuplicates();
      try (GraphTransaction tx = database.begin()) {
        for (int round = 0; round < ROUNDS; round++) {
          for (int thread = 0; thread < THREADS; thread++) {
            assertShows(tx, thread, round);
          }
        }
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  private static void addWithNewNames(GraphDatabase database, int thread, int round) {
    String all = "r" + round;
    String own = all + "t" + thread;
    try (GraphTransaction tx = database.begin()) {
      long vertex = tx.addVertex(own, all, Map.of("p" + own, thread), Stamp.AT_COMMIT);
      tx.setVertexProperty(
          vertex,
          "p" + all,
          round,
          Cardinality.SINGLE,
          Map.of("m" + own, 1),
          null,
          Stamp.AT_COMMIT);
      tx.addEdge(own, vertex, own, vertex, Map.of("e" + all, thread), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  private static void assertShows(GraphTransaction tx, int thread, int round) {
    String all = "r" + round;
    String own = all + "t" + thread;
    VertexRecord vertex =
        Objects.requireNonNull(tx.verticesById(List.of(own), tx.snapshot()).get(0));
    assertThat(vertex.label()).isEqualTo(all);
    assertThat(vertex.value("p" + own)).isEqualTo(thread);
    assertThat(vertex.value("p" + all)).isEqualTo(round);
    assertThat(vertex.properties()).hasSize(2);
    EdgeRecord edge = Objects.requireNonNull(tx.edgesById(List.of(own), tx.snapshot()).get(0));
    assertThat(edge.label()).isEqualTo(own);
    assertThat(edge.properties()).extracting(PropertyRecord::key).containsExactly("e" + all);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatIsRolledBackTakesNoName(int shards) {
    try (GraphDatabase database = open(shards)) {
      for (int i = 0; i < 4_200; i++) {
        try (GraphTransaction tx = database.begin()) {
          long vertex = tx.addVertex(null, "label" + i, Map.of(), Stamp.AT_COMMIT);
          tx.addEdge(null, vertex, "edge" + i, vertex, Map.of(), Stamp.AT_COMMIT);
          PropertyRecord property =
              tx.setVertexProperty(
                  vertex, "key" + i, 1, Cardinality.LIST, Map.of(), null, Stamp.AT_COMMIT);
          assertThat(tx.propertyId(vertex, property)).isNotEmpty();
          tx.rollback();
        }
      }
      assertThat(database.vertexLabels()).isEmpty();
      assertThat(database.edgeLabels()).isEmpty();
      try (GraphTransaction tx = database.begin()) {
        tx.addVertex("v", "file", Map.of("size", 1), Stamp.AT_COMMIT);
        tx.commit();
      }
      assertThat(database.vertexLabels()).containsExactly("file");
    }
  }

  @Test
  void readsDefineNothing() {
    try (GraphDatabase database = open(1);
        GraphTransaction tx = database.begin()) {
      assertThat(tx.countVertices(Set.of("never"), tx.snapshot())).isZero();
      assertThat(tx.countEdges(Set.of("never"), tx.snapshot())).isZero();
      tx.verticesById(List.of("never"), tx.snapshot());
      assertThat(database.callsSent()).doesNotContainKey("Define");
    }
  }

  @Test
  void aTransactionSeesItsNewNames() {
    try (GraphDatabase database = open(2);
        GraphTransaction tx = database.begin()) {
      long a = tx.addVertex("a", "file", Map.of("size", 1), Stamp.AT_COMMIT);
      long b = tx.addVertex(null, "job", Map.of(), Stamp.AT_COMMIT);
      EdgeKey edge = tx.addEdge(null, b, "wrote", a, Map.of(), Stamp.AT_COMMIT);
      tx.setEdgeProperty(edge, "bytes", 5L, Stamp.AT_COMMIT);
      for (Object value : List.of("x", "y")) {
        tx.setVertexProperty(a, "tag", value, Cardinality.LIST, Map.of(), null, Stamp.AT_COMMIT);
      }
      tx.setVertexProperty(a, "tag", "z", Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      assertThat(tx.vertexLabel(a)).isEqualTo("file");
      assertThat(tx.vertexLabel(b)).isEqualTo("job");
      assertThat(tx.countVertices(Set.of("job"), tx.snapshot())).isEqualTo(1);
      assertThat(tx.countEdges(Set.of("wrote"), tx.snapshot())).isEqualTo(1);
      Expansion wrote =
          new Expansion(new long[] {b}, Direction.OUT, Set.of("wrote", "never"), true);
      try (AdjacencyCursor edges = tx.expand(wrote, tx.snapshot())) {
        assertThat(edges.next()).isTrue();
        assertThat(edges.edge().label()).isEqualTo("wrote");
        assertThat(edges.next()).isFalse();
      }
      assertThat(database.callsSent()).doesNotContainKey("Define");
      tx.removeEdge(edge, Stamp.AT_COMMIT);
      tx.commit();
      assertThat(database.edgeLabels()).as("of an edge that never was").isEmpty();
      try (GraphTransaction later = database.begin();
          ElementCursor<VertexRecord> files =
              later.scanVertices(Set.of("file"), later.snapshot())) {
        VertexRecord file = Objects.requireNonNull(files.next());
        assertThat(file.properties().stream().filter(p -> p.key().equals("tag")))
            .extracting(PropertyRecord::value)
            .containsExactly("z");
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  @Test
  void namesAreLimitedForAGraphAndForATransaction() {
    GraphMetaConfig config = GraphMetaConfig.inMemory().with(Setting.MAX_NAMES, 16);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int i = 0; i < 16; i++) {
        add(database, "label" + i);
      }
      assertThatThrownBy(() -> add(database, "more"))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
          .hasMessageContaining("'more'")
          .hasMessageContaining("limit of 16 vertex labels")
          .hasMessageContaining("graphmeta.max-names");
      add(database, "label3");
      assertThat(database.vertexLabels()).hasSize(16);
      try (GraphTransaction tx = database.begin()) {
        long vertex = tx.addVertex(null, "label3", Map.of(), Stamp.AT_COMMIT);
        for (int i = 0; i < 1000; i++) {
          tx.addEdge(null, vertex, "edge" + i, vertex, Map.of(), Stamp.AT_COMMIT);
        }
        assertThatThrownBy(
                () -> tx.addEdge(null, vertex, "more", vertex, Map.of(), Stamp.AT_COMMIT))
            .hasMessageContaining("limit of 1000 new labels and property keys");
      }
    }
  }

  private static void add(GraphDatabase database, String label) {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex(null, label, Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  @Test
  void namesThatWereLeftOutAreFreeAfterReopening(@TempDir Path directory) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory.resolve("database"));
    List<String> labels = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        assertThat(database.vertexLabels()).containsExactlyInAnyOrderElementsOf(labels);
        for (int i = 0; i < 4; i++) {
          String label = "label" + round + "." + i;
          try (GraphTransaction tx = database.begin()) {
            tx.addVertex(label, label, Map.of(label, i), Stamp.AT_COMMIT);
            if (i % 2 == 1) {
              tx.commit();
              labels.add(label);
            }
          }
        }
        try (GraphTransaction tx = database.begin()) {
          for (VertexRecord vertex : tx.verticesById(labels, tx.snapshot())) {
            assertThat(vertex).isNotNull();
            assertThat(vertex.label()).isEqualTo(vertex.id());
            assertThat(vertex.properties())
                .extracting(PropertyRecord::key)
                .containsExactly(vertex.id());
          }
        }
        assertThat(database.check(rows -> {}).examples()).isEmpty();
      }
    }
  }

  @Test
  void namesAreForgottenWithTheGraph() {
    try (GraphDatabase database = open(2)) {
      add(database, "before");
      database.clear();
      assertThat(database.vertexLabels()).isEmpty();
      add(database, "behind");
      assertThat(database.vertexLabels()).containsExactly("behind");
    }
  }

  @Test
  void noKeyIsMadeOfTheIdOfNoName() {
    EdgeKey edge = new EdgeKey(1, 1, 2, 3);
    for (int wrong : new int[] {0, -1, 65_536}) {
      assertThatThrownBy(() -> RowKeys.attributeSlot(1, wrong, 0)).hasMessageContaining("" + wrong);
      assertThatThrownBy(() -> RowKeys.outSlot(edge, wrong)).hasMessageContaining("" + wrong);
      assertThatThrownBy(() -> RowKeys.outBodySlot(new EdgeKey(1, wrong, 2, 3)))
          .hasMessageContaining("" + wrong);
      assertThatThrownBy(() -> RowKeys.inSlot(new EdgeKey(1, wrong, 2, 3)))
          .hasMessageContaining("" + wrong);
      assertThatThrownBy(() -> VertexKeys.pack(wrong, 1, 1)).hasMessageContaining("" + wrong);
    }
  }
}
