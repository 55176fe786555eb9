package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The reads of a transaction that writes, beside a small oracle: its snapshot shows what is stored
 * with its own writes, any other view what is stored alone. A failure names its seed; {@code
 * -Dgraphmeta.seed=N} runs it alone.
 */
class OverlayTest {
  private static final List<String> LABELS = List.of("file", "job");
  private static final List<String> EDGE_LABELS = List.of("read", "wrote");

  private record Vertex(long key, String id, String label, Map<String, Object> properties) {}

  private record Edge(
      EdgeKey key, String id, String label, Map<String, Object> properties, boolean created) {}

  /** What the transaction is to see. */
  private static final class Oracle {
    final Map<Long, Vertex> vertices = new LinkedHashMap<>();
    final Map<EdgeKey, Edge> edges = new LinkedHashMap<>();

    Oracle stored() {
      Oracle stored = new Oracle();
      vertices.values().forEach(v -> stored.vertices.put(v.key, copy(v)));
      edges.values().stream()
          .map(e -> new Edge(e.key, e.id, e.label, new TreeMap<>(e.properties), false))
          .sorted(Comparator.comparing(Edge::key, OverlayTest::compareKeys))
          .forEach(e -> stored.edges.put(e.key, e));
      return stored;
    }

    private static Vertex copy(Vertex v) {
      return new Vertex(v.key, v.id, v.label, new TreeMap<>(v.properties));
    }

    void removeVertex(long key) {
      vertices.remove(key);
      edges.keySet().removeIf(edge -> edge.out() == key || edge.in() == key);
    }

    /** The edges of a vertex: the stored ones by key, then the created ones as they were added. */
    List<Edge> edges(long vertex, boolean outgoing, Set<String> labels) {
      Comparator<Edge> order =
          Comparator.comparing(Edge::created)
              .thenComparing((a, b) -> a.created ? 0 : compareEntries(a.key, b.key, outgoing));
      return edges.values().stream()
          .filter(e -> (outgoing ? e.key.out() : e.key.in()) == vertex)
          .filter(e -> labels.isEmpty() || labels.contains(e.label))
          .sorted(order)
          .toList();
    }
  }

  private static int compareKeys(EdgeKey a, EdgeKey b) {
    int order = Long.compareUnsigned(a.out(), b.out());
    return order != 0 ? order : compareEntries(a, b, true);
  }

  private static int compareEntries(EdgeKey a, EdgeKey b, boolean outgoing) {
    int order = Integer.compare(a.labelId(), b.labelId());
    order =
        order != 0
            ? order
            : Long.compareUnsigned(outgoing ? a.in() : a.out(), outgoing ? b.in() : b.out());
    return order != 0 ? order : Long.compare(a.sequence(), b.sequence());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aTransactionReadsItsOwnWritesOverItsSnapshot(int shards) {
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 25 : given); seed++) {
      try (GraphDatabase database =
          GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, shards))) {
        new Run(database, new SplittableRandom(seed)).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Fails with seed " + seed + "; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  private static final class Run {
    private final GraphDatabase database;
    private final SplittableRandom random;
    private Oracle oracle = new Oracle();
    private int next;

    Run(GraphDatabase database, SplittableRandom random) {
      this.database = database;
      this.random = random;
    }

    void run() {
      for (int round = 0; round < 4; round++) {
        Oracle stored = oracle.stored();
        oracle = oracle.stored();
        try (GraphTransaction tx = database.begin()) {
          for (int step = 0; step < 5; step++) {
            for (int i = random.nextInt(8); i > 0; i--) {
              write(tx);
            }
            compare(tx, tx.snapshot(), oracle);
          }
          // Another view includes no write of the transaction, also one that shows the same.
          long later = tx.snapshot().validAt() + 1;
          compare(tx, tx.view(later, tx.snapshot().knownAt()), stored);
          if (random.nextInt(4) == 0) {
            tx.rollback();
            oracle = stored;
          } else {
            tx.commit();
          }
        }
      }
    }

    private @Nullable Vertex anyVertex() {
      List<Vertex> all = List.copyOf(oracle.vertices.values());
      return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private @Nullable Edge anyEdge() {
      List<Edge> all = List.copyOf(oracle.edges.values());
      return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void write(GraphTransaction tx) {
      Vertex vertex = anyVertex();
      Edge edge = anyEdge();
      int n = next++;
      int kind = random.nextInt(12);
      if (vertex == null || kind < 3) {
        String id = random.nextBoolean() ? null : "v" + n;
        String label = LABELS.get(random.nextInt(2));
        long key = tx.addVertex(id, label, Map.of("n", n), Stamp.AT_COMMIT);
        String shown = id == null ? GeneratedIds.ofVertex(key) : id;
        oracle.vertices.put(key, new Vertex(key, shown, label, new TreeMap<>(Map.of("n", n))));
      } else if (edge == null || kind < 7) {
        Vertex other = Objects.requireNonNull(anyVertex());
        String id = random.nextBoolean() ? null : "e" + n;
        String label = EDGE_LABELS.get(random.nextInt(2));
        EdgeKey key = tx.addEdge(id, vertex.key, label, other.key, Map.of("n", n), Stamp.AT_COMMIT);
        String shown = id == null ? GeneratedIds.ofEdge(key) : id;
        oracle.edges.put(key, new Edge(key, shown, label, new TreeMap<>(Map.of("n", n)), true));
      } else {
        change(tx, vertex, edge, kind, n);
      }
    }

    private void change(GraphTransaction tx, Vertex vertex, Edge edge, int kind, int n) {
      switch (kind) {
        case 7 -> {
          tx.setVertexProperty(
              vertex.key, "m", n, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
          vertex.properties.put("m", n);
        }
        case 8 -> {
          tx.removeVertexProperty(vertex.key, "n", 0, Stamp.AT_COMMIT);
          vertex.properties.remove("n");
        }
        case 9 -> {
          tx.setEdgeProperty(edge.key, "m", n, Stamp.AT_COMMIT);
          edge.properties.put("m", n);
        }
        case 10 -> {
          tx.removeEdge(edge.key, Stamp.AT_COMMIT);
          oracle.edges.remove(edge.key);
        }
        default -> {
          if (random.nextInt(3) == 0) {
            tx.removeVertex(vertex.key, Stamp.AT_COMMIT);
            oracle.removeVertex(vertex.key);
          }
        }
      }
    }

    private void compare(GraphTransaction tx, ReadView view, Oracle expected) {
      compareVertices(tx, view, expected);
      compareEdges(tx, view, expected);
      long[] frontier =
          oracle.vertices.keySet().stream().mapToLong(Long::longValue).limit(20).toArray();
      Direction direction = Direction.values()[random.nextInt(3)];
      Set<String> labels = random.nextBoolean() ? Set.of() : Set.of("read", "unheard of");
      boolean complete = random.nextBoolean();
      List<String> found = new ArrayList<>();
      Expansion expansion = new Expansion(frontier, direction, labels, complete);
      try (AdjacencyCursor cursor = tx.expand(expansion, view)) {
        while (cursor.next()) {
          Map<String, Object> properties = complete ? values(cursor.edge().properties()) : Map.of();
          String arrow = cursor.outgoing() ? " -> " : " <- ";
          found.add(
              cursor.frontierIndex()
                  + arrow
                  + cursor.otherVertex()
                  + cursor.edge().key()
                  + properties);
        }
      }
      List<String> wanted = new ArrayList<>();
      for (int i = 0; i < frontier.length; i++) {
        for (boolean outgoing : new boolean[] {true, false}) {
          if (direction == Direction.BOTH || outgoing == (direction == Direction.OUT)) {
            for (Edge edge : expected.edges(frontier[i], outgoing, labels)) {
              long other = outgoing ? edge.key.in() : edge.key.out();
              Map<String, Object> properties = complete ? edge.properties : Map.of();
              wanted.add(i + (outgoing ? " -> " : " <- ") + other + edge.key + properties);
            }
          }
        }
      }
      assertThat(found).isEqualTo(wanted);
    }

    private void compareVertices(GraphTransaction tx, ReadView view, Oracle expected) {
      Set<Long> keys = new TreeSet<>(oracle.vertices.keySet());
      keys.addAll(expected.vertices.keySet());
      long[] asked = keys.stream().mapToLong(Long::longValue).toArray();
      List<@Nullable Vertex> found =
          tx.vertices(asked, view).stream().map(OverlayTest::vertex).toList();
      for (int i = 0; i < asked.length; i++) {
        assertThat(found.get(i)).isEqualTo(expected.vertices.get(asked[i]));
      }
      List<String> ids = oracle.vertices.values().stream().map(Vertex::id).toList();
      List<@Nullable VertexRecord> byId = tx.verticesById(ids, view);
      for (int i = 0; i < ids.size(); i++) {
        String id = ids.get(i);
        Vertex wanted =
            expected.vertices.values().stream().filter(v -> v.id.equals(id)).findAny().orElse(null);
        assertThat(vertex(byId.get(i))).isEqualTo(wanted);
      }
      Set<String> labels = random.nextBoolean() ? Set.of() : Set.of("job");
      Set<Vertex> wanted =
          expected.vertices.values().stream()
              .filter(v -> labels.isEmpty() || labels.contains(v.label))
              .collect(Collectors.toSet());
      assertThat(all(tx.scanVertices(labels, view)).stream().map(OverlayTest::vertex))
          .containsExactlyInAnyOrderElementsOf(wanted);
      assertThat(tx.countVertices(labels, view)).isEqualTo(wanted.size());
    }

    private void compareEdges(GraphTransaction tx, ReadView view, Oracle expected) {
      List<EdgeKey> keys = List.copyOf(oracle.edges.keySet());
      List<@Nullable EdgeRecord> found = tx.edges(keys, view);
      for (int i = 0; i < keys.size(); i++) {
        requireEqual(found.get(i), expected.edges.get(keys.get(i)));
      }
      List<String> ids = oracle.edges.values().stream().map(Edge::id).toList();
      List<@Nullable EdgeRecord> byId = tx.edgesById(ids, view);
      for (int i = 0; i < ids.size(); i++) {
        String id = ids.get(i);
        requireEqual(
            byId.get(i),
            expected.edges.values().stream().filter(e -> e.id.equals(id)).findAny().orElse(null));
      }
      Set<String> labels = random.nextBoolean() ? Set.of() : Set.of("wrote");
      List<EdgeKey> wanted =
          expected.edges.values().stream()
              .filter(e -> labels.isEmpty() || labels.contains(e.label))
              .map(Edge::key)
              .toList();
      assertThat(all(tx.scanEdges(labels, view)).stream().map(EdgeRecord::key))
          .containsExactlyInAnyOrderElementsOf(wanted);
      assertThat(tx.countEdges(labels, view)).isEqualTo(wanted.size());
    }
  }

  private static void requireEqual(@Nullable EdgeRecord found, @Nullable Edge wanted) {
    if (wanted == null) {
      assertThat(found).isNull();
    } else {
      assertThat(found).isNotNull();
      assertThat(found.key()).isEqualTo(wanted.key);
      assertThat(found.id()).isEqualTo(wanted.id);
      assertThat(found.label()).isEqualTo(wanted.label);
      assertThat(values(found.properties())).isEqualTo(wanted.properties);
    }
  }

  private static @Nullable Vertex vertex(@Nullable VertexRecord record) {
    return record == null
        ? null
        : new Vertex(record.key(), record.id(), record.label(), values(record.properties()));
  }

  private static Map<String, Object> values(List<PropertyRecord> properties) {
    Map<String, Object> values = new TreeMap<>();
    properties.forEach(property -> values.put(property.key(), property.value()));
    return values;
  }

  private static <T> List<T> all(ElementCursor<T> cursor) {
    List<T> found = new ArrayList<>();
    try (cursor) {
      for (T next = cursor.next(); next != null; next = cursor.next()) {
        found.add(next);
      }
    }
    return found;
  }
}
