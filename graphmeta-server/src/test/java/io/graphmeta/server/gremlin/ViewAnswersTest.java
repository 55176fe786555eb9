package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.ElementKey;
import io.graphmeta.tx.GraphTransaction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages are answered about the sample campaign, against plain traversals. */
final class ViewAnswersTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int FILES = Integer.getInteger("graphmeta.view-files", 40);
  private static final int SHARDS = 4;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ServedGraph served;

  @BeforeAll
  static void serve() throws Exception {
    served = new ServedGraph(Map.of(), GraphMetaConfig.inMemory().with(Setting.SHARDS, SHARDS));
    SampleGraph.load(served.database);
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static HttpResponse<String> ask(String name, Map<String, ?> question) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + "/ui/api/" + name))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(question)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode answer(String name, Map<String, ?> question) throws Exception {
    HttpResponse<String> response = ask(name, question);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static List<Object> jobs() {
    List<Object> jobs = served.graph.traversal().V().hasLabel("job").id().toList();
    served.graph.tx().rollback();
    assertThat(jobs).hasSizeGreaterThan(50);
    return jobs;
  }

  @Test
  void jobsAddUpWhatTheirProcessesDid() throws Exception {
    for (Object id : jobs()) {
      JsonNode job = answer("job", Map.of("id", id));
      Map<String, Long> bytes = new HashMap<>();
      long operations = 0;
      Set<Object> files = new HashSet<>();
      List<Vertex> processes =
          served.graph.traversal().V(id).out("contains").hasLabel("process").toList();
      for (Vertex process : processes) {
        List<Edge> accesses =
            served
                .graph
                .traversal()
                .V(process.id())
                .union(__.identity(), __.out("contains"))
                .outE("read", "wrote")
                .toList();
        for (Edge access : accesses) {
          Object count = access.property("bytes").orElse(0L);
          bytes.merge(access.label(), ((Number) count).longValue(), Long::sum);
          operations += ((Number) access.property("operations").orElse(0L)).longValue();
          files.add(access.inVertex().id());
        }
      }
      served.graph.tx().rollback();
      assertThat(job.get("processes")).as("%s", id).hasSize(processes.size());
      assertThat(job.get("fileCount").asInt()).as("%s", id).isEqualTo(files.size());
      assertThat(job.get("operations").asLong()).as("%s", id).isEqualTo(operations);
      // Of many files, those with the most bytes are told.
      for (String kind :
          files.size() > 1_000 ? List.of("processes") : List.of("processes", "files")) {
        assertThat(sum(job.get(kind), "readBytes"))
            .as("%s %s", id, kind)
            .isEqualTo(job.get("readBytes").asLong())
            .isEqualTo(bytes.getOrDefault("read", 0L));
        assertThat(sum(job.get(kind), "writtenBytes"))
            .as("%s %s", id, kind)
            .isEqualTo(job.get("writtenBytes").asLong())
            .isEqualTo(bytes.getOrDefault("wrote", 0L));
      }
    }
  }

  private static long sum(JsonNode rows, String key) {
    long sum = 0;
    for (JsonNode row : rows) {
      sum += row.get(key).asLong();
    }
    return sum;
  }

  @Test
  void limitsOfAJobAreToldAndOtherElementsAreNoJobs() throws Exception {
    JsonNode job = answer("job", Map.of("id", "job:184267", "processes", 2, "accesses", 3));
    assertThat(job.get("processes")).hasSize(2);
    assertThat(job.get("processesPartial").asInt()).isEqualTo(2);
    assertThat(job.get("accessesPartial").asInt()).isEqualTo(3);
    HttpResponse<String> none = ask("job", Map.of("id", "/proj/hx01/config/model.cfg"));
    assertThat(none.statusCode()).isEqualTo(400);
    assertThat(none.body()).contains("There is no job '/proj/hx01/config/model.cfg'");
    HttpResponse<String> before =
        ask("job", Map.of("id", "job:184267", "asOf", "2020-01-01T00:00:00Z"));
    assertThat(before.body()).contains("at 2020-01-01T00:00:00");
  }

  @Test
  void twoRunsAreOnePictureOfWhatEachRestsOn() throws Exception {
    Random random = new Random(SEED);
    List<Object> jobs = jobs();
    for (int round = 0; round < 25; round++) {
      String first = jobs.get(random.nextInt(jobs.size())).toString();
      String second = jobs.get(random.nextInt(jobs.size())).toString();
      if (first.equals(second)) {
        continue;
      }
      String what = first + " and " + second + ", seed " + SEED;
      Set<String> ofFirst = lineage(first);
      Set<String> ofSecond = lineage(second);
      JsonNode answer = answer("runs", Map.of("a", first, "b", second, "budget", 400));
      for (JsonNode box : answer.at("/picture/boxes")) {
        for (JsonNode member : box.get("members")) {
          String key = member.get("key").textValue();
          String presence =
              ofFirst.contains(key) ? ofSecond.contains(key) ? "kept" : "gone" : "new";
          assertThat(box.get("presence").textValue()).as("%s of %s", key, what).isEqualTo(presence);
        }
      }
      assertThat(answer.at("/a/id").textValue()).as(what).isEqualTo(first);
      // The other way round, what is added is removed.
      JsonNode turned = answer("runs", Map.of("a", second, "b", first));
      assertThat(changes(turned, "added")).as(what).isEqualTo(changes(answer, "removed"));
      assertThat(changes(turned, "changed")).as(what).isEqualTo(changes(answer, "changed"));
    }
  }

  private static Set<String> lineage(String id) {
    Set<String> keys = new HashSet<>();
    try (GraphTransaction tx = served.database.begin()) {
      new Provenance(tx, tx.snapshot(), new LineageLimits(3, 5_000))
          .backward(id)
          .nodes()
          .forEach(node -> keys.add(ElementKey.of(node)));
    }
    return keys;
  }

  private static Set<String> changes(JsonNode answer, String change) {
    Set<String> ids = new TreeSet<>();
    for (JsonNode row : answer.get("differences")) {
      if (row.get("change").textValue().equals(change)) {
        ids.add(row.get("aspect") + " " + row.get("id") + " " + row.get("key"));
      }
    }
    return ids;
  }

  @Test
  void aRunIsNotComparedWithItself() throws Exception {
    HttpResponse<String> same = ask("runs", Map.of("a", "job:184267", "b", "job:184267"));
    assertThat(same.statusCode()).isEqualTo(400);
    assertThat(same.body()).contains("expected two different runs");
    assertThat(ask("runs", Map.of("a", "job:184267")).body()).contains("'b' is missing");
  }

  private static JsonNode results(String gremlin) throws Exception {
    return answer("gremlin", Map.of("gremlin", gremlin)).get("results");
  }

  @Test
  void queriesAreAnsweredUpToALimit() throws Exception {
    assertThat(results("g.V().hasLabel('job').count()").get(0).asLong()).isEqualTo(jobs().size());
    // What ends a script for drivers ends none here.
    assertThat(results("g.V().hasLabel('user').id().toList()")).hasSize(3);
    assertThat(results("g . inject('a;b', \"c'\")\n// told;\n.order()")).hasSize(2);
    JsonNode some = answer("gremlin", Map.of("gremlin", "g.V()", "limit", 7));
    assertThat(some.get("results")).hasSize(7);
    assertThat(some.get("partial").asBoolean()).isTrue();
    assertThat(some.get("command").textValue()).isEqualTo("graphmeta query 'g.V()'");
    assertThat(answer("gremlin", Map.of("gremlin", "g.V().limit(7)", "limit", 7)).has("partial"))
        .isFalse();
  }

  @Test
  void queriesHaveTheTimesOfThePage() throws Exception {
    String config = "g.V('/proj/hx01/config/model.cfg').in('wrote').id()";
    JsonNode now = answer("gremlin", Map.of("gremlin", config));
    JsonNode past = answer("gremlin", Map.of("gremlin", config, "asOf", "2026-11-21T00:35:30Z"));
    assertThat(now.get("results").size()).isGreaterThan(past.get("results").size());
    assertThat(past.at("/gremlin/0").textValue())
        .startsWith("g.with('asOf', '2026-11-21T00:35:30")
        .endsWith(config.substring(1));
    JsonNode unknown =
        answer("gremlin", Map.of("gremlin", "g.V().count()", "knownAt", "2001-01-01T00:00:00Z"));
    assertThat(unknown.at("/results/0").asLong()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.addV('note')",
        "g.V().drop()",
        "g.V('job:184267').property('name', 'x')",
        "g.V().limit(1); g.V().drop()",
        "g.tx().commit()",
        "g.io('/tmp/x').write().iterate()",
        "g.call('graphmeta.index', ['do': 'create', 'name': 'x', 'kind': 'exact'])",
        "V().count()",
        "System.exit(1)",
        "g",
        "g.V().limit("
      })
  void queriesThatWriteOrAreNoneAreRefused(String gremlin) throws Exception {
    for (String profile : List.of("no", "yes")) {
      HttpResponse<String> response =
          ask("gremlin", Map.of("gremlin", gremlin, "profile", profile));
      assertThat(response.statusCode()).as(response.body()).isBetween(400, 599);
      assertThat(JSON.readTree(response.body()).get("message").textValue()).isNotBlank();
    }
    assertThat(results("g.V().count()").get(0).asLong()).isEqualTo(vertices());
  }

  private static long vertices() {
    long count = served.graph.traversal().V().count().next();
    served.graph.tx().rollback();
    return count;
  }

  @Test
  void elementsAmongResultsAreAGraph() throws Exception {
    String paths = "g.V('job:184267').out('contains').outE('wrote').inV().path()";
    JsonNode graph = answer("gremlin", Map.of("gremlin", paths)).get("picture");
    // The job, two of its processes, four files; edges of paths are drawn once.
    assertThat(graph.get("boxes")).hasSize(7);
    assertThat(graph.get("lines")).hasSize(6);
    Set<String> relations = new TreeSet<>();
    graph.get("lines").forEach(line -> relations.add(line.get("relation").textValue()));
    assertThat(relations).containsExactly("next in the path", "wrote");
    assertThat(answer("gremlin", Map.of("gremlin", "g.V().count()")).has("picture")).isFalse();
    JsonNode edges =
        answer("gremlin", Map.of("gremlin", "g.V('job:184267').outE().fold()")).get("picture");
    assertThat(edges.get("lines")).hasSize(edges.get("boxes").size() - 1);
  }

  @Test
  void aProfileTellsStepsLevelsAndShards() throws Exception {
    JsonNode profile =
        answer(
                "gremlin",
                Map.of(
                    "gremlin",
                    "g.V('/proj/hx01/config/model.cfg').repeat(__.in().dedup()).emit().count()",
                    "profile",
                    "yes"))
            .get("profile");
    assertThat(profile.get("millis").asDouble()).isPositive();
    JsonNode levels = profile.at("/steps/0/levels");
    assertThat(levels.size()).isGreaterThan(2);
    assertThat(levels.at("/0/frontier").asInt()).isEqualTo(1);
    assertThat(levels.at("/1/shards/0/workMillis").isNumber()).isTrue();
  }

  @Test
  void placementAddsUp() throws Exception {
    JsonNode placement = answer("placement", Map.of("limit", 5, "seconds", 60));
    JsonNode graph = placement.get("graph");
    assertThat(graph.get("vertices").asLong()).isEqualTo(vertices());
    assertThat(placement.get("shards")).hasSize(SHARDS);
    assertThat(placement.get("virtualNodes")).hasSize(graph.get("virtualNodes").asInt());
    for (String key : List.of("vertices", "outEntries", "inEntries", "rows", "bytes")) {
      for (String of : List.of("shards", "virtualNodes")) {
        assertThat(sum(placement.get(of), key)).as(key).isEqualTo(graph.get(key).asLong());
      }
    }
    assertThat(placement.get("vertices")).hasSize(5);
    for (JsonNode vertex : placement.get("vertices")) {
      assertThat(sum(vertex.get("out"), "entries")).isEqualTo(vertex.get("outEntries").asLong());
      JsonNode alone = answer("placement", Map.of("id", vertex.get("id").textValue()));
      assertThat(alone.at("/vertices/0/outEntries")).isEqualTo(vertex.get("outEntries"));
      assertThat(alone.at("/vertices/0/home")).isEqualTo(vertex.get("home"));
    }
    assertThat(ask("placement", Map.of("id", "/none")).statusCode()).isNotEqualTo(200);
  }

  @Test
  void membersOfABoxAreFilteredAndTakenInPages() throws Exception {
    Map<String, Object> lineage = Map.of("id", "/scratch/chen/index.txt");
    JsonNode largest = null;
    for (JsonNode box : answer("lineage", lineage).get("boxes")) {
      if (largest == null || box.get("count").asInt() > largest.get("count").asInt()) {
        largest = box;
      }
    }
    assertThat(largest.get("count").asInt()).isGreaterThan(1_000);
    assertThat(largest.get("members")).hasSize(100);
    Map<String, Object> question = new HashMap<>(lineage);
    question.put("key", largest.get("key").textValue());
    Set<String> seen = new HashSet<>();
    question.put("count", 500);
    for (int offset = 0; offset < largest.get("count").asInt(); offset += 500) {
      question.put("offset", offset);
      JsonNode page = answer("members", question);
      assertThat(page.get("found")).isEqualTo(largest.get("count"));
      page.get("members").forEach(member -> seen.add(member.get("key").textValue()));
    }
    assertThat(seen).hasSize(largest.get("count").asInt());
    question.put("offset", 1);
    question.put("filter", "/CHEN/Tiles");
    assertThat(answer("members", question).get("found")).isEqualTo(largest.get("count"));
    question.put("filter", "_001_00");
    long matching = seen.stream().filter(key -> key.contains("_001_00")).count();
    JsonNode found = answer("members", question);
    assertThat(found.get("found").asLong()).isEqualTo(matching).isPositive();
    assertThat(found.get("members")).hasSize((int) matching - 1);
    question.put("key", "/none");
    assertThat(ask("members", question).body()).contains("There is no box '/none'");
  }

  @Test
  void placesOfAnEarlierPictureAreANumberForEachBox() throws Exception {
    Map<String, Object> question = new HashMap<>(Map.of("id", "/scratch/amira/sweep1/figure.svg"));
    JsonNode first = answer("lineage", question);
    Map<String, Object> middles = new HashMap<>();
    for (JsonNode box : first.get("boxes")) {
      middles.put(box.get("key").textValue(), box.get("y").asInt() + box.get("height").asInt() / 2);
    }
    question.put("earlier", middles);
    JsonNode next = answer("lineage", question);
    assertThat(next.findValuesAsText("key")).isEqualTo(first.findValuesAsText("key"));
    for (Object unfit : List.of(Map.of("a", -1), Map.of("a", "b"), Map.of("a", 1.5), List.of(1))) {
      question.put("earlier", unfit);
      assertThat(ask("lineage", question).statusCode()).as("%s", unfit).isEqualTo(400);
      assertThat(ask("lineage", question).body()).contains("at most 200 whole numbers");
    }
  }

  @Test
  void lineagesAreWrittenInTheFormsOfOtherTools() throws Exception {
    String figure = "/scratch/amira/sweep1/figure.svg";
    int elements = answer("lineage", Map.of("id", figure)).get("elements").asInt();
    Map<String, String> beginnings =
        Map.of(
            "dot", "digraph",
            "mermaid", "flowchart",
            "prov-json", "{",
            "ro-crate", "{",
            "csv", "number,",
            "openlineage", "{");
    for (Map.Entry<String, String> form : beginnings.entrySet()) {
      JsonNode file = answer("export", Map.of("id", figure, "form", form.getKey()));
      assertThat(file.get("text").textValue()).startsWith(form.getValue());
    }
    String csv = answer("export", Map.of("id", figure, "form", "csv")).get("text").textValue();
    assertThat(csv.split("\r\n")).hasSize(elements + 1);
    assertThat(ask("export", Map.of("id", figure, "form", "pdf")).body()).contains("prov-json");
    assertThat(
            ask("export", Map.of("id", figure, "form", "csv", "against", "2026-11-21T00:36:30Z"))
                .body())
        .contains("expected none");
  }

  /** Of all files with {@code -Dgraphmeta.view-files=100000}. */
  @Test
  void pictureServiceAndFilesAgreeNowAndInThePast() throws Exception {
    Random random = new Random(SEED);
    List<Object> files = served.graph.traversal().V().hasLabel("file").id().toList();
    served.graph.tx().rollback();
    Collections.shuffle(files, random);
    OffsetDateTime first = OffsetDateTime.of(2026, 11, 21, 0, 33, 0, 0, ZoneOffset.UTC);
    int answered = 0;
    for (Object file : files.subList(0, Math.min(FILES, files.size()))) {
      for (int time = 0; time < 3; time++) {
        Map<String, Object> question = new HashMap<>(Map.of("id", file));
        question.put("budget", random.nextBoolean() ? 2_000 : 10);
        if (time > 0) {
          question.put("asOf", first.plusSeconds(random.nextInt(420)).toString());
        }
        answered += requireAgreement(question) ? 1 : 0;
      }
    }
    assertThat(answered).isGreaterThan(Math.min(FILES, files.size()) / 2);
  }

  /** Whether there is an answer: a file that did not exist yet has none, however it is asked. */
  private static boolean requireAgreement(Map<String, Object> question) throws Exception {
    String what = question + ", seed " + SEED;
    Map<String, Object> script = new HashMap<>(question);
    script.remove("budget");
    script.put(
        "gremlin",
        "g.call('graphmeta.lineage', ['id': '" + script.remove("id") + "', 'result': 'graph'])");
    script.put("limit", 10_000);
    HttpResponse<String> drawn = ask("lineage", question);
    HttpResponse<String> service = ask("gremlin", script);
    assertThat(drawn.statusCode()).as(what).isEqualTo(service.statusCode());
    if (drawn.statusCode() != 200) {
      return false;
    }
    Map<String, Integer> ofService = new TreeMap<>();
    for (JsonNode row : JSON.readTree(service.body()).get("results")) {
      String version = row.path("version").asText();
      ofService.merge(row.get("id").textValue() + " " + version, 1, Integer::sum);
    }
    int elements = ofService.values().stream().mapToInt(Integer::intValue).sum();
    JsonNode picture = JSON.readTree(drawn.body());
    assertThat(picture.get("elements").asInt()).as(what).isEqualTo(elements);
    Map<String, Integer> ofFile = new TreeMap<>();
    question.put("form", "csv");
    for (String line : answer("export", question).get("text").textValue().split("\r\n")) {
      // No id of the campaign needs quotes; times of others than files are no versions.
      String[] cells = line.split(",", 5);
      String version = cells[1].equals("file") ? cells[3] : "";
      if (!line.startsWith("number")) {
        ofFile.merge(cells[2] + " " + version, 1, Integer::sum);
      }
    }
    assertThat(ofFile).as(what).isEqualTo(ofService);
    for (JsonNode box : picture.get("boxes")) {
      for (JsonNode member : box.get("members")) {
        boolean isFile = member.has("fate");
        String version = isFile ? member.path("from").asText("initial") : "";
        assertThat(ofService).as(what).containsKey(member.get("id").textValue() + " " + version);
      }
    }
    return true;
  }
}
