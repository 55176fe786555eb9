package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.export.HostileGraph;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.users.UserFile;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The view in the browser, as it is served: pages, questions, and what is refused. */
final class ViewEndpointTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([a-z]+\\.js)\"");
  private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"#]+)\"");
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ServedGraph served;
  private static List<String> ids = List.of();
  @TempDir private static Path directory;

  @BeforeAll
  static void serve() throws Exception {
    served = new ServedGraph(Map.of());
    ids = HostileGraph.write(served.database, SEED);
    for (int day : new int[] {7, 8}) {
      OffsetDateTime start = OffsetDateTime.of(2099, 1, day, 0, 0, 0, 0, ZoneOffset.UTC);
      served.graph.addVertex(T.label, "job", T.id, "job:7" + day, "start", start);
    }
    served.graph.tx().commit();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static URI uri(ServedGraph of, String path) {
    return URI.create("http://127.0.0.1:" + of.port() + path);
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(served, path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> ask(String name, Map<String, ?> question, String... headers)
      throws Exception {
    return post(name, JSON.writeValueAsString(question), headers);
  }

  private static HttpResponse<String> post(String name, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(served, "/ui/api/" + name))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode answer(String name, Map<String, ?> question) throws Exception {
    HttpResponse<String> response = ask(name, question);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  @Test
  void allFilesOfThePageAreServedAndNothingElseIsNamedInThem() throws Exception {
    Set<String> named = new HashSet<>();
    List<String> open = new ArrayList<>(List.of(""));
    while (!open.isEmpty()) {
      String name = open.remove(0);
      HttpResponse<String> response = get("/ui/" + name);
      assertThat(response.statusCode()).as(name).isEqualTo(200);
      requireHeaders(response, "no-cache");
      String tag = response.headers().firstValue("etag").orElseThrow();
      assertThat(get("/ui/" + name, "If-None-Match", tag).statusCode()).isEqualTo(304);
      Matcher matcher =
          (name.isEmpty() ? REFERENCE : IMPORT)
              .matcher(name.endsWith("svg") ? "" : response.body());
      while (matcher.find()) {
        if (named.add(matcher.group(1))) {
          open.add(matcher.group(1));
        }
      }
      assertThat(response.body().replace("http://www.w3.org/2000/svg", ""))
          .as(name)
          .doesNotContain("http://", "https://", "innerHTML", "outerHTML", "eval(")
          .doesNotContain("document.write", "insertAdjacentHTML", "srcdoc", "javascript:")
          .doesNotContainPattern(" style=| on[a-z]+=\"");
    }
    assertThat(named).contains("main.js", "picture.js", "view.css", "picture.css", "icon.svg");
  }

  private static void requireHeaders(HttpResponse<?> response, String cache) {
    assertThat(response.headers().map())
        .containsEntry("content-security-policy", List.of(POLICY))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .containsEntry("x-frame-options", List.of("DENY"))
        .containsEntry("cache-control", List.of(cache));
  }

  @Test
  void theRootLeadsToThePageAndGremlinIsWhereItWas() throws Exception {
    HttpResponse<String> root = get("/");
    assertThat(root.statusCode()).isEqualTo(302);
    assertThat(root.headers().firstValue("location")).contains("ui/");
    assertThat(get("/ui").headers().firstValue("location")).contains("ui/");
    assertThat(get("/?gremlin=g.inject(7)").body()).contains("7");
    assertThat(served.get("g.inject(8)")).contains("8");
  }

  @Test
  void withoutTheSettingNothingIsServed() throws Exception {
    try (ServedGraph without = new ServedGraph(Map.of(ServerSetting.UI, false))) {
      for (String path : List.of("/", "/ui", "/ui/", "/ui/main.js", "/ui/api/search")) {
        HttpResponse<String> response =
            HTTP.send(
                HttpRequest.newBuilder(uri(without, path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(400);
        assertThat(response.body()).doesNotContain("<html");
      }
    }
  }

  @Test
  void picturesTellWhatProvenanceTells() throws Exception {
    for (String id : ids) {
      for (boolean forward : new boolean[] {false, true}) {
        JsonNode picture =
            answer("lineage", Map.of("id", id, "direction", forward ? "forward" : "backward"));
        FoldedLineage folded;
        try (GraphTransaction tx = served.database.begin()) {
          Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          Lineage lineage = forward ? provenance.forward(id, Stamp.MAX) : provenance.backward(id);
          folded = new Folding(Folding.DEFAULT_BUDGET).fold(Overlay.of(lineage, forward));
        }
        assertThat(picture.get("elements").asInt())
            .as("seed %d", SEED)
            .isEqualTo(folded.overlay().lineage().nodes().size());
        List<String> boxes = new ArrayList<>();
        picture
            .get("boxes")
            .forEach(box -> boxes.add(box.get("key").textValue() + box.get("count")));
        assertThat(boxes)
            .as("seed %d", SEED)
            .isEqualTo(folded.boxes().stream().map(box -> box.key() + box.count()).toList());
        assertThat(picture.get("lines")).hasSize(folded.links().size());
        requireScriptGives(picture, folded.overlay().lineage().nodes().size());
        picture
            .get("boxes")
            .forEach(
                box -> {
                  String title = box.get("title").textValue();
                  assertThat(VisibleText.of(title)).as("seed %d", SEED).isEqualTo(title);
                });
      }
    }
  }

  @Test
  void whoIsAffectedIsWhoIsInTheLineage() throws Exception {
    for (String id : ids.subList(0, 2)) {
      JsonNode affected = answer("impact", Map.of("id", id)).get("affected");
      Lineage lineage;
      try (GraphTransaction tx = served.database.begin()) {
        lineage = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).forward(id, Stamp.MAX);
      }
      Map<String, Set<String>> inLineage = new HashMap<>();
      lineage.nodes().stream()
          .skip(1)
          .forEach(
              node ->
                  inLineage
                      .computeIfAbsent(node.label(), label -> new HashSet<>())
                      .add(node.id() + " " + node.versionMicros()));
      Map<String, String> figures = Map.of("jobs", "job", "processes", "process", "files", "file");
      figures.forEach(
          (name, label) ->
              assertThat(affected.get(name).asInt())
                  .as("%s, seed %d", name, SEED)
                  .isEqualTo(inLineage.getOrDefault(label, Set.of()).size()));
      Set<String> jobs = new HashSet<>();
      Set<String> written = new HashSet<>();
      for (JsonNode row : affected.get("rows")) {
        jobs.add(row.path("job").asText());
        row.get("files").forEach(file -> written.add(file.get("key").textValue()));
      }
      assertThat(jobs).hasSize(affected.get("jobs").asInt());
      // What was renamed is nobody's writing.
      assertThat(written.size()).isLessThanOrEqualTo(affected.get("files").asInt());
    }
  }

  /** The Gremlin that the page shows is a question that every client can ask. */
  private static void requireScriptGives(JsonNode picture, int elements) throws Exception {
    String script = picture.get("gremlin").get(0).textValue() + ".count()";
    String body = served.post(JSON.writeValueAsString(Map.of("gremlin", script))).body();
    assertThat(JSON.readTree(body).at("/result/data/@value/0/@value").asInt())
        .as(body)
        .isEqualTo(elements);
  }

  @Test
  void elementsAreFoundByTheirIdsWhateverTheyAre() throws Exception {
    for (String id : ids) {
      if (id.isBlank() || !id.strip().equals(id)) {
        continue;
      }
      JsonNode hits = answer("search", Map.of("text", id)).get("hits");
      assertThat(hits).as("'%s', seed %d", VisibleText.of(id), SEED).isNotEmpty();
      assertThat(hits.get(0).get("id").textValue()).as("seed %d", SEED).isEqualTo(id);
      assertThat(answer("element", Map.of("id", id)).get("text").textValue())
          .isEqualTo(VisibleText.of(id));
      answer("history", Map.of("id", id));
    }
  }

  @Test
  void withoutATextTheNewestJobsAreTold() throws Exception {
    JsonNode hits = answer("search", Map.of("limit", 2)).get("hits");
    assertThat(hits.get(0).get("id").textValue()).isEqualTo("job:78");
    assertThat(hits.get(1).get("id").textValue()).isEqualTo("job:77");
    JsonNode byNumber = answer("search", Map.of("text", "77")).get("hits");
    assertThat(byNumber.get(0).get("text").textValue()).isEqualTo("job:77");
    assertThat(byNumber.get(0).get("exact").asBoolean()).isTrue();
  }

  @Test
  void nothingInAQuestionIsRunAsGremlin() throws Exception {
    long before = served.graph.traversal().V().count().next();
    for (String attack :
        List.of(
            "x').iterate(); g.addV('planted').next(); g.V('x",
            "x\\').addV('planted').inject('",
            "x\n').addV('planted')",
            "$" + "{g.addV('planted')}",
            "'+g.addV('planted')+'")) {
      for (String name : List.of("lineage", "history", "element")) {
        assertThat(ask(name, Map.of("id", attack)).statusCode()).as(attack).isEqualTo(400);
      }
      assertThat(answer("search", Map.of("text", attack)).has("hits")).isTrue();
    }
    served.graph.tx().rollback();
    assertThat(served.graph.traversal().V().count().next()).isEqualTo(before);
    served.graph.tx().rollback();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          lineage | {}                                    | 'id' is missing
          lineage | {"id": ""}                            | 'id' is missing
          lineage | {"id": 7}                             | 'id' is 7; expected a text
          lineage | {"id": "/no"}                         | Nothing with the id '/no'
          lineage | {"id": "x", "colour": "red"}          | 'colour' is unknown; expected against
          lineage | {"id": "x", "direction": "up"}        | expected one of backward, forward
          lineage | {"id": "x", "depth": -1}              | expected a whole number from 0 to 1000
          lineage | {"id": "x", "depth": 1.5}             | expected a whole number from 0 to 1000
          lineage | {"id": "x", "depth": 99999999999}     | expected a whole number from 0 to 1000
          lineage | {"id": "x", "limit": 0}               | from 1 to 100000
          lineage | {"id": "x", "budget": 9}              | from 10 to 2000
          lineage | {"id": "x", "budget": "80"}           | from 10 to 2000
          lineage | {"id": "x", "open": "k"}              | a list of at most 100 texts
          lineage | {"id": "x", "open": [1]}              | a list of at most 100 texts
          lineage | {"id": "x", "asOf": "yesterday"}      | 'asOf' is "yesterday"; expected a time
          lineage | {"id": "x", "knownAt": "2026-13-01"}  | 'knownAt' is "2026-13-01"; expected a time
          lineage | {"id": "x", "asOf": "2026-01-01T00:00:00Z", "against": "2026-01-02T00:00:00Z"} | 'against' is
          search  | {"limit": 1000}                       | from 1 to 200
          history | {"id": "x", "limit": 1000000}         | from 1 to 5000
          element | {"id": "/no"}                         | Nothing with the id '/no'
          lineage | [1]                                   | no JSON object
          lineage | {"id"                                 | not JSON
          nothing | {}                                    | There is no question 'nothing'
          """)
  void whatCannotBeMeantIsRefused(String name, String body, String words) throws Exception {
    HttpResponse<String> response = post(name, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).get("message").textValue()).contains(words);
    requireHeaders(response, "no-store");
  }

  @Test
  void questionsComeByPostAsJsonAndPagesByGet() throws Exception {
    assertThat(get("/ui/api/search").body()).contains("expected POST");
    HttpRequest form =
        HttpRequest.newBuilder(uri(served, "/ui/api/search"))
            .header("Content-Type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    HttpResponse<String> refused = HTTP.send(form, HttpResponse.BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("expected application/json");
    HttpRequest posted =
        HttpRequest.newBuilder(uri(served, "/ui/"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(HTTP.send(posted, HttpResponse.BodyHandlers.ofString()).body())
        .contains("expected GET");
    for (String path : List.of("/ui/none.js", "/ui/../x", "/ui/%2e%2e/x", "/ui/main.js/")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(400);
    }
  }

  @Test
  void answersAreCompressedAndNotKept() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(served, "/ui/api/lineage"))
            .headers("Content-Type", "application/json", "Accept-Encoding", "br, gzip")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    JSON.writeValueAsString(Map.of("id", ids.get(0)))))
            .build();
    HttpResponse<byte[]> response = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
    requireHeaders(response, "no-store");
    assertThat(response.headers().firstValue("content-encoding")).contains("gzip");
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
    assertThat(JSON.readTree(plain).get("id").textValue()).isEqualTo(ids.get(0));
    assertThat(plain.length).isGreaterThan(response.body().length);
    assertThat(ask("lineage", Map.of("id", ids.get(0)), "Accept-Encoding", "gzip;q=0").body())
        .startsWith("{");
  }

  @Test
  void pagesOfOthersMayLinkToThePageAndNoMore() throws Exception {
    String[] opened = {
      "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };
    assertThat(get("/ui/", opened).statusCode()).isEqualTo(200);
    assertThat(get("/", opened).statusCode()).isEqualTo(302);
    // A query in the address is not what a link to the page has.
    assertThat(get("/?gremlin=g.V()", opened).statusCode()).isEqualTo(403);
    assertThat(get("/gremlin?gremlin=g.V()", opened).statusCode()).isEqualTo(403);
    assertThat(get("/ui/main.js", opened).statusCode()).isEqualTo(403);
    assertThat(
            get(
                    "/ui/",
                    "Sec-Fetch-Site",
                    "cross-site",
                    "Sec-Fetch-Mode",
                    "navigate",
                    "Sec-Fetch-Dest",
                    "iframe")
                .statusCode())
        .isEqualTo(403);
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(get("/ui/main.js", "Sec-Fetch-Site", site).statusCode()).isEqualTo(403);
      assertThat(ask("search", Map.of(), "Sec-Fetch-Site", site).statusCode()).isEqualTo(403);
    }
    for (String origin :
        List.of(
            "http://evil.example",
            "null",
            "http://127.0.0.1:1",
            "https://127.0.0.1:" + served.port())) {
      assertThat(ask("search", Map.of(), "Origin", origin).statusCode()).as(origin).isEqualTo(403);
      assertThat(get("/ui/", "Origin", origin, "Sec-Fetch-Mode", "navigate").statusCode())
          .as(origin)
          .isEqualTo(403);
    }
    assertThat(ask("search", Map.of(), "Origin", "http://127.0.0.1:" + served.port()).statusCode())
        .isEqualTo(200);
    assertThat(
            RawHttp.firstLine(
                served.port(),
                "GET /ui/ HTTP/1.1\r\nHost: rebound.example\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n"))
        .contains("403");
  }

  @Test
  void whoeverMustLogInMustDoSoForThePageToo() throws Exception {
    Path users = directory.resolve("users");
    UserFile.empty().with("ada", "correct horse".toCharArray()).write(users);
    try (ServedGraph withUsers = new ServedGraph(Map.of(ServerSetting.USERS_FILE, users))) {
      for (String path : List.of("/", "/ui/", "/ui/main.js", "/ui/api/search")) {
        HttpResponse<String> response =
            HTTP.send(
                HttpRequest.newBuilder(uri(withUsers, path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path).isEqualTo(401);
        assertThat(response.headers().firstValue("www-authenticate").orElse("")).contains("Basic");
      }
      String password =
          Base64.getEncoder().encodeToString("ada:correct horse".getBytes(StandardCharsets.UTF_8));
      HttpResponse<String> response =
          HTTP.send(
              HttpRequest.newBuilder(uri(withUsers, "/ui/"))
                  .header("Authorization", "Basic " + password)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aQuestionWithTwoTimesIsOnePicture() throws Exception {
    String id = ids.get(0);
    JsonNode now = answer("lineage", Map.of("id", id));
    JsonNode compared =
        answer(
            "lineage",
            Map.of("id", id, "against", now.get("boxes").get(0).get("first").textValue()));
    assertThat(compared.get("compared").asBoolean()).isTrue();
    assertThat(compared.get("gremlin")).hasSize(2);
    for (JsonNode box : compared.get("boxes")) {
      assertThat(box.get("presence").textValue()).isIn("kept", "gone", "new");
    }
  }
}
