package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.search.IndexKind;
import io.graphmeta.tx.GraphTransaction;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * For {@link GraphModelTest}: random conditions, scanned with indexes that come and go: what is
 * found of them is what all elements that were scanned before come to.
 */
final class IndexedScans {
  private static final int KEYS = 3;
  private static final List<String> VERTEX_LABELS = List.of("job", "file");
  private static final String EDGE_LABEL = "wrote";

  private final Random random;
  private final Set<String> made = new HashSet<>();

  IndexedScans(Random random) {
    this.random = random;
  }

  /** Now and then creates an index, or drops one. */
  void change(GraphDatabase database, List<String> trace) {
    if (random.nextInt(15) > 0) {
      return;
    }
    ElementKind kind = random.nextInt(3) == 0 ? ElementKind.EDGE : ElementKind.VERTEX;
    String label =
        kind == ElementKind.EDGE
            ? EDGE_LABEL
            : VERTEX_LABELS.get(random.nextInt(VERTEX_LABELS.size()));
    String name = label + ".p" + random.nextInt(KEYS);
    if (made.remove(name)) {
      trace.add("drop index " + name);
      database.indexes().drop(name);
    } else {
      trace.add("create index " + name);
      database.indexes().create(name, kind, EnumSet.of(IndexKind.EXACT, IndexKind.RANGE));
      made.add(name);
    }
  }

  /** Compares a scan for a condition with one of all. */
  void compare(GraphTransaction tx, ReadView view) {
    Comparison comparison = Comparison.values()[random.nextInt(Comparison.values().length)];
    Object operand = random.nextInt(3) == 0 ? "text" + random.nextInt(5) : random.nextInt(5);
    ValueTest test = new ValueTest.Compare(comparison, operand);
    String key = "p" + random.nextInt(KEYS);
    Condition where = new Condition.Property(key, test);
    if (random.nextInt(3) == 0) {
      try (ElementCursor<EdgeRecord> all = tx.scanEdges(Set.of(EDGE_LABEL), view);
          ElementCursor<EdgeRecord> some = tx.scanEdges(Set.of(EDGE_LABEL), where, view)) {
        assertThat(edges(some, key, test))
            .as("%s at %s", where, view)
            .isEqualTo(edges(all, key, test));
      }
    } else {
      String label = VERTEX_LABELS.get(random.nextInt(VERTEX_LABELS.size()));
      try (ElementCursor<VertexRecord> all = tx.scanVertices(Set.of(label), view);
          ElementCursor<VertexRecord> some = tx.scanVertices(Set.of(label), where, view)) {
        assertThat(vertices(some, key, test))
            .as("%s %s at %s", label, where, view)
            .isEqualTo(vertices(all, key, test));
      }
    }
  }

  private static Set<Object> vertices(
      ElementCursor<VertexRecord> cursor, String key, ValueTest test) {
    Set<Object> found = new HashSet<>();
    for (VertexRecord each = cursor.next(); each != null; each = cursor.next()) {
      if (passes(each.properties(), key, test)) {
        found.add(each.key());
      }
    }
    return found;
  }

  private static Set<Object> edges(ElementCursor<EdgeRecord> cursor, String key, ValueTest test) {
    Set<Object> found = new HashSet<>();
    for (EdgeRecord each = cursor.next(); each != null; each = cursor.next()) {
      if (passes(each.properties(), key, test)) {
        found.add(each.key());
      }
    }
    return found;
  }

  private static boolean passes(List<PropertyRecord> properties, String key, ValueTest test) {
    return properties.stream()
        .anyMatch(each -> each.key().equals(key) && ValueTests.passes(test, each.value()));
  }
}
