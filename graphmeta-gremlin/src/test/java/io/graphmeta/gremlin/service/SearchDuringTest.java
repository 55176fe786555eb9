package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * {@code graphmeta.search} with {@code during}: random histories with backfills and deletions,
 * searched in random windows as known at random times, against an oracle that looks at every
 * moment. {@code -Dgraphmeta.seed=N} runs one seed.
 */
class SearchDuringTest {
  private static final int SEEDS = Integer.getInteger("graphmeta.during-seeds", 24);
  private static final Instant BASE = Instant.parse("2026-03-01T00:00:00Z");
  private static final int SECONDS = 24;
  private static final String[] NAMES = {"alpha.c", "alphabet.c", "beta.c", "gamma ray"};
  private static final String[] OWNERS = {"chen", "ortiz", "root"};

  /** A query, and what it means for a vertex. */
  private record Query(String text, Predicate<VertexRecord> test) {}

  @TestFactory
  List<DynamicTest> windowsFindWhatWasTrueAtSomeMoment() {
    List<DynamicTest> tests = new ArrayList<>();
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? SEEDS : given); seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> new Run(own).play()));
    }
    return tests;
  }

  /** One history. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final GraphDatabase database;
    private final GraphMetaGraph graph;
    private final List<String> created = new ArrayList<>();
    private final TreeSet<Long> moments = new TreeSet<>();
    private final List<Long> commits = new ArrayList<>();
    private int found;

    Run(long seed) {
      this.seed = seed;
      random = new Random(seed * 7919);
      database =
          GraphDatabases.open(
              GraphMetaConfig.of(
                  Map.of(
                      Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 1 + (int) seed % 2)));
      graph = GraphMetaGraph.over(database);
    }

    void play() throws InterruptedException {
      try {
        int indexedAt = random.nextInt(3) == 0 ? -1 : random.nextInt(40);
        for (int step = 0; step < 60; step++) {
          if (step == indexedAt) {
            index();
          }
          write();
          if (step % 4 == 3) {
            search();
          }
        }
        assertThat(found).as("seed %d: vertices found", seed).isPositive();
      } finally {
        graph.close();
        database.close();
      }
    }

    private void index() {
      database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
      database.indexes().create("file.owner", Set.of(IndexKind.EXACT));
      if (random.nextBoolean()) {
        database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      }
      if (random.nextBoolean()) {
        database.indexes().create("file.tag", Set.of(IndexKind.WORDS));
      }
    }

    private long past() {
      return Stamp.startOf(BASE.plusSeconds(random.nextInt(SECONDS)));
    }

    /** A transaction with a few changes; one that is not allowed ends it. */
    private void write() throws InterruptedException {
      Thread.sleep(1);
      try (GraphTransaction tx = database.begin()) {
        List<Long> valids = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          long valid = random.nextInt(4) == 0 ? Stamp.AT_COMMIT : past();
          change(tx, valid);
          valids.add(valid);
        }
        long stamp = tx.commit();
        commits.add(stamp);
        valids.forEach(valid -> moments.add(valid == Stamp.AT_COMMIT ? stamp : valid));
      } catch (GraphMetaException e) {
        assertThat(e.code())
            .isIn(ErrorCode.ALREADY_EXISTS, ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT);
      }
    }

    private void change(GraphTransaction tx, long valid) {
      String id = "/f" + random.nextInt(7);
      long[] all = tx.incarnations(id);
      int kind = all.length == 0 ? 0 : random.nextInt(9);
      if (kind == 0) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("name", name());
        if (random.nextBoolean()) {
          properties.put("owner", owner());
        }
        tx.addVertex(id, "file", properties, valid);
        created.add(id);
        return;
      }
      long vertex = all[random.nextInt(all.length)];
      switch (kind) {
        case 1 -> tx.removeVertex(vertex, valid);
        case 2, 3 -> set(tx, vertex, "name", name(), Cardinality.SINGLE, valid);
        case 4 -> set(tx, vertex, "owner", owner(), Cardinality.SINGLE, valid);
        case 5, 6 -> set(tx, vertex, "size", random.nextInt(10), Cardinality.SINGLE, valid);
        case 7 -> set(tx, vertex, "tag", "t" + random.nextInt(3), Cardinality.LIST, valid);
        default -> remove(tx, vertex, valid);
      }
    }

    private static void set(
        GraphTransaction tx,
        long vertex,
        String key,
        Object value,
        Cardinality cardinality,
        long valid) {
      tx.setVertexProperty(vertex, key, value, cardinality, Map.of(), null, valid);
    }

    private void remove(GraphTransaction tx, long vertex, long valid) {
      VertexRecord read = tx.vertices(new long[] {vertex}, tx.snapshot()).get(0);
      if (read != null && !read.properties().isEmpty()) {
        PropertyRecord any = read.properties().get(random.nextInt(read.properties().size()));
        tx.removeVertexProperty(vertex, any.key(), any.valueId(), valid);
      }
    }

    private String name() {
      return NAMES[random.nextInt(NAMES.length)];
    }

    private String owner() {
      return OWNERS[random.nextInt(OWNERS.length)];
    }

    private Query query() {
      String name = name();
      String owner = owner();
      int low = random.nextInt(10);
      return switch (random.nextInt(7)) {
        case 0 -> new Query("name:\"" + name + "\"", has("name", name::equals));
        case 1 ->
            new Query(
                "name:\"" + name + "\" owner:" + owner,
                has("name", name::equals).and(has("owner", owner::equals)));
        case 2 ->
            new Query(
                "name:*pha* -owner:" + owner,
                has("name", value -> value.toString().contains("pha"))
                    .and(has("owner", owner::equals).negate()));
        case 3 ->
            new Query(
                "size:[" + low + " TO 7] OR owner:" + owner,
                has("size", value -> (int) value >= low && (int) value <= 7)
                    .or(has("owner", owner::equals)));
        case 4 -> new Query("tag:t1", has("tag", "t1"::equals));
        case 5 ->
            new Query(
                "tag:t2 size:{" + low + " TO *]",
                has("tag", "t2"::equals).and(has("size", value -> (int) value > low)));
        default ->
            new Query(
                "name:alpha* owner:" + owner,
                has("name", value -> value.toString().startsWith("alpha"))
                    .and(has("owner", owner::equals)));
      };
    }

    private static Predicate<VertexRecord> has(String key, Predicate<Object> test) {
      return vertex ->
          vertex.properties().stream()
              .anyMatch(each -> each.key().equals(key) && test.test(each.value()));
    }

    private void search() {
      if (commits.isEmpty()) {
        return;
      }
      graph.tx().rollback();
      Query query = query();
      GraphTraversalSource g = graph.traversal();
      Long known = null;
      if (random.nextInt(3) == 0) {
        known = commits.get(random.nextInt(commits.size()));
        g = g.with("knownAt", time(Stamp.micros(known)));
      }
      Instant from = BASE.plusMillis(random.nextInt(SECONDS * 1000));
      Instant to =
          random.nextInt(4) == 0
              ? BASE.plus(10_000, ChronoUnit.DAYS)
              : from.plusMillis(random.nextInt(8_000));
      Map<Object, Object> parameters = new LinkedHashMap<>();
      parameters.put("query", query.text());
      parameters.put("label", "file");
      parameters.put("during", List.of(from.toString(), to.toString()));
      parameters.put("limit", 1_000);
      List<Object> maps = g.call("graphmeta.search", parameters).toList();
      parameters.put("result", "vertices");
      List<Object> vertices = g.call("graphmeta.search", parameters).toList();
      try (GraphTransaction tx = database.begin()) {
        ReadView view =
            tx.view(null, known == null ? null : Stamp.endOfMicros(Stamp.micros(known)));
        List<String> expected = expected(tx, view, query.test(), from, to);
        String as = "seed %d: %s from %s to %s as known at %s";
        assertThat(maps.stream().map(Run::text))
            .as(as, seed, query.text(), from, to, view)
            .containsExactlyInAnyOrderElementsOf(expected);
        found += expected.size();
        assertThat(vertices.stream().map(each -> ((Vertex) each).id()))
            .as(as, seed, query.text(), from, to, view)
            .containsExactlyElementsOf(
                maps.stream().map(map -> ((Map<?, ?>) map).get("id")).toList());
      }
    }

    private static String text(Object map) {
      Map<?, ?> row = (Map<?, ?>) map;
      StringBuilder text = new StringBuilder().append(row.get("id"));
      for (Object each : (List<?>) row.get("intervals")) {
        Map<?, ?> interval = (Map<?, ?>) each;
        text.append(' ').append(interval.get("from")).append(" to ").append(interval.get("until"));
      }
      return text.toString();
    }

    private static OffsetDateTime time(long micros) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    /** Looks at all vertices at every moment at which anything may have changed. */
    private List<String> expected(
        GraphTransaction tx,
        ReadView view,
        Predicate<VertexRecord> test,
        Instant from,
        Instant to) {
      List<Long> all = new ArrayList<>(moments.headSet(view.validAt(), true));
      Map<Long, List<long[]>> intervals = new LinkedHashMap<>();
      Map<Long, String> ids = new HashMap<>();
      for (int i = 0; i < all.size(); i++) {
        long end = i + 1 < all.size() ? all.get(i + 1) : 0;
        for (VertexRecord vertex : scan(tx, new ReadView(all.get(i), view.knownAt()))) {
          if (test.test(vertex)) {
            ids.put(vertex.key(), vertex.id());
            List<long[]> of = intervals.computeIfAbsent(vertex.key(), key -> new ArrayList<>());
            if (!of.isEmpty() && of.get(of.size() - 1)[1] == all.get(i)) {
              of.get(of.size() - 1)[1] = end;
            } else {
              of.add(new long[] {all.get(i), end});
            }
          }
        }
      }
      long first = Stamp.startOf(from);
      long last = Stamp.endOf(to);
      List<String> expected = new ArrayList<>();
      intervals.forEach(
          (key, of) -> {
            StringBuilder text = new StringBuilder(ids.get(key));
            of.removeIf(each -> each[0] > last || each[1] != 0 && each[1] <= first);
            for (long[] each : of) {
              text.append(' ').append(time(Stamp.micros(each[0]))).append(" to ");
              text.append(each[1] == 0 ? "null" : time(Stamp.micros(each[1])));
            }
            if (!of.isEmpty()) {
              expected.add(text.toString());
            }
          });
      return expected;
    }

    private static List<VertexRecord> scan(GraphTransaction tx, ReadView view) {
      List<VertexRecord> all = new ArrayList<>();
      try (ElementCursor<VertexRecord> cursor = tx.scanVertices(Set.of("file"), view)) {
        for (VertexRecord next = cursor.next(); next != null; next = cursor.next()) {
          all.add(next);
        }
      }
      return all;
    }
  }
}
