package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphOracle.Element;
import io.graphmeta.engine.GraphOracle.Pending;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of writes by interleaved transactions, live and backfilled, with commits,
 * rollbacks and reopenings; every read is compared with the {@link GraphOracle}, now and from
 * random points of the two times.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs that sequence alone. A build runs
 * the same seeds each time; {@code -Dgraphmeta.first-seed=N -Dgraphmeta.sequences=N} runs others.
 */
class GraphModelTest {
  private static final int MEMORY_SEQUENCES = Integer.getInteger("graphmeta.sequences", 400);
  private static final int DISK_SEQUENCES = MEMORY_SEQUENCES / 50;

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void inMemory(int shards) {
    for (long seed : seeds(MEMORY_SEQUENCES)) {
      new Sequence(seed, GraphMetaConfig.inMemory().with(Setting.SHARDS, shards)).run();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void asBytesThroughThreadsOfTheShard(int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.ENCODE_MESSAGES, true)
            .with(Setting.SHARD_THREADS, 2);
    for (long seed : seeds(MEMORY_SEQUENCES / 10)) {
      new Sequence(seed, config).run();
    }
  }

  /** Vertices are split in the middle of everything, as soon as they have three edges. */
  @ParameterizedTest
  @ValueSource(strings = {"dido", "giga"})
  void whileVerticesAreSplit(String placement) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, 4)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SPLIT_THRESHOLD, 2);
    int splits = 0;
    for (long seed : seeds(MEMORY_SEQUENCES / 2)) {
      Sequence sequence = new Sequence(seed, config);
      sequence.run();
      splits += sequence.splits;
    }
    if (Long.getLong("graphmeta.seed") == null) {
      assertThat(splits).as("splits").isGreaterThan(MEMORY_SEQUENCES / 40);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void onDisk(int shards, @TempDir Path directory) {
    for (long seed : seeds(DISK_SEQUENCES)) {
      GraphMetaConfig config =
          GraphMetaConfig.inDirectory(directory.resolve("sequence-" + seed))
              .with(Setting.SHARDS, shards);
      new Sequence(seed, config.with(Setting.DURABILITY, "background")).run();
    }
  }

  private static List<Long> seeds(int count) {
    Long given = Long.getLong("graphmeta.seed");
    if (given != null) {
      return List.of(given);
    }
    long first = Long.getLong("graphmeta.first-seed", 1);
    List<Long> seeds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seeds.add(first + i);
    }
    return seeds;
  }

  /** A clock that moves when it is told to. */
  private static final class ManualClock implements InstantSource {
    private long micros = 1_700_000_000_000_000L;

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(micros % 1_000_000 * 1000).plusSeconds(micros / 1_000_000);
    }
  }

  private record Running(GraphTransaction tx, Pending pending) {}

  private static final class Sequence {
    private final long seed;
    private final GraphMetaConfig config;
    private final Random random;
    private final ManualClock clock = new ManualClock();
    private final GraphOracle oracle = new GraphOracle();
    private final List<Running> open = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final IndexedScans scans;
    private GraphDatabase database;
    private int splits;

    Sequence(long seed, GraphMetaConfig config) {
      this.seed = seed;
      this.config = config;
      this.random = new Random(seed);
      this.scans = new IndexedScans(new Random(seed * 31 + 7));
    }

    void run() {
      try {
        database = openDatabase();
        int steps = 20 + random.nextInt(60);
        for (int step = 0; step < steps; step++) {
          clock.micros += random.nextInt(3) * 500_000L;
          step();
        }
        while (!open.isEmpty()) {
          end(open.get(0));
        }
        compareCommitted(4);
        CheckReport report = database.check(rows -> {});
        assertThat(report.examples()).isEmpty();
        database.close();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed "
                + seed
                + " fails with "
                + config.get(Setting.SHARDS)
                + " shards; replay with -Dgraphmeta.seed="
                + seed
                + "\n  "
                + String.join("\n  ", trace),
            e);
      }
    }

    private GraphDatabase openDatabase() {
      // Small pages, so that every scan goes over several.
      return GraphDatabases.open(config.with(Setting.PAGE_BYTES, 1024), clock);
    }

    private void step() {
      scans.change(database, trace);
      int dice = random.nextInt(100);
      if (open.isEmpty() || dice < 10 && open.size() < 3) {
        GraphTransaction tx = database.begin();
        open.add(new Running(tx, new Pending(tx.snapshot().knownAt())));
      } else if (dice < 75) {
        Running running = open.get(random.nextInt(open.size()));
        trace.add("in the transaction of " + running.pending.snapshot);
        write(running);
        if (open.contains(running) && random.nextInt(4) == 0) {
          compareOwn(running);
        }
      } else if (dice < 92) {
        end(open.get(random.nextInt(open.size())));
        if (random.nextInt(3) == 0) {
          compareCommitted(1);
        }
      } else if (config.number(Setting.SPLIT_THRESHOLD) == 2) {
        int now = database.splitNow();
        splits += now;
        trace.add(now + " splits");
      } else if (config.isPersistent() && dice < 96) {
        open.clear();
        trace.add("reopen");
        database.close();
        database = openDatabase();
      }
    }

    private void end(Running running) {
      open.remove(running);
      if (random.nextInt(5) == 0) {
        trace.add("rollback of " + running.pending.snapshot);
        running.tx.rollback();
        return;
      }
      boolean must = oracle.mustConflict(running.pending);
      boolean may = oracle.mayConflict(running.pending);
      try {
        long stamp = running.tx.commit();
        trace.add("commit of " + running.pending.snapshot + " at " + stamp);
        assertThat(must && !running.pending.facts.isEmpty())
            .as("commits although another came first")
            .isFalse();
        oracle.commit(running.pending, stamp);
      } catch (GraphMetaException e) {
        trace.add("conflict: " + e.getMessage());
        if (e.code() == ErrorCode.SNAPSHOT_TOO_OLD && config.number(Setting.SPLIT_THRESHOLD) == 2) {
          oracle.refusedSomewhere(running.pending); // an edge was moved behind its snapshot
          return;
        }
        assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
        assertThat(may).as("no reason for the conflict: " + e.getMessage()).isTrue();
        if (config.number(Setting.SHARD_THREADS) > 0) {
          oracle.refusedSomewhere(running.pending);
        }
      }
    }

    // Writes

    private long someValid(Running running) {
      if (random.nextInt(3) > 0) {
        return Stamp.AT_COMMIT;
      }
      long back = (1 + random.nextInt(20)) * 700_000L;
      return Math.min(running.pending.snapshot, Stamp.plusMicros(running.pending.snapshot, -back));
    }

    private Element some(Running running, boolean vertex) {
      List<Element> all = new ArrayList<>(oracle.elements(running.pending));
      all.removeIf(e -> e.vertex != vertex);
      return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private static ReadView at(Running running, long valid) {
      long snapshot = running.pending.snapshot;
      return new ReadView(valid == Stamp.AT_COMMIT ? snapshot : valid, snapshot);
    }

    private boolean exists(Running running, Element element, long valid) {
      return element != null && oracle.exists(element, at(running, valid), running.pending);
    }

    private void write(Running running) {
      long valid = someValid(running);
      if (random.nextInt(4) == 0) {
        lookUpIds(running);
      }
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> addVertex(running, valid);
        case 3, 4 -> addEdge(running, valid);
        case 5, 6 -> setVertexProperty(running, valid);
        case 7 -> changeEdgeProperty(running, valid);
        case 8 -> {
          if (random.nextBoolean()) {
            removeVertex(running, valid);
          } else {
            removeVertexProperty(running, valid);
          }
        }
        default -> removeEdge(running, valid);
      }
    }

    /** Runs a write that must succeed or fail as the oracle says; true if it succeeded. */
    private boolean attempt(String words, boolean expected, Runnable write) {
      try {
        write.run();
        trace.add(words);
        assertThat(expected).as(words + " is accepted").isTrue();
        return true;
      } catch (GraphMetaException e) {
        trace.add(words + " refused: " + e.getMessage());
        assertThat(e.code())
            .isIn(ErrorCode.ALREADY_EXISTS, ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT);
        assertThat(expected).as(words + " is refused: " + e.getMessage()).isFalse();
        return false;
      }
    }

    /**
     * Adds an element with an id, or without. That an id is taken now, or that an end of an edge is
     * not there, may be told with the next read that would show it, or the commit; such a
     * transaction comes to nothing.
     */
    private boolean add(
        Running running, String words, boolean expected, long valid, Runnable write) {
      if (expected || valid != Stamp.AT_COMMIT) {
        return attempt(words, expected, write);
      }
      try {
        write.run();
      } catch (GraphMetaException e) {
        trace.add(words + " refused: " + e.getMessage());
        assertThat(e.code()).isIn(ErrorCode.ALREADY_EXISTS, ErrorCode.NOT_FOUND);
        return false;
      }
      trace.add(words + ": the id is taken or an end is not there, and the transaction ends");
      open.remove(running);
      if (random.nextBoolean()) {
        assertThatThrownBy(() -> running.tx.scanVertices(Set.of(), running.tx.snapshot()).close())
            .as(words)
            .satisfiesAnyOf(
                e -> assertThat(e).hasMessageContaining("exists already"),
                e -> assertThat(e).hasMessageContaining("does not exist"));
      }
      assertThatThrownBy(running.tx::commit)
          .as(words)
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isIn(ErrorCode.ALREADY_EXISTS, ErrorCode.NOT_FOUND));
      return false;
    }

    /** Changes nothing that can be told afterwards, whatever is committed between. */
    private void lookUpIds(Running running) {
      List<String> vertexIds = random.ints(random.nextInt(6), 0, 6).mapToObj(n -> "v" + n).toList();
      List<String> edgeIds = random.ints(random.nextInt(4), 0, 4).mapToObj(n -> "e" + n).toList();
      trace.add("look up " + vertexIds + " " + edgeIds);
      running.tx.lookUpIds(vertexIds, edgeIds);
    }

    private void addVertex(Running running, long valid) {
      String id = random.nextInt(4) == 0 ? null : "v" + random.nextInt(6);
      String label = random.nextInt(8) == 0 ? "file" : "job";
      Map<String, Object> properties = someProperties();
      Element extended = null;
      boolean free = true;
      for (Element element : oracle.elements(running.pending)) {
        if (id != null && element.vertex && id.equals(element.id)) {
          free &= !exists(running, element, valid);
          long begin = oracle.begin(element, running.pending);
          long moment = valid == Stamp.AT_COMMIT ? Stamp.MAX : valid;
          boolean ever = begin < Stamp.MAX || running.pending.created.contains(element);
          if (ever
              && begin > moment
              && (extended == null || begin <= oracle.begin(extended, running.pending))) {
            extended = element;
          }
        }
      }
      boolean allowed = free && (extended == null || extended.label.equals(label));
      Element target = extended != null ? extended : oracle.element(true, id, label, null, null);
      long[] key = new long[1];
      boolean done =
          add(
              running,
              "add vertex " + id + " " + label + " at " + valid + " " + properties,
              allowed,
              valid,
              () -> key[0] = running.tx.addVertex(id, label, properties, valid));
      if (!done) {
        return;
      }
      if (extended != null) {
        assertThat(key[0]).isEqualTo(extended.key);
        running.pending.extended.add(extended);
      } else {
        target.key = key[0];
        running.pending.created.add(target);
        if (id != null) {
          running.pending.ids.add("v" + id);
        }
      }
      create(running, target, valid, properties);
    }

    private void create(
        Running running, Element element, long valid, Map<String, Object> properties) {
      oracle.write(running.pending, element, "", valid, "exists");
      properties.forEach(
          (name, value) -> oracle.write(running.pending, element, name + "#0", valid, value));
    }

    private Map<String, Object> someProperties() {
      Map<String, Object> properties = new TreeMap<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        properties.put("p" + random.nextInt(3), someValue());
      }
      return properties;
    }

    private Object someValue() {
      return switch (random.nextInt(3)) {
        case 0 -> random.nextInt(5);
        case 1 -> "text" + random.nextInt(5);
        default -> random.nextLong();
      };
    }

    private void addEdge(Running running, long valid) {
      Element out = some(running, true);
      Element in = some(running, true);
      if (out == null || in == null) {
        return;
      }
      String id = random.nextInt(5) == 0 ? "e" + random.nextInt(4) : null;
      Map<String, Object> properties = someProperties();
      boolean allowed = exists(running, out, valid) && exists(running, in, valid);
      Element extended = null;
      for (Element element : oracle.elements(running.pending)) {
        if (id != null && !element.vertex && id.equals(element.id)) {
          allowed &= !exists(running, element, valid);
          long begin = oracle.begin(element, running.pending);
          long moment = valid == Stamp.AT_COMMIT ? Stamp.MAX : valid;
          boolean ever = begin < Stamp.MAX || running.pending.created.contains(element);
          if (ever
              && begin > moment
              && (extended == null || begin <= oracle.begin(extended, running.pending))) {
            extended = element;
          }
        }
      }
      allowed &= extended == null || extended.out == out && extended.in == in;
      EdgeKey[] key = new EdgeKey[1];
      boolean done =
          add(
              running,
              "add edge " + id + " " + out + " -> " + in + " at " + valid + " " + properties,
              allowed,
              valid,
              () ->
                  key[0] =
                      running.tx.addEdge(
                          id, (long) out.key, "wrote", (long) in.key, properties, valid));
      if (!done) {
        return;
      }
      Element edge = extended != null ? extended : oracle.element(false, id, "wrote", out, in);
      if (extended != null) {
        assertThat(key[0]).isEqualTo(extended.key);
        running.pending.extended.add(extended);
      } else {
        edge.key = key[0];
        running.pending.created.add(edge);
        if (id != null) {
          running.pending.ids.add("e" + id);
        }
        long end = Math.min(oracle.end(out, running.pending), oracle.end(in, running.pending));
        if (valid != Stamp.AT_COMMIT
            && (end < Stamp.MAX
                || oracle.isEnded(out, running.pending)
                || oracle.isEnded(in, running.pending))) {
          oracle.write(running.pending, edge, "", end, null);
        }
      }
      create(running, edge, valid, properties);
    }

    private void setVertexProperty(Running running, long valid) {
      Element vertex = some(running, true);
      if (vertex == null) {
        return;
      }
      String name = "p" + random.nextInt(3);
      Object value = someValue();
      Cardinality cardinality = Cardinality.values()[Math.max(0, random.nextInt(6) - 3)];
      Map<String, Object> meta = random.nextInt(4) == 0 ? Map.of("by", "amira") : Map.of();
      PropertyRecord[] set = new PropertyRecord[1];
      Map<String, Object> before = oracle.slots(vertex, at(running, valid), running.pending);
      boolean done =
          attempt(
              "set " + cardinality + " " + name + " = " + value + " of " + vertex + " at " + valid,
              exists(running, vertex, valid),
              () ->
                  set[0] =
                      running.tx.setVertexProperty(
                          (long) vertex.key, name, value, cardinality, meta, null, valid));
      if (!done) {
        return;
      }
      running.pending.propertied.add(vertex);
      String scope = vertex + name;
      if (cardinality == Cardinality.SINGLE) {
        singleWrite(running, vertex, scope);
        before.forEach(
            (slot, old) -> {
              if (slot.startsWith(name + "#") && !slot.equals(name + "#0")) {
                oracle.write(running.pending, vertex, slot, valid, null);
                running.pending.values.add(scope);
              }
            });
      } else {
        running.pending.values.add(scope);
      }
      Map<String, Object> allMeta = new HashMap<>(meta);
      if (cardinality == Cardinality.SET) {
        Object existing = before.get(name + "#" + set[0].valueId());
        if (existing instanceof MetaValue old) {
          old.meta.forEach(allMeta::putIfAbsent);
        }
        if (set[0].valueId() == 0) {
          singleWrite(running, vertex, scope);
        }
      }
      Object stored = allMeta.isEmpty() ? value : new MetaValue(value, allMeta);
      oracle.write(running.pending, vertex, name + "#" + set[0].valueId(), valid, stored);
    }

    /** Properties of new elements cannot conflict, since nobody else can have seen them. */
    private static void singleWrite(Running running, Element element, String scope) {
      if (!running.pending.created.contains(element)) {
        running.pending.singles.add(scope);
      }
    }

    private record MetaValue(Object value, Map<String, Object> meta) {}

    private void removeVertexProperty(Running running, long valid) {
      Element vertex = some(running, true);
      if (vertex == null) {
        return;
      }
      Map<String, Object> slots = oracle.slots(vertex, at(running, valid), running.pending);
      slots.remove("");
      if (slots.isEmpty()) {
        return;
      }
      String slot = List.copyOf(slots.keySet()).get(random.nextInt(slots.size()));
      String name = slot.substring(0, slot.indexOf('#'));
      long valueId = Long.parseLong(slot.substring(slot.indexOf('#') + 1));
      boolean done =
          attempt(
              "remove " + slot + " of " + vertex + " at " + valid,
              exists(running, vertex, valid),
              () -> running.tx.removeVertexProperty((long) vertex.key, name, valueId, valid));
      if (done) {
        oracle.write(running.pending, vertex, slot, valid, null);
        running.pending.propertied.add(vertex);
        if (valueId == 0) {
          singleWrite(running, vertex, vertex + name);
        } else {
          running.pending.values.add(vertex + name);
        }
      }
    }

    private void changeEdgeProperty(Running running, long valid) {
      Element edge = some(running, false);
      if (edge == null) {
        return;
      }
      String name = "p" + random.nextInt(3);
      Object value = random.nextInt(4) == 0 ? null : someValue();
      boolean done =
          attempt(
              "set " + name + " = " + value + " of " + edge + " at " + valid,
              exists(running, edge, valid),
              () -> {
                if (value == null) {
                  running.tx.removeEdgeProperty((EdgeKey) edge.key, name, valid);
                } else {
                  running.tx.setEdgeProperty((EdgeKey) edge.key, name, value, valid);
                }
              });
      if (done) {
        oracle.write(running.pending, edge, name + "#0", valid, value);
        running.pending.propertied.add(edge);
        singleWrite(running, edge, edge + name);
      }
    }

    private void removeEdge(Running running, long valid) {
      Element edge = some(running, false);
      if (edge == null) {
        return;
      }
      boolean allowed =
          exists(running, edge, valid)
              && (valid == Stamp.AT_COMMIT || oracle.newestBody(edge, running.pending) <= valid);
      if (attempt(
          "remove " + edge + " at " + valid,
          allowed,
          () -> running.tx.removeEdge((EdgeKey) edge.key, valid))) {
        delete(running, edge, valid);
      }
    }

    private void removeVertex(Running running, long valid) {
      Element vertex = some(running, true);
      if (vertex == null) {
        return;
      }
      List<Element> incident = new ArrayList<>();
      boolean allowed =
          exists(running, vertex, valid)
              && (valid == Stamp.AT_COMMIT || oracle.newestBody(vertex, running.pending) <= valid);
      for (Element edge : oracle.elements(running.pending)) {
        if (!edge.vertex && (edge.out == vertex || edge.in == vertex)) {
          if (exists(running, edge, valid)) {
            incident.add(edge);
          }
          // What begins later would be cut off. Ended edges count too: the past must not get half
          // edges.
          long begin = oracle.newestBody(edge, running.pending);
          allowed &= valid == Stamp.AT_COMMIT || begin <= valid;
        }
      }
      if (attempt(
          "remove " + vertex + " at " + valid,
          allowed,
          () -> running.tx.removeVertex((long) vertex.key, valid))) {
        incident.forEach(edge -> delete(running, edge, valid));
        delete(running, vertex, valid);
      }
    }

    private void delete(Running running, Element element, long valid) {
      long moment = valid == Stamp.AT_COMMIT ? Stamp.MAX : valid;
      if (running.pending.created.contains(element)
          && oracle.begin(element, running.pending) == moment
          && oracle.newestBody(element, running.pending) == moment) {
        running.pending.facts.removeIf(fact -> fact.element == element);
        running.pending.created.remove(element);
        if (running.pending.created.stream().noneMatch(other -> sameId(other, element))) {
          running.pending.ids.remove((element.vertex ? "v" : "e") + element.id);
        }
        return;
      }
      // What would begin and end at one moment does not begin.
      running.pending.facts.removeIf(
          fact ->
              fact.element == element
                  && fact.slot.isEmpty()
                  && fact.value != null
                  && fact.valid == moment);
      oracle.write(running.pending, element, "", valid, null);
      if (!running.pending.created.contains(element)) {
        running.pending.deleted.add(element);
      }
    }

    private static boolean sameId(Element a, Element b) {
      return a.vertex == b.vertex && a.id != null && a.id.equals(b.id);
    }

    // Reads

    private void compareOwn(Running running) {
      compare(running.tx, running.tx.snapshot(), running.pending);
    }

    private void compareCommitted(int points) {
      try (GraphTransaction tx = database.begin()) {
        compare(tx, tx.snapshot(), null);
        List<Long> stamps = oracle.stamps();
        for (int i = 0; i < points && !stamps.isEmpty(); i++) {
          long valid = stamps.get(random.nextInt(stamps.size())) - random.nextInt(2);
          long known = Math.min(tx.snapshot().knownAt(), stamps.get(random.nextInt(stamps.size())));
          compare(tx, new ReadView(valid, known), null);
        }
      }
    }

    private void compare(GraphTransaction tx, ReadView view, Pending own) {
      Map<Object, Map<String, Object>> expectedVertices = new HashMap<>();
      Map<Object, Map<String, Object>> expectedEdges = new HashMap<>();
      for (Element element : oracle.elements(own)) {
        Map<String, Object> slots = oracle.slots(element, view, own);
        if (slots.remove("") != null) {
          (element.vertex ? expectedVertices : expectedEdges).put(element.key, slots);
        }
      }
      String point = "at " + view + (own == null ? "" : " with own writes");
      Map<Object, Map<String, Object>> vertices = new HashMap<>();
      try (ElementCursor<VertexRecord> cursor = tx.scanVertices(Set.of(), view)) {
        for (VertexRecord vertex = cursor.next(); vertex != null; vertex = cursor.next()) {
          assertThat(vertices.put(vertex.key(), slots(vertex.properties()))).isNull();
        }
      }
      assertThat(vertices).as("vertices scanned " + point).isEqualTo(expectedVertices);
      Map<Object, Map<String, Object>> edges = new HashMap<>();
      try (ElementCursor<EdgeRecord> cursor = tx.scanEdges(Set.of(), view)) {
        for (EdgeRecord edge = cursor.next(); edge != null; edge = cursor.next()) {
          assertThat(edges.put(edge.key(), slots(edge.properties()))).isNull();
        }
      }
      assertThat(edges).as("edges scanned " + point).isEqualTo(expectedEdges);
      assertThat(tx.countVertices(Set.of(), view)).isEqualTo(expectedVertices.size());
      assertThat(tx.countEdges(Set.of("wrote"), view)).isEqualTo(expectedEdges.size());
      compareAdjacency(tx, view, own, expectedEdges, point);
      compareById(tx, view, own, point);
      scans.compare(tx, view);
    }

    private void compareAdjacency(
        GraphTransaction tx,
        ReadView view,
        Pending own,
        Map<Object, Map<String, Object>> expectedEdges,
        String point) {
      List<Element> all = new ArrayList<>(oracle.elements(own));
      all.removeIf(element -> !element.vertex);
      Collections.shuffle(all, random);
      long[] frontier = all.stream().mapToLong(vertex -> (long) vertex.key).toArray();
      for (Direction direction : Direction.values()) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < frontier.length; i++) {
          for (Map.Entry<Object, Map<String, Object>> edge : expectedEdges.entrySet()) {
            EdgeKey key = (EdgeKey) edge.getKey();
            if (key.out() == frontier[i] && direction != Direction.IN) {
              expected.add(i + " out " + key + edge.getValue());
            }
            if (key.in() == frontier[i] && direction != Direction.OUT) {
              expected.add(i + " in " + key + edge.getValue());
            }
          }
        }
        List<String> found = new ArrayList<>();
        Set<String> labels = random.nextBoolean() ? Set.of() : Set.of("wrote", "never defined");
        try (AdjacencyCursor cursor =
            tx.expand(new Expansion(frontier, direction, labels, true), view)) {
          int last = 0;
          while (cursor.next()) {
            assertThat(cursor.frontierIndex()).isGreaterThanOrEqualTo(last);
            last = cursor.frontierIndex();
            EdgeRecord edge = cursor.edge();
            assertThat(cursor.otherVertex())
                .isEqualTo(cursor.outgoing() ? edge.key().in() : edge.key().out());
            found.add(
                cursor.frontierIndex()
                    + (cursor.outgoing() ? " out " : " in ")
                    + edge.key()
                    + slots(edge.properties()));
          }
        }
        assertThat(found).as(direction + " " + point).containsExactlyInAnyOrderElementsOf(expected);
      }
    }

    private void compareById(GraphTransaction tx, ReadView view, Pending own, String point) {
      for (Element element : oracle.elements(own)) {
        if (element.id == null) {
          continue;
        }
        boolean exists = oracle.exists(element, view, own);
        if (element.vertex) {
          VertexRecord found = tx.verticesById(List.of(element.id), view).get(0);
          if (exists) {
            assertThat(found).as(element + " " + point).isNotNull();
            assertThat(found.key()).isEqualTo(element.key);
            assertThat(found.label()).isEqualTo(element.label);
          } else {
            assertThat(found == null || found.key() != (long) element.key)
                .as(element + " " + point)
                .isTrue();
          }
        } else {
          EdgeRecord found = tx.edgesById(List.of(element.id), view).get(0);
          if (exists) {
            assertThat(found).as(element + " " + point).isNotNull();
            assertThat(found.key()).isEqualTo(element.key);
            assertThat(found.id()).isEqualTo(element.id);
          } else {
            assertThat(found == null || !found.key().equals(element.key))
                .as(element + " " + point)
                .isTrue();
          }
        }
      }
    }

    private static Map<String, Object> slots(List<PropertyRecord> properties) {
      Map<String, Object> slots = new TreeMap<>();
      for (PropertyRecord property : properties) {
        Object value =
            property.meta().isEmpty()
                ? property.value()
                : new MetaValue(property.value(), property.meta());
        assertThat(slots.put(property.key() + "#" + property.valueId(), value)).isNull();
      }
      return slots;
    }
  }
}
