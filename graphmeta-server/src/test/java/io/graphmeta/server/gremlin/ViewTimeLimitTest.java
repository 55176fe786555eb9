package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.server.settings.ServerSetting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Pages whose searches may take a millisecond, over what takes longer: each tells that it is cut.
 */
final class ViewTimeLimitTest {
  private static final int READERS = 3_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final OffsetDateTime START =
      OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
  private static ServedGraph served;

  @BeforeAll
  static void serve() throws Exception {
    served = new ServedGraph(Map.of(ServerSetting.UI_SEARCH_MILLIS, 1));
    for (String job : new String[] {"job:1", "job:2"}) {
      Vertex contains = served.graph.addVertex(T.label, "job", T.id, job, "name", job);
      Vertex hub =
          job.equals("job:1")
              ? served.graph.addVertex(T.label, "file", T.id, "/hub")
              : served.graph.vertices("/hub").next();
      for (int i = 0; i < READERS / 2; i++) {
        String name = job + "/" + i;
        Vertex process =
            served.graph.addVertex(
                T.label, "process", T.id, name, "start", START, "end", START.plusSeconds(1));
        Vertex file = served.graph.addVertex(T.label, "file", T.id, "/out/" + name);
        contains.addEdge("contains", process);
        process.addEdge("read", hub, "start", START, "end", START, "bytes", 1L);
        process.addEdge("wrote", file, "start", START, "end", START.plusSeconds(1), "bytes", 1L);
      }
      served.graph.tx().commit();
    }
    served.graph.tx().rollback();
  }

  @AfterAll
  static void close() {
    served.close();
  }

  private static JsonNode answer(String name, Map<String, ?> question) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + served.port() + "/ui/api/" + name))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(question)))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static void requireCut(JsonNode picture) {
    assertThat(picture.path("partial").asBoolean()).isTrue();
    assertThat(picture.path("outOfTime").asBoolean()).isTrue();
    assertThat(picture.path("elements").asInt()).isBetween(1, 2 * READERS);
  }

  @Test
  void aLineageTellsThatTimeEndedIt() throws Exception {
    Map<String, String> question = Map.of("id", "/hub", "direction", "forward");
    JsonNode lineage = answer("lineage", question);
    requireCut(lineage);
    // Elsewhere the same question may take its time.
    assertThat(lineage.path("gremlin").toString()).doesNotContain("searchMillis");
    requireCut(answer("impact", Map.of("id", "/hub")));
    requireCut(answer("lineage", Map.of("id", "job:1")));
  }

  @Test
  void twoRunsThatTimeDidNotLetBeReadAreNotCompared() throws Exception {
    JsonNode runs = answer("runs", Map.of("a", "job:1", "b", "job:2"));
    assertThat(runs.path("differencesPartial").asBoolean()).isTrue();
    assertThat(runs.path("differences"))
        .allMatch(row -> row.path("aspect").asText().equals("parameter"));
    requireCut(runs.path("picture"));
  }

  @Test
  void aFileOfALineageIsWhole() throws Exception {
    Map<String, Object> question =
        Map.of("id", "/hub", "direction", "forward", "limit", 100_000, "form", "csv");
    String rows = answer("export", question).path("text").asText();
    assertThat(rows.lines().skip(1)).hasSizeGreaterThan(2 * READERS);
    assertThat(rows.lines().findFirst().orElseThrow()).doesNotContain("partial");
    Map<String, Object> some =
        Map.of("id", "/hub", "direction", "forward", "limit", 10, "form", "csv");
    assertThat(answer("export", some).path("text").asText().lines().findFirst().orElseThrow())
        .contains("partial");
  }

  @Test
  void theParameterIsOneOfTheServices() throws Exception {
    String call = "g.call('graphmeta.impact', ['id': '/hub', 'searchMillis': ";
    assertThat(served.get(call + "1])")).contains("outOfTime");
    assertThat(served.get(call + "60000])")).doesNotContain("outOfTime");
    assertThat(served.get(call + "0])"))
        .contains("searchMillis")
        .contains("expected a whole number from 1 to 86400000");
  }
}
