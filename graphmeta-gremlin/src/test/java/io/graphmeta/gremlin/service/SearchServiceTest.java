package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.model.Cardinality;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code graphmeta.search}. {@code -Dgraphmeta.seed=N} runs one seed of the random queries. */
class SearchServiceTest {
  private static final String[] WORDS = {"model", "cfg", "run", "v2", "out", "climate", "tmp"};
  private static final String[] OWNERS = {"chen", "ortiz", "root"};

  private final GraphDatabase database =
      GraphDatabases.open(
          GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 2)));
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void fill() {
    file("/data/climate/model_v2.cfg", "model_v2.cfg", 2_000L, "chen");
    file("/data/climate/out.nc", "out.nc", 5_000_000L, "chen");
    file("/home/ortiz/model.c", "model.c", 300L, "ortiz");
    file("/tmp/a b", "a b", 0.5, "root");
    process("p1", "srun --nodes=4 -N 2 /usr/bin/python3 train.py --lr 0.1", "2026-11-14T10:00:00Z");
    process("p2", "srun --nodes=8 -n 2 ./wrf.exe", "2026-11-15T10:00:00Z");
    graph.tx().commit();
    database.indexes().create("file.id", Set.of(IndexKind.PATH));
    database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
    database.indexes().create("file.size", Set.of(IndexKind.RANGE));
    database.indexes().create("file.owner", Set.of(IndexKind.EXACT));
    database.indexes().create("process.commandLine", Set.of(IndexKind.COMMAND));
    database.indexes().create("process.start", Set.of(IndexKind.RANGE));
  }

  private void file(String path, String name, Object size, String owner) {
    graph.addVertex(T.id, path, T.label, "file", "name", name, "size", size, "owner", owner);
  }

  private void process(String id, String line, String start) {
    graph.addVertex(
        T.id, id, T.label, "process", "commandLine", line, "start", OffsetDateTime.parse(start));
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "model cfg | /data/climate/model_v2.cfg",
        "MODEL | /data/climate/model_v2.cfg,/home/ortiz/model.c",
        "mod* -cfg | /home/ortiz/model.c",
        "\"/data/climate\" | /data/climate/model_v2.cfg,/data/climate/out.nc",
        "name:*odel.* | /home/ortiz/model.c",
        "name:*odel* AND owner:chen | /data/climate/model_v2.cfg",
        "model.c OR size:[1000000 TO *] | /data/climate/out.nc,/home/ortiz/model.c",
        "size:{300 TO 5000000} | /data/climate/model_v2.cfg",
        "size:[* TO 0.5] | /tmp/a b",
        "chen | /data/climate/model_v2.cfg,/data/climate/out.nc",
        "\"--nodes=4\" | p1",
        "\"--nodes\" | p1,p2",
        "\"-N\" | p1",
        "\"-n 2\" | p2",
        "nodes AND NOT wrf.exe | p1",
        "start:[2026-11-15 TO *] | p2",
        "python3 start:[2026-11-14 TO 2026-11-14T10:00:00Z] | p1",
        "name:\"a b\" | /tmp/a b",
        "nothing | ``"
      })
  void findsWhatIsAskedFor(String query, String expected) {
    assertThat(ids(Map.of("query", query)))
        .containsExactlyInAnyOrderElementsOf(
            expected.isEmpty() ? List.of() : List.of(expected.split(",")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | The query is empty",
        "( | cannot be read; expected words",
        "--nodes=4 | cannot be read; expected words",
        "/data/climate/ | cannot be read",
        "model~ | cannot be read",
        "model^2 | cannot be read",
        "m*l | has a wildcard within; expected * at its beginning or end only",
        "* | asks for any text; expected a word beside the asterisk",
        "-model | says only what is not wanted",
        "model OR NOT cfg | says only what is not wanted",
        "size:[a TO b] | neither a number nor a time; expected one",
        "size:[* TO *] | has no bounds",
        "nosuch:1 | No index can be asked for 'nosuch:1'; expected words of file.id, file.name, file.owner,"
            + " process.commandLine"
      })
  void badQueriesGetAClearLine(String query, String message) {
    assertThatThrownBy(() -> ids(Map.of("query", query))).hasMessageContaining(message);
  }

  @Test
  void queriesHaveALimit() {
    for (String query :
        List.of("a ".repeat(1_000), "(".repeat(500) + "a", "a".repeat(5_000), nested(40))) {
      assertThatThrownBy(() -> ids(Map.of("query", query)))
          .hasMessageMatching("(?s)The query '.*expected.*");
    }
  }

  private static String nested(int depth) {
    return "(a OR ".repeat(depth) + "b" + ")".repeat(depth);
  }

  @Test
  void deletedAndRenamedVerticesAreFoundInThePast() throws InterruptedException {
    OffsetDateTime before = OffsetDateTime.now();
    Thread.sleep(2);
    g.V("/home/ortiz/model.c").property("name", "renamed.c").iterate();
    g.V("/data/climate/out.nc").drop().iterate();
    graph.tx().commit();
    assertThat(ids(Map.of("query", "name:model.c"))).isEmpty();
    assertThat(ids(Map.of("query", "out.nc"))).isEmpty();
    GraphTraversalSource past = g.with("asOf", before);
    assertThat(ids(past, Map.of("query", "name:model.c"))).containsExactly("/home/ortiz/model.c");
    assertThat(ids(past, Map.of("query", "out.nc"))).containsExactly("/data/climate/out.nc");
  }

  @Test
  void ownWritesAreFound() {
    file("/data/new_model.nc", "new_model.nc", 1L, "chen");
    g.V("/home/ortiz/model.c").drop().iterate();
    assertThat(ids(Map.of("query", "model")))
        .containsExactlyInAnyOrder("/data/climate/model_v2.cfg", "/data/new_model.nc");
    graph.tx().rollback();
  }

  @Test
  void mapsTellWhatMatchedAndFacetsHowOften() {
    assertThat(call(Map.of("query", "model owner:chen", "result", "maps")))
        .containsExactly(
            Map.of(
                "id", "/data/climate/model_v2.cfg",
                "label", "file",
                "matched",
                    Map.of("id", List.of("/data/climate/model_v2.cfg"), "owner", List.of("chen"))));
    file("/data/numbered", "ignored", 1L, "chen");
    g.V("/data/numbered").property("name", 7L).iterate();
    assertThat(call(Map.of("query", "numbered OR name:*odel*", "label", "file", "result", "maps")))
        .contains(
            Map.of(
                "id", "/data/numbered",
                "label", "file",
                "matched", Map.of("id", List.of("/data/numbered"))));
    graph.tx().rollback();
    assertThatThrownBy(() -> call(Map.of("query", "model", "facet", "owner", "sort", "size")))
        .hasMessageContaining("expected without 'facet'");
    assertThat(call(Map.of("query", "model OR out", "facet", "owner")))
        .containsExactly(
            Map.of("value", "chen", "count", 2L), Map.of("value", "ortiz", "count", 1L));
    assertThat(call(Map.of("query", "model OR nodes", "facet", "label")))
        .containsExactly(
            Map.of("value", "file", "count", 2L), Map.of("value", "process", "count", 2L));
  }

  @Test
  void highlightsAreThePiecesOfWhatMatched() {
    assertThat(call(Map.of("query", "model cfg owner:chen size:[1 TO *]", "highlight", true)))
        .containsExactly(
            Map.of(
                "id",
                "/data/climate/model_v2.cfg",
                "label",
                "file",
                "matched",
                Map.of(
                    "id", List.of("/data/climate/model_v2.cfg"),
                    "owner", List.of("chen"),
                    "size", List.of(2_000L)),
                "highlights",
                Map.of(
                    "id", List.of(List.of("/data/climate/", "model", "_v2.", "cfg", "")),
                    "owner", List.of(List.of("", "chen", "")))));
    assertThat(call(Map.of("query", "size:[1 TO 400]", "highlight", true)))
        .allMatch(map -> !((Map<?, ?>) map).containsKey("highlights"));
  }

  @Test
  void aWindowTellsWhichFileHadANameAndUntilWhen() throws InterruptedException {
    OffsetDateTime before = OffsetDateTime.now();
    Thread.sleep(2);
    g.V("/home/ortiz/model.c").property("name", "renamed.c").iterate();
    g.V("/data/climate/out.nc").drop().iterate();
    graph.tx().commit();
    Thread.sleep(2);
    String after = OffsetDateTime.now().toString();
    Map<String, Object> renamed = during("name:model.c", before, after);
    assertThat(renamed).containsEntry("id", "/home/ortiz/model.c");
    assertThat(renamed).containsEntry("matched", Map.of("name", List.of("model.c")));
    List<?> intervals = (List<?>) renamed.get("intervals");
    assertThat(intervals).hasSize(1);
    OffsetDateTime until = (OffsetDateTime) ((Map<?, ?>) intervals.get(0)).get("until");
    assertThat(until).isAfter(before).isBefore(OffsetDateTime.parse(after));
    assertThat((OffsetDateTime) ((Map<?, ?>) intervals.get(0)).get("from")).isBefore(before);
    assertThat(during("name:renamed.c", before, after))
        .containsEntry("intervals", List.of(Map.of("from", until)));
    assertThat(during("out.nc", before, after))
        .containsEntry("id", "/data/climate/out.nc")
        .extractingByKey("intervals")
        .isEqualTo(
            List.of(Map.of("from", ((Map<?, ?>) intervals.get(0)).get("from"), "until", until)));
    assertThat(
            call(Map.of("query", "name:model.c name:renamed.c", "during", List.of(before, after))))
        .as("never at the same moment")
        .isEmpty();
    List<Object> vertices =
        call(
            Map.of(
                "query", "name:model.c", "during", List.of(before, after), "result", "vertices"));
    assertThat(vertices)
        .singleElement()
        .satisfies(each -> assertThat(((Vertex) each).<String>value("name")).isEqualTo("model.c"));
    assertThat(g.call("graphmeta.search", during("name:model.c", before, after, 1)).toList())
        .singleElement()
        .satisfies(each -> assertThat(((Map<?, ?>) each).get("partial")).isNull());
    assertThat(g.call("graphmeta.search", during("model OR out", before, after, 2)).toList())
        .hasSize(2)
        .satisfies(maps -> assertThat(((Map<?, ?>) maps.get(1)).get("partial")).isEqualTo(true));
  }

  @Test
  void whatIsToldOfAWindowIsBounded() {
    int changes = 3_000;
    Instant begin = Instant.parse("2026-03-01T00:00:00Z");
    try (GraphTransaction tx = database.begin()) {
      long vertex = tx.addVertex("/hot", "file", Map.of("name", "hot"), Stamp.startOf(begin));
      for (int i = 0; i < changes; i++) {
        long valid = Stamp.startOf(begin.plusSeconds(i));
        Object size = i % 2 == 0 ? i : -1;
        tx.setVertexProperty(vertex, "size", size, Cardinality.SINGLE, Map.of(), null, valid);
      }
      tx.commit();
    }
    graph.tx().rollback();
    Map<String, Object> map =
        during("name:hot size:[0 TO *]", "2026-03-01", begin.plusSeconds(changes + 5).toString());
    List<?> intervals = (List<?>) map.get("intervals");
    assertThat(intervals).hasSize(WindowSearch.MAX_INTERVALS);
    assertThat(intervals.get(WindowSearch.MAX_INTERVALS - 1))
        .isEqualTo(
            Map.of(
                "from", begin.plusSeconds(changes - 2).atOffset(ZoneOffset.UTC),
                "until", begin.plusSeconds(changes - 1).atOffset(ZoneOffset.UTC)));
    assertThat(map).containsEntry("intervalsLeftOut", changes / 2 - 1_000L);
    assertThat((List<?>) ((Map<?, ?>) map.get("matched")).get("size"))
        .hasSize(WindowSearch.MAX_VALUES);
    assertThat(call(Map.of("query", "name:hot", "during", List.of("2026-02-01", "2026-02-28"))))
        .as("before it began")
        .isEmpty();
  }

  private Map<String, Object> during(String query, Object from, Object to) {
    List<Object> maps = g.call("graphmeta.search", during(query, from, to, 10)).toList();
    assertThat(maps).hasSize(1);
    Map<String, Object> map = new LinkedHashMap<>();
    ((Map<?, ?>) maps.get(0)).forEach((key, value) -> map.put(key.toString(), value));
    return map;
  }

  private static Map<Object, Object> during(String query, Object from, Object to, int limit) {
    return new LinkedHashMap<>(Map.of("query", query, "during", List.of(from, to), "limit", limit));
  }

  @Test
  void aNamedLabelIsSearchedWithoutAnIndexToo() {
    graph.addVertex(T.id, "job:1", T.label, "job", "state", "FAILED");
    graph.tx().commit();
    assertThat(ids(Map.of("query", "state:FAILED", "label", "job"))).containsExactly("job:1");
    assertThatThrownBy(() -> ids(Map.of("query", "state:FAILED")))
        .hasMessageContaining("No index can be asked for");
  }

  @Test
  void onlyWordsWithoutAKeyAreLookedForInSomeProperties() {
    assertThat(ids(Map.of("query", "chen", "in", "name"))).isEmpty();
    assertThat(ids(Map.of("query", "model_v2.cfg id:climate", "in", "name")))
        .containsExactly("/data/climate/model_v2.cfg");
  }

  @Test
  void ordersWithPages() {
    assertThat(
            ids(Map.of("query", "owner:(chen OR ortiz OR root)", "sort", "size", "order", "desc")))
        .containsExactly(
            "/data/climate/out.nc",
            "/data/climate/model_v2.cfg",
            "/home/ortiz/model.c",
            "/tmp/a b");
    assertThat(
            ids(
                Map.of(
                    "query",
                    "owner:chen",
                    "sort",
                    "size",
                    "limit",
                    1,
                    "after",
                    "/data/climate/model_v2.cfg")))
        .containsExactly("/data/climate/out.nc");
  }

  /** Pages in any order together are what a scan finds, in the past and now. */
  @TestFactory
  List<DynamicTest> randomQueriesFindWhatAScanFinds() {
    List<DynamicTest> tests = new ArrayList<>();
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 20 : given); seed++) {
      long own = seed;
      tests.add(DynamicTest.dynamicTest("seed " + own, () -> run(own)));
    }
    return tests;
  }

  private void run(long seed) throws InterruptedException {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    OffsetDateTime past = OffsetDateTime.now();
    for (int i = 0; i < 60; i++) {
      if (i == 30) {
        graph.tx().commit();
        Thread.sleep(2);
        past = OffsetDateTime.now();
        Thread.sleep(2);
      }
      String id = "/s" + seed + "/" + word(random) + "_" + random.nextInt(40);
      if (random.nextInt(4) == 0) {
        g.V(id).drop().iterate();
      } else if (g.V(id).hasNext()) {
        g.V(id).property("owner", OWNERS[random.nextInt(3)]).iterate();
      } else {
        file(id, word(random), random.nextInt(10), OWNERS[random.nextInt(3)]);
      }
    }
    if (random.nextBoolean()) {
      graph.tx().commit();
    }
    for (int i = 0; i < 12; i++) {
      GraphTraversalSource source = random.nextBoolean() ? g : g.with("asOf", past);
      String word = word(random);
      String owner = OWNERS[random.nextInt(3)];
      boolean negated = random.nextBoolean();
      Map<String, Object> parameters = new LinkedHashMap<>();
      parameters.put("query", word + (negated ? " -" : " ") + "owner:" + owner);
      parameters.put("label", "file");
      if (random.nextBoolean()) {
        parameters.put("sort", random.nextBoolean() ? "size" : "id");
        parameters.put("order", random.nextBoolean() ? "asc" : "desc");
      }
      Set<Object> expected =
          source.V()
              .hasLabel("file")
              .toStream()
              .filter(file -> holds(file, word) && file.value("owner").equals(owner) != negated)
              .map(Vertex::id)
              .collect(Collectors.toSet());
      assertThat(pages(source, parameters, 1 + random.nextInt(5)))
          .as("seed %d: %s", seed, parameters)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    graph.tx().commit();
  }

  /** Whether a word is one of the path, or is a property that is indexed exactly. */
  private static boolean holds(Vertex file, String word) {
    return Stream.of(file.id().toString().split("[/_.]")).anyMatch(word::equals)
        || file.value("name").equals(word);
  }

  private List<Object> pages(
      GraphTraversalSource source, Map<String, Object> parameters, int size) {
    List<Object> all = new ArrayList<>();
    Map<String, Object> asked = new LinkedHashMap<>(parameters);
    asked.put("limit", size);
    for (List<Object> page = ids(source, asked); !page.isEmpty(); page = ids(source, asked)) {
      all.addAll(page);
      asked.put("after", page.get(page.size() - 1));
    }
    return all;
  }

  private static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private List<Object> ids(Map<String, Object> parameters) {
    return ids(g, parameters);
  }

  private static List<Object> ids(GraphTraversalSource source, Map<String, Object> parameters) {
    return source
        .call("graphmeta.search", new LinkedHashMap<>(parameters))
        .toStream()
        .map(each -> ((Vertex) each).id())
        .toList();
  }

  private List<Object> call(Map<String, Object> parameters) {
    return g.call("graphmeta.search", new LinkedHashMap<>(parameters)).toList();
  }
}
