package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that belong to the graph and to none of its elements. */
class GraphVariablesTest {
  @TempDir Path directory;

  private static Map<String, Object> variables(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      return tx.variables(tx.snapshot());
    }
  }

  private static void set(GraphDatabase database, String name, Object value) {
    try (GraphTransaction tx = database.begin()) {
      tx.setVariable(name, value);
      tx.commit();
    }
  }

  @Test
  void theyAreKeptAcrossReopening() {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory.resolve("db"));
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(variables(database)).isEmpty();
      set(database, "centre", "north");
      set(database, "limits", List.of(1, 2L, "three"));
      set(database, "centre", "south");
    }
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(variables(database))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("centre", "south", "limits", List.of(1, 2L, "three")));
      set(database, "centre", "west");
      try (GraphTransaction tx = database.begin()) {
        tx.removeVariable("limits");
        tx.removeVariable("none");
        assertThat(tx.variables(tx.snapshot())).containsOnlyKeys("centre");
        tx.commit();
      }
      assertThat(variables(database)).isEqualTo(Map.of("centre", "west"));
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  @Test
  void theyBelongToTransactions() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      GraphTransaction first = database.begin();
      GraphTransaction second = database.begin();
      first.setVariable("a", 1);
      assertThat(first.variables(first.snapshot())).isEqualTo(Map.of("a", 1));
      assertThat(second.variables(second.snapshot())).isEmpty();
      second.setVariable("a", 2);
      long before = Stamp.viewpoint(System.currentTimeMillis());
      first.commit();
      assertThatThrownBy(second::commit)
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
      try (GraphTransaction rolledBack = database.begin()) {
        rolledBack.setVariable("a", 3);
        rolledBack.rollback();
      }
      set(database, "a", 4);
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.variables(tx.snapshot())).isEqualTo(Map.of("a", 4));
        assertThat(tx.variables(new ReadView(Stamp.plusMicros(before, -1_000_000), before)))
            .isEmpty();
        assertThatThrownBy(() -> tx.setVariable("b", new Object()))
            .isInstanceOf(GraphMetaException.class)
            .hasMessageContaining("java.lang.Object");
      }
    }
  }

  @Test
  void noReadOfTheGraphSeesThem() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      GraphTransaction tx = database.begin();
      long first = tx.addVertex("v", "thing", Map.of(), Stamp.AT_COMMIT);
      tx.setVariable("a", 1);
      assertUnseen(tx, first);
      tx.commit();
      GraphTransaction later = database.begin();
      assertUnseen(later, first);
      later.addVertex(null, "thing", Map.of(), Stamp.AT_COMMIT);
      assertThat(later.countVertices(Set.of(), later.snapshot())).isEqualTo(2);
      assertThat(database.vertexLabels()).containsExactly("thing");
      assertThatThrownBy(() -> later.addVertex("w", "~variables", Map.of(), Stamp.AT_COMMIT))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("~variables");
      assertThatThrownBy(() -> later.addVertex("~variables", "thing", Map.of(), Stamp.AT_COMMIT))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("~variables");
    }
  }

  private static void assertUnseen(GraphTransaction tx, long only) {
    ReadView view = tx.snapshot();
    assertThat(tx.countVertices(Set.of(), view)).isEqualTo(1);
    assertThat(tx.countVertices(Set.of("~variables"), view)).isZero();
    for (Set<String> labels : List.of(Set.<String>of(), Set.of("~variables", "thing"))) {
      List<Long> seen = new ArrayList<>();
      try (ElementCursor<VertexRecord> cursor = tx.scanVertices(labels, view)) {
        for (VertexRecord next = cursor.next(); next != null; next = cursor.next()) {
          seen.add(next.key());
        }
      }
      assertThat(seen).containsExactly(only);
    }
    assertThat(tx.verticesById(List.of("~variables"), view)).containsOnlyNulls();
    // The label that follows that of the only vertex, and the counters around its own.
    for (long key = only + (1L << 52) - (3L << 16); key < only + (1L << 52) + (3L << 16); key++) {
      if ((key & 0xffff) < 4) {
        assertThat(tx.verticesById(List.of(GeneratedIds.ofVertex(key)), view)).containsOnlyNulls();
      }
    }
  }
}
