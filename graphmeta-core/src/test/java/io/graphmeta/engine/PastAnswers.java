package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gtravel.GTravel;
import io.graphmeta.gtravel.WorkingSet;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.reads.Expansion;
import io.graphmeta.tx.GraphTransaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * All ways to read a database from one point of its times, each with its answer; {@link #REFUSED}
 * where it is told that versions were dropped.
 */
final class PastAnswers {
  static final String REFUSED = "refused";

  /** Cannot tell which labels it has to do with, and so is refused below any watermark. */
  static final List<String> OF_ALL_LABELS = List.of("vertices by id", "traversal out");

  private static final List<String> LABELS = List.of("label0", "label1", "label2", "label3");
  private static final List<String> EDGES = List.of("read", "wrote");

  private final GraphTransaction tx;
  private final ReadView view;
  private final Map<String, String> answers = new TreeMap<>();

  private PastAnswers(GraphTransaction tx, ReadView view) {
    this.tx = tx;
    this.view = view;
  }

  /** Those of a database at two stamps. */
  static Map<String, String> of(
      GraphDatabase database, Collection<Long> vertices, long valid, long known) {
    try (GraphTransaction tx = database.begin()) {
      PastAnswers asked = new PastAnswers(tx, tx.view(valid, known));
      Set<String> there = new TreeSet<>(database.vertexLabels());
      asked.scans(there, new TreeSet<>(database.edgeLabels()));
      asked.byKey(vertices.stream().mapToLong(key -> key).toArray());
      asked.along(vertices.stream().mapToLong(key -> key).toArray());
      return asked.answers;
    }
  }

  private void ask(String name, Supplier<Collection<String>> question) {
    String answer;
    try {
      answer = String.join("\n", new TreeSet<>(question.get()));
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.BELOW_WATERMARK) {
        throw e;
      }
      answer = REFUSED;
    }
    answers.put(name, answer);
  }

  private void scans(Set<String> vertexLabels, Set<String> edgeLabels) {
    ask("all vertices", () -> vertices(Set.of()));
    ask("all edges", () -> edges(Set.of()));
    for (String label : LABELS) {
      if (vertexLabels.contains(label)) {
        ask("vertices of " + label, () -> vertices(Set.of(label)));
        ask("search in " + label, () -> found(label));
        ask("search in " + label + " during", () -> foundDuring(label));
      }
    }
    for (String label : EDGES) {
      if (edgeLabels.contains(label)) {
        ask("edges of " + label, () -> edges(Set.of(label)));
      }
    }
    ask("variables", () -> List.of(new TreeMap<>(tx.variables(view)).toString()));
  }

  private void byKey(long[] keys) {
    List<String> ids = IntStream.range(0, RandomWrites.IDS).mapToObj(n -> "v" + n).toList();
    List<String> edgeIds = IntStream.range(0, RandomWrites.IDS).mapToObj(n -> "e" + n).toList();
    ask(
        "vertices by id",
        () -> tx.verticesById(ids, view).stream().map(PastAnswers::text).toList());
    ask("edges by id", () -> tx.edgesById(edgeIds, view).stream().map(PastAnswers::text).toList());
    ask("vertices by key", () -> tx.vertices(keys, view).stream().map(PastAnswers::text).toList());
  }

  private void along(long[] keys) {
    for (Direction direction : Direction.values()) {
      ask("along " + direction, () -> expanded(keys, direction, Set.of()));
    }
    ask("along read", () -> expanded(keys, Direction.BOTH, Set.of("read")));
    ask("traversal out", () -> travelled("v1", "read"));
    ask("traversal in", () -> travelled("v2", "wasReadBy"));
  }

  private Collection<String> travelled(String from, String edge) {
    Set<String> all = new TreeSet<>();
    for (WorkingSet set : GTravel.in(tx).asOf(view).v(from).e(edge).v().e(edge).travel()) {
      set.vertices().forEach(vertex -> all.add(text(vertex)));
    }
    return all;
  }

  private Collection<String> expanded(long[] keys, Direction direction, Set<String> labels) {
    Set<String> all = new TreeSet<>();
    try (var cursor = tx.expand(new Expansion(keys, direction, labels, true), view)) {
      while (cursor.next()) {
        all.add(
            keys[cursor.frontierIndex()]
                + (cursor.outgoing() ? " out " : " in ")
                + text(cursor.edge()));
      }
    }
    return all;
  }

  private Collection<String> vertices(Set<String> labels) {
    Set<String> all = new TreeSet<>();
    try (var cursor = tx.scanVertices(labels, view)) {
      for (VertexRecord v = cursor.next(); v != null; v = cursor.next()) {
        all.add(text(v));
      }
    }
    return all;
  }

  private Collection<String> edges(Set<String> labels) {
    Set<String> all = new TreeSet<>();
    try (var cursor = tx.scanEdges(labels, view)) {
      for (EdgeRecord e = cursor.next(); e != null; e = cursor.next()) {
        all.add(text(e));
      }
    }
    return all;
  }

  private static Condition condition() {
    return new Condition.Property("n", new ValueTest.Compare(Comparison.EQUAL, 1));
  }

  /** What a condition is true of; others may come with it. */
  private Collection<String> found(String label) {
    Set<String> all = new TreeSet<>();
    try (var cursor = tx.scanVertices(Set.of(label), condition(), view)) {
      for (VertexRecord v = cursor.next(); v != null; v = cursor.next()) {
        if (v.properties().stream().anyMatch(p -> p.key().equals("n"))) {
          all.add(text(v));
        }
      }
    }
    return all;
  }

  private Collection<String> foundDuring(String label) {
    Set<String> all = new TreeSet<>();
    ViewSpan span = new ViewSpan(view.validAt(), view);
    try (var cursor = tx.scanVertices(Set.of(label), condition(), span)) {
      for (var times = cursor.next(); times != null; times = cursor.next()) {
        all.add(Long.toHexString(times.key()));
      }
    }
    return Set.of(); // which others come is left open
  }

  private static String text(VertexRecord vertex) {
    return vertex == null
        ? "none"
        : vertex.id()
            + (" " + Long.toHexString(vertex.key()) + " " + vertex.label())
            + (" @" + vertex.validStamp() + "/" + vertex.committedStamp())
            + text(vertex.properties());
  }

  private static String text(EdgeRecord edge) {
    return edge == null
        ? "none"
        : edge.id()
            + (" " + edge.key() + " " + edge.label())
            + (" @" + edge.validStamp() + "/" + edge.committedStamp())
            + text(edge.properties());
  }

  private static String text(List<PropertyRecord> properties) {
    Set<String> all = new TreeSet<>();
    for (PropertyRecord each : properties) {
      all.add(
          each.key()
              + "#"
              + each.valueId()
              + "="
              + each.value()
              + " @"
              + each.validStamp()
              + "/"
              + each.committedStamp());
    }
    return all.toString();
  }
}
