package io.graphmeta.formats;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.TypedIds;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Fifteen transactions that store rows of every kind: types of values, cardinalities,
 * meta-properties, generated, given and typed ids, versions, backfills, tombstones, an id given
 * again, variables, and a vertex with many edges. A second of the clock goes by before each.
 * Belongs to one thread.
 */
final class ExampleGraph {
  private static final long MINUTE_MICROS = 60_000_000L;
  private static final int MANY = 24;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");

  /** The stamps of the commits so far, in order. */
  private final List<Long> commits = new ArrayList<>();

  private final Map<String, Long> vertices = new LinkedHashMap<>();
  private final Map<String, EdgeKey> edges = new LinkedHashMap<>();

  /** The clock for the database; it moves with the transactions only. */
  InstantSource clock() {
    return () -> now;
  }

  /** Commits what {@link #writeRest} builds on. */
  void writeFirst(GraphDatabase database) {
    commit(database, this::addElements);
    commit(database, this::addValuesOfAllTypes);
    commit(database, this::addListsAndSets);
    commit(database, this::changeProperties);
    commit(database, this::removeProperties);
    commit(database, this::backfill);
    commit(database, this::extendBackwards);
  }

  /** Commits the rest, if it is to be in other files of the store behind another opening. */
  void writeRest(GraphDatabase database) {
    commit(database, tx -> tx.removeEdge(edge("contains"), Stamp.AT_COMMIT));
    commit(database, tx -> tx.removeVertex(vertex("old"), Stamp.AT_COMMIT));
    commit(database, tx -> put(tx, "old", "file", Map.of("size", 9L)));
    commit(database, tx -> tx.setVariable("centre", "hx01"));
    commit(database, tx -> tx.removeVariable("centre"));
    commit(database, this::addManyEdges);
    database.splitNow();
    commit(database, this::changeManyEdges);
    commit(database, tx -> tx.setVariable("epoch", 7L));
  }

  /** The stamp of the n-th commit, from 0. */
  long stamp(int commit) {
    return commits.get(commit);
  }

  int commits() {
    return commits.size();
  }

  /** The times of some commits, and times that differ in what was true and what was known. */
  List<GraphListing.Point> points() {
    List<GraphListing.Point> points = new ArrayList<>();
    for (int commit : new int[] {0, 3, 6, 9, commits.size() - 1}) {
      points.add(new GraphListing.Point(stamp(commit), stamp(commit)));
    }
    long last = stamp(commits.size() - 1);
    points.add(new GraphListing.Point(later(stamp(0), -7), last));
    points.add(new GraphListing.Point(later(stamp(0), -5), last));
    points.add(new GraphListing.Point(stamp(2), last));
    points.add(new GraphListing.Point(stamp(2), stamp(5)));
    return points;
  }

  private void commit(GraphDatabase database, Consumer<GraphTransaction> writes) {
    now = now.plusSeconds(1);
    try (GraphTransaction tx = database.begin()) {
      writes.accept(tx);
      commits.add(tx.commit());
    }
  }

  private long vertex(String id) {
    return vertices.get(id);
  }

  private EdgeKey edge(String label) {
    return edges.get(label);
  }

  private void put(GraphTransaction tx, String id, String label, Map<String, ?> properties) {
    vertices.put(id, tx.addVertex(id, label, properties, Stamp.AT_COMMIT));
  }

  private void addElements(GraphTransaction tx) {
    put(tx, "user:ada", "user", Map.of("name", "Ada"));
    put(tx, "job:1", "job", Map.of("cores", 128));
    put(tx, "/proj/\u00e9tude", "file", Map.of());
    put(tx, "old", "file", Map.of("size", 5L));
    tx.addVertex(null, "file", Map.of("name", "generated"), Stamp.AT_COMMIT);
    for (Object id : List.of(42L, 7, new UUID(1, 2))) {
      tx.addVertex(TypedIds.stored(id), "thing", Map.of(), Stamp.AT_COMMIT);
    }
    putEdge(tx, null, "user:ada", "ran", "job:1", Map.of("queue", "long"));
    putEdge(tx, "edge:1", "job:1", "read", "/proj/\u00e9tude", Map.of());
    putEdge(tx, null, "job:1", "contains", "old", Map.of("step", 1));
  }

  private void putEdge(
      GraphTransaction tx, String id, String out, String label, String in, Map<String, ?> values) {
    edges.put(label, tx.addEdge(id, vertex(out), label, vertex(in), values, Stamp.AT_COMMIT));
  }

  private void addValuesOfAllTypes(GraphTransaction tx) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("boolean", true);
    values.put("short", (short) -300);
    values.put("int", 70_000);
    values.put("long", -1L);
    values.put("big", new BigInteger("123456789012345678901234567890"));
    values.put("float", 1.5f);
    values.put("double", -2.25d);
    values.put("text", "a\u00e9\ud83d\ude00");
    values.put("uuid", new UUID(3, 4));
    values.put("bytes", ByteBuffer.wrap(new byte[] {1, 2}));
    values.put("date", new Date(1_700_000_000_000L));
    values.put("moment", OffsetDateTime.parse("2026-03-01T11:00:01.000000002+01:00"));
    values.put("list", List.of(1, "a"));
    values.put("set", Set.of(5));
    values.put("map", Map.of("k", 1));
    put(tx, "types", "types", values);
  }

  private void addListsAndSets(GraphTransaction tx) {
    long user = vertex("user:ada");
    for (String mail : List.of("a@hx", "b@hx", "a@hx")) {
      set(tx, user, "mail", mail, Cardinality.LIST, Map.of(), null);
    }
    set(tx, user, "group", "physics", Cardinality.SET, Map.of("since", 2024), "group:1");
    set(tx, user, "group", "staff", Cardinality.SET, Map.of(), null);
    set(tx, user, "name", "Ada L.", Cardinality.SINGLE, Map.of("source", "ldap"), null);
  }

  private static PropertyRecord set(
      GraphTransaction tx,
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      Map<String, ?> meta,
      String id) {
    return tx.setVertexProperty(vertex, key, value, cardinality, meta, id, Stamp.AT_COMMIT);
  }

  private void changeProperties(GraphTransaction tx) {
    set(tx, vertex("job:1"), "cores", 256, Cardinality.SINGLE, Map.of(), null);
    tx.setEdgeProperty(edge("ran"), "queue", "short", Stamp.AT_COMMIT);
    tx.setEdgeProperty(edge("read"), "bytes", 1L << 40, Stamp.AT_COMMIT);
    set(tx, vertex("user:ada"), "group", "staff", Cardinality.SET, Map.of("since", 2025), null);
  }

  private void removeProperties(GraphTransaction tx) {
    long user = vertex("user:ada");
    for (PropertyRecord value : tx.vertices(new long[] {user}, tx.snapshot()).get(0).properties()) {
      if (value.value().equals("b@hx") || value.value().equals("physics")) {
        tx.removeVertexProperty(user, value.key(), value.valueId(), Stamp.AT_COMMIT);
      }
    }
    tx.removeEdgeProperty(edge("ran"), "queue", Stamp.AT_COMMIT);
  }

  private void backfill(GraphTransaction tx) {
    long earlier = Stamp.plusMicros(stamp(0), -10 * MINUTE_MICROS);
    long input = tx.addVertex("/proj/input", "file", Map.of("size", 1L), earlier);
    long job = tx.addVertex("job:0", "job", Map.of(), earlier);
    EdgeKey read = tx.addEdge("edge:0", job, "read", input, Map.of("bytes", 1L), earlier);
    tx.setVertexProperty(input, "size", 2L, Cardinality.SINGLE, Map.of(), null, later(earlier, 1));
    tx.setEdgeProperty(read, "bytes", 2L, later(earlier, 2));
    tx.setVertexProperty(
        vertex("job:1"), "cores", 192, Cardinality.SINGLE, Map.of(), null, stamp(1));
  }

  private static long later(long stamp, int minutes) {
    return Stamp.plusMicros(stamp, minutes * MINUTE_MICROS);
  }

  /** A vertex and an edge that are learned to have existed before. */
  private void extendBackwards(GraphTransaction tx) {
    long earlier = later(stamp(0), -5);
    tx.addVertex("/proj/\u00e9tude", "file", Map.of("size", 3L), earlier);
    tx.addVertex("job:1", "job", Map.of("cores", 1), earlier);
    tx.addEdge("edge:1", vertex("job:1"), "read", vertex("/proj/\u00e9tude"), Map.of(), earlier);
  }

  private void addManyEdges(GraphTransaction tx) {
    put(tx, "hub", "directory", Map.of());
    for (int i = 0; i < MANY; i++) {
      put(tx, "part" + i, "file", Map.of());
      putEdge(tx, null, "hub", "holds", "part" + i, Map.of("number", i));
    }
  }

  private void changeManyEdges(GraphTransaction tx) {
    for (int i = 0; i < MANY; i++) {
      putEdge(tx, "link" + i, "part" + i, "of", "hub", Map.of());
    }
    tx.setEdgeProperty(edge("holds"), "number", -1, Stamp.AT_COMMIT);
    tx.removeVertex(vertex("part0"), Stamp.AT_COMMIT);
  }
}
