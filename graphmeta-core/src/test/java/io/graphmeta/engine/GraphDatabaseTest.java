package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion.Operation;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GraphDatabaseTest {
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());

  @AfterEach
  void nothingIsLeftInconsistent() {
    CheckReport report = database.check(rows -> {});
    assertThat(report.examples()).isEmpty();
    assertThat(report.faults()).isZero();
    database.close();
  }

  private static long ago(long seconds) {
    return Stamp.plusMicros(Stamp.startOf(Instant.now()), -seconds * 1_000_000);
  }

  private static VertexRecord vertex(GraphTransaction tx, String id, ReadView view) {
    return tx.verticesById(List.of(id), view).get(0);
  }

  private static List<String> names(
      GraphTransaction tx, long vertex, Direction direction, ReadView view) {
    List<String> found = new ArrayList<>();
    try (AdjacencyCursor cursor =
        tx.expand(new Expansion(new long[] {vertex}, direction, Set.of(), true), view)) {
      while (cursor.next()) {
        found.add(cursor.edge().label() + cursor.edge().value("n"));
      }
    }
    return found;
  }

  @Test
  void readsItsOwnWritesAndOthersDoNotUntilItCommits() {
    try (GraphTransaction tx = database.begin()) {
      long job = tx.addVertex("job:1", "job", Map.of("name", "sweep"), Stamp.AT_COMMIT);
      long file = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      EdgeKey wrote = tx.addEdge(null, job, "wrote", file, Map.of("n", 1), Stamp.AT_COMMIT);
      assertThat(vertex(tx, "job:1", tx.snapshot()).value("name")).isEqualTo("sweep");
      assertThat(names(tx, job, Direction.OUT, tx.snapshot())).containsExactly("wrote1");
      assertThat(names(tx, file, Direction.IN, tx.snapshot())).containsExactly("wrote1");
      try (GraphTransaction other = database.begin()) {
        assertThat(vertex(other, "job:1", other.snapshot())).isNull();
      }
      tx.commit();
      try (GraphTransaction later = database.begin()) {
        assertThat(vertex(later, "job:1", later.snapshot()).label()).isEqualTo("job");
        assertThat(names(later, file, Direction.BOTH, later.snapshot())).containsExactly("wrote1");
        EdgeRecord edge = later.edges(List.of(wrote), later.snapshot()).get(0);
        assertThat(later.edgesById(List.of(edge.id()), later.snapshot())).containsExactly(edge);
      }
    }
  }

  @Test
  void rollbackLeavesNothing() {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex("a", "file", Map.of(), Stamp.AT_COMMIT);
      tx.rollback();
    }
    try (GraphTransaction tx = database.begin()) {
      assertThat(vertex(tx, "a", tx.snapshot())).isNull();
      assertThat(tx.countVertices(Set.of(), tx.snapshot())).isZero();
    }
  }

  @Test
  void firstCommitterOfAPropertyWins() {
    long vertex = commit(tx -> tx.addVertex("a", "file", Map.of("size", 1), Stamp.AT_COMMIT));
    GraphTransaction first = database.begin();
    GraphTransaction second = database.begin();
    GraphTransaction third = database.begin();
    set(first, vertex, "size", 2);
    set(second, vertex, "size", 3);
    set(third, vertex, "owner", "amira");
    first.commit();
    third.commit();
    assertThatThrownBy(second::commit)
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
              assertThat(e.isRetryable()).isTrue();
            })
        .hasMessageContaining("'size'")
        .hasMessageContaining("'a'");
    try (GraphTransaction tx = database.begin()) {
      assertThat(vertex(tx, "a", tx.snapshot()).value("size")).isEqualTo(2);
      assertThat(vertex(tx, "a", tx.snapshot()).value("owner")).isEqualTo("amira");
    }
  }

  @Test
  void whoEndsAnElementMeetsWhoChangedAPropertyOfIt() {
    long vertex = commit(tx -> tx.addVertex("a", "file", Map.of("size", 1), Stamp.AT_COMMIT));
    GraphTransaction adds = database.begin();
    EdgeKey edge = adds.addEdge("e", vertex, "reads", vertex, Map.of(), Stamp.AT_COMMIT);
    adds.commit();
    GraphTransaction endsVertex = database.begin();
    GraphTransaction endsEdge = database.begin();
    GraphTransaction changes = database.begin();
    set(changes, vertex, "size", 2);
    changes.setEdgeProperty(edge, "since", 2026, Stamp.AT_COMMIT);
    changes.commit();
    endsVertex.removeVertex(vertex, Stamp.AT_COMMIT);
    endsEdge.removeEdge(edge, Stamp.AT_COMMIT);
    assertThatThrownBy(endsVertex::commit)
        .hasMessageContaining("Another transaction changed the properties of vertex 'a' after");
    assertThatThrownBy(endsEdge::commit)
        .hasMessageContaining("Another transaction changed the properties of edge ");
  }

  @Test
  void edgeInsertionsDoNotConflictUnlessAnEndIsDeleted() {
    long hot = commit(tx -> tx.addVertex("hot", "dir", Map.of(), Stamp.AT_COMMIT));
    GraphTransaction first = database.begin();
    GraphTransaction second = database.begin();
    GraphTransaction deleting = database.begin();
    GraphTransaction late = database.begin();
    for (GraphTransaction tx : List.of(first, second)) {
      tx.addEdge(
          null,
          hot,
          "contains",
          tx.addVertex(null, "file", Map.of(), 0),
          Map.of(),
          Stamp.AT_COMMIT);
      tx.commit();
    }
    deleting.removeVertex(hot, Stamp.AT_COMMIT);
    assertThatThrownBy(deleting::commit).hasMessageContaining("the edges of vertex 'hot'");
    try (GraphTransaction again = database.begin()) {
      again.removeVertex(hot, Stamp.AT_COMMIT);
      again.commit();
    }
    late.addEdge(
        null,
        hot,
        "contains",
        late.addVertex(null, "file", Map.of(), 0),
        Map.of(),
        Stamp.AT_COMMIT);
    assertThatThrownBy(late::commit).hasMessageContaining("the existence of vertex 'hot'");
  }

  @Test
  void thePastIsKept() {
    long a = commit(tx -> tx.addVertex("a", "file", Map.of("size", 1), Stamp.AT_COMMIT));
    long b = commit(tx -> tx.addVertex("b", "file", Map.of(), Stamp.AT_COMMIT));
    long begun = commitStamp(tx -> tx.addEdge(null, a, "copy", b, Map.of("n", 1), Stamp.AT_COMMIT));
    long changed = commitStamp(tx -> set(tx, a, "size", 2));
    long deleted = commitStamp(tx -> tx.removeVertex(a, Stamp.AT_COMMIT));
    long again = commit(tx -> tx.addVertex("a", "file", Map.of("size", 9), Stamp.AT_COMMIT));
    try (GraphTransaction tx = database.begin()) {
      assertThat(again).isNotEqualTo(a);
      assertThat(tx.incarnations("a")).containsExactly(a, again);
      assertThat(vertex(tx, "a", tx.snapshot()).value("size")).isEqualTo(9);
      assertThat(vertex(tx, "a", ReadView.at(deleted))).isNull();
      assertThat(vertex(tx, "a", ReadView.at(changed)).value("size")).isEqualTo(2);
      assertThat(vertex(tx, "a", ReadView.at(begun)).value("size")).isEqualTo(1);
      assertThat(names(tx, b, Direction.IN, ReadView.at(changed))).containsExactly("copy1");
      assertThat(names(tx, b, Direction.IN, tx.snapshot())).isEmpty();
      assertThat(tx.vertexHistory(a).stream().map(version -> version.operation()))
          .containsExactly(Operation.DELETE, Operation.SET, Operation.CREATE);
    }
  }

  @Test
  void aBackfillIsTrueEarlierButKnownLater() {
    long then = ago(100);
    long before = commitStamp(tx -> tx.addVertex("other", "file", Map.of(), Stamp.AT_COMMIT));
    long a = commit(tx -> tx.addVertex("a", "file", Map.of("size", 1), then));
    long known = commitStamp(tx -> setAt(tx, a, "size", 2, Stamp.plusMicros(then, 50_000_000)));
    long corrected = commitStamp(tx -> setAt(tx, a, "size", 3, Stamp.plusMicros(then, 20_000_000)));
    try (GraphTransaction tx = database.begin()) {
      assertThat(vertex(tx, "a", tx.snapshot()).value("size")).isEqualTo(2);
      ReadView thirty = new ReadView(Stamp.plusMicros(then, 30_000_000), known);
      assertThat(vertex(tx, "a", thirty).value("size")).isEqualTo(1);
      assertThat(vertex(tx, "a", new ReadView(thirty.validAt(), corrected)).value("size"))
          .isEqualTo(3);
      assertThat(vertex(tx, "a", new ReadView(thirty.validAt(), before))).isNull();
      assertThat(vertex(tx, "a", new ReadView(then - 1, corrected))).isNull();
    }
  }

  @Test
  void anIdBackfilledBeforeItsVertexExtendsIt() {
    long then = ago(100);
    long a = commit(tx -> tx.addVertex("a", "file", Map.of("size", 2), then));
    long earlier = ago(200);
    long same =
        commit(tx -> tx.addVertex("a", "file", Map.of("size", 1, "owner", "chen"), earlier));
    assertThat(same).isEqualTo(a);
    try (GraphTransaction tx = database.begin()) {
      assertThat(vertex(tx, "a", new ReadView(earlier, tx.snapshot().knownAt())).value("size"))
          .isEqualTo(1);
      assertThat(vertex(tx, "a", tx.snapshot()).value("size")).isEqualTo(2);
      assertThat(vertex(tx, "a", tx.snapshot()).value("owner")).isEqualTo("chen");
      assertThat(vertex(tx, "a", tx.snapshot()).validStamp()).isEqualTo(earlier);
      assertThatThrownBy(() -> tx.addVertex("a", "file", Map.of(), ago(50)))
          .hasMessageContaining("'a' exists already");
      assertThatThrownBy(() -> tx.addVertex("a", "dir", Map.of(), ago(300)))
          .hasMessageContaining("label 'file'");
    }
  }

  @Test
  void anEdgeBackfilledBetweenEndedVerticesEndsWithThem() {
    long a = commit(tx -> tx.addVertex("a", "file", Map.of(), ago(100)));
    long b = commit(tx -> tx.addVertex("b", "file", Map.of(), ago(100)));
    commit(
        tx -> {
          tx.removeVertex(b, ago(50));
          return 0L;
        });
    commitStamp(tx -> tx.addEdge("e", a, "copy", b, Map.of("n", 1), ago(80)));
    try (GraphTransaction tx = database.begin()) {
      assertThat(names(tx, a, Direction.OUT, tx.snapshot())).isEmpty();
      assertThat(names(tx, a, Direction.OUT, new ReadView(ago(60), tx.snapshot().knownAt())))
          .containsExactly("copy1");
      tx.addEdge(null, a, "copy", b, Map.of(), Stamp.AT_COMMIT);
      assertThatThrownBy(tx::commit).hasMessageContaining("'b' does not exist now");
    }
  }

  /** What was read at the snapshot needs no look-up; what was read in the past says nothing. */
  @Test
  void aVertexThatWasReadTakesEdgesUntilItEnds() {
    long a = commit(tx -> tx.addVertex("a", "file", Map.of(), ago(100)));
    long b = commit(tx -> tx.addVertex("b", "file", Map.of(), ago(100)));
    long c = commit(tx -> tx.addVertex("c", "file", Map.of(), ago(100)));
    commit(
        tx -> {
          tx.removeVertex(c, ago(50));
          return 0L;
        });
    try (GraphTransaction tx = database.begin()) {
      ReadView past = new ReadView(ago(60), tx.snapshot().knownAt());
      assertThat(tx.vertices(new long[] {a, b, c}, tx.snapshot()).get(2)).isNull();
      assertThat(vertex(tx, "c", past)).isNotNull();
      assertThat(tx.vertices(new long[] {c}, past).get(0)).isNotNull();
      tx.addEdge(null, a, "copy", c, Map.of("n", 1), ago(60));
      assertThatThrownBy(() -> tx.addEdge(null, a, "copy", c, Map.of(), Stamp.AT_COMMIT))
          .hasMessageContaining("'c' does not exist now");
      tx.addEdge(null, a, "copy", b, Map.of("n", 2), Stamp.AT_COMMIT);
      tx.removeVertex(b, Stamp.AT_COMMIT);
      assertThat(vertex(tx, "b", tx.snapshot())).isNull();
      assertThatThrownBy(() -> tx.addEdge(null, b, "copy", a, Map.of(), Stamp.AT_COMMIT))
          .hasMessageContaining("'b' does not exist now");
      tx.removeVertex(a, ago(30));
      assertThatThrownBy(
              () ->
                  tx.setVertexProperty(
                      a, "n", 1, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT))
          .hasMessageContaining("'a' does not exist now");
      tx.commit();
    }
  }

  @Test
  void listsSetsAndMetaProperties() {
    long a = commit(tx -> tx.addVertex("a", "file", Map.of("tag", "x"), Stamp.AT_COMMIT));
    commitStamp(
        tx -> {
          tx.setVertexProperty(a, "tag", "y", Cardinality.LIST, Map.of("by", "amira"), null, 0);
          tx.setVertexProperty(a, "tag", "y", Cardinality.LIST, Map.of(), null, 0);
          tx.setVertexProperty(a, "tag", "x", Cardinality.SET, Map.of("by", "chen"), null, 0);
        });
    try (GraphTransaction tx = database.begin()) {
      List<PropertyRecord> tags = vertex(tx, "a", tx.snapshot()).properties();
      assertThat(tags.stream().map(PropertyRecord::value)).containsExactly("x", "y", "y");
      assertThat(tags.get(0).meta()).isEqualTo(Map.of("by", "chen"));
      assertThat(tags.get(1).meta()).isEqualTo(Map.of("by", "amira"));
      tx.removeVertexProperty(a, "tag", tags.get(2).valueId(), 0);
      assertThat(vertex(tx, "a", tx.snapshot()).properties()).hasSize(2);
      tx.setVertexProperty(a, "tag", "z", Cardinality.SINGLE, Map.of(), null, 0);
      assertThat(vertex(tx, "a", tx.snapshot()).properties().stream().map(PropertyRecord::value))
          .containsExactly("z");
      tx.commit();
    }
    try (GraphTransaction tx = database.begin()) {
      assertThat(vertex(tx, "a", tx.snapshot()).properties().stream().map(PropertyRecord::value))
          .containsExactly("z");
    }
  }

  @Test
  void badInputNamesTheValueAndChangesNothing() {
    try (GraphTransaction tx = database.begin()) {
      assertThatThrownBy(() -> tx.addVertex("~x", "file", Map.of(), 0))
          .hasMessageContaining("'~x'");
      assertThatThrownBy(() -> tx.addVertex("x", "", Map.of(), 0)).hasMessageContaining("label");
      assertThatThrownBy(
              () -> tx.addVertex("x", "file", Map.of("k", new java.math.BigDecimal("1")), 0))
          .hasMessageContaining("BigDecimal");
      assertThatThrownBy(
              () ->
                  tx.addVertex("x", "file", Map.of(), Stamp.plusMicros(tx.snapshot().validAt(), 1)))
          .hasMessageContaining("future");
      assertThatThrownBy(() -> tx.addEdge(null, 77, "copy", 78, Map.of(), tx.snapshot().validAt()))
          .hasMessageContaining("does not exist");
      assertThat(tx.hasWrites()).isFalse();
      tx.addEdge(null, 79, "copy", 80, Map.of(), Stamp.AT_COMMIT);
      assertThatThrownBy(tx::commit).hasMessageContaining("does not exist now");
    }
  }

  private interface Writes {
    long run(GraphTransaction tx);
  }

  private interface Action {
    void run(GraphTransaction tx);
  }

  private long commit(Writes writes) {
    try (GraphTransaction tx = database.begin()) {
      long result = writes.run(tx);
      tx.commit();
      return result;
    }
  }

  private long commitStamp(Action action) {
    try (GraphTransaction tx = database.begin()) {
      action.run(tx);
      return tx.commit();
    }
  }

  private static void set(GraphTransaction tx, long vertex, String key, Object value) {
    setAt(tx, vertex, key, value, Stamp.AT_COMMIT);
  }

  private static void setAt(
      GraphTransaction tx, long vertex, String key, Object value, long valid) {
    tx.setVertexProperty(vertex, key, value, Cardinality.SINGLE, Map.of(), null, valid);
  }
}
