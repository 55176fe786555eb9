package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that the page saves, opened by the tools that they are for. Nothing is installed: a tool
 * that is not on the PATH, or not known to its Python, is skipped.
 */
final class ViewExportsIT {
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final int ELEMENTS = 112;
  private static final int LIMIT_MINUTES = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** With the context that rocrate brings, for the validator else takes it from the network. */
  private static final String VALIDATE =
      """
      import json, pathlib, sys, rocrate
      from rocrate_validator import models, services
      from rocrate_validator.utils import document_loader
      context = json.loads((pathlib.Path(rocrate.__file__).parent / 'data/ro-crate.jsonld').read_text())
      document_loader._fetch_json_ld = lambda url: context
      for profile in ('ro-crate-1.1', 'process-run-crate'):
          result = services.validate(services.ValidationSettings(
              rocrate_uri=sys.argv[1], profile_identifier=profile, metadata_only=True,
              skip_availability_check=True, requirement_severity=models.Severity.REQUIRED))
          print(result.passed(), [issue.message for issue in result.get_issues()][:3])
      """;

  @TempDir private static Path directory;
  private static ServedGraph campaign;

  @BeforeAll
  static void serve() throws Exception {
    campaign = new ServedGraph(Map.of());
    SampleGraph.load(campaign.database);
  }

  @AfterAll
  static void stop() {
    campaign.close();
  }

  /** A way between two elements, whichever end it is told from. */
  private record Way(Set<String> ends, String relation) {}

  @Test
  void graphvizFindsTheElementsAndLinks() throws Exception {
    assumeTrue(succeeds("dot", "-V"), "opening DOT needs Graphviz: dot and gc on the PATH");
    List<Map<String, Object>> questions =
        List.of(
            Map.of("id", FIGURE),
            Map.of("id", FIGURE, "limit", 20),
            Map.of("id", "job:184330"),
            Map.of("id", "/proj/hx01/config/model.cfg", "direction", "forward"),
            Map.of("id", "/proj/hx01/mesh/mesh_C.msh", "direction", "forward"),
            Map.of("id", "/scratch/chen/tiles/u_004_000.txt"));
    for (int number = 0; number < questions.size(); number++) {
      Map<String, Object> question = questions.get(number);
      Path file = saved("dot", "dot-" + number, "lineage.dot", question);
      Lineage lineage = answered(question);
      Map<String, String> ids = new HashMap<>();
      lineage.nodes().forEach(node -> ids.put("n" + node.index(), node.id()));
      Set<Way> ways = new HashSet<>();
      lineage
          .links()
          .forEach(
              link ->
                  ways.add(new Way(Set.of("n" + link.from(), "n" + link.to()), link.relation())));
      JsonNode drawn = JSON.readTree(output("dot", "-Tjson", file.toString()));
      Map<Integer, String> names = new HashMap<>();
      for (JsonNode object : drawn.path("objects")) {
        String name = object.get("name").textValue();
        names.put(object.get("_gvid").intValue(), name);
        assertThat(ids).as("%s", question).containsKey(name);
        // The label begins with the id, of files in parts.
        assertThat(object.get("label").textValue().replace("\\n", "").replace("\\\\", "\\"))
            .as("%s", question)
            .contains(ids.get(name).replaceFirst("^(job|user|exe):", "").replaceFirst(".*/", ""));
      }
      Set<Way> found = new HashSet<>();
      for (JsonNode edge : drawn.path("edges")) {
        String tail = names.get(edge.get("tail").intValue());
        String head = names.get(edge.get("head").intValue());
        found.add(new Way(Set.of(tail, head), edge.get("label").textValue()));
      }
      assertThat(names.values())
          .as("%s", question)
          .containsExactlyInAnyOrderElementsOf(ids.keySet());
      assertThat(found).as("%s", question).isEqualTo(ways);
      String[] counts = output("gc", "-n", "-e", file.toString()).strip().split("\\s+");
      assertThat(counts[0]).isEqualTo(String.valueOf(lineage.nodes().size()));
      assertThat(counts[1]).isEqualTo(String.valueOf(ways.size()));
      if (lineage.partial()) {
        assertThat(drawn.path("label").asText()).contains("partial");
      }
    }
  }

  private static Lineage answered(Map<String, Object> question) {
    int limit = (Integer) question.getOrDefault("limit", 5_000);
    String id = question.get("id").toString();
    try (GraphTransaction tx = campaign.database.begin()) {
      Provenance provenance = new Provenance(tx, tx.snapshot(), new LineageLimits(1_000, limit));
      return question.containsKey("direction")
          ? provenance.forward(id, Stamp.MAX)
          : provenance.backward(id);
    }
  }

  @Test
  void provFindsTheRecords() throws Exception {
    assumeTrue(
        succeeds("python3", "-c", "import prov"),
        "opening PROV-JSON needs the package prov in python3 on the PATH");
    Path file = saved("prov-json", "lineage.prov.json");
    String script =
        "import sys, prov.model as m; d = m.ProvDocument.deserialize(sys.argv[1]);"
            + " print(len({r.identifier for t in (m.ProvEntity, m.ProvActivity, m.ProvAgent)"
            + " for r in d.get_records(t)}))";
    int found = Integer.parseInt(output("python3", "-c", script, file.toString()).strip());
    int written = 0;
    JsonNode document = JSON.readTree(file.toFile());
    for (String kind : List.of("entity", "activity", "agent")) {
      written += document.path(kind).size();
    }
    assertThat(found).isEqualTo(written).isGreaterThanOrEqualTo(ELEMENTS / 2);
  }

  @Test
  void theCrateIsValid() throws Exception {
    assumeTrue(
        succeeds("python3", "-c", "import rocrate, rocrate_validator"),
        "checking an RO-Crate needs roc-validator and rocrate in python3 on the PATH");
    Path file = saved("ro-crate", "ro-crate-metadata.json");
    assertThat(output("python3", "-c", VALIDATE, file.getParent().toString()))
        .endsWith("True []\nTrue []\n");
  }

  private static Path saved(String form, String name) throws Exception {
    return saved(form, form, name, Map.of("id", FIGURE));
  }

  private static Path saved(String form, String folder, String name, Map<String, Object> question)
      throws Exception {
    Map<String, Object> asked = new HashMap<>(question);
    asked.put("form", form);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + campaign.port() + "/ui/api/export"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(asked)))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Path file = Files.createDirectory(directory.resolve(folder)).resolve(name);
    return Files.writeString(file, JSON.readTree(answer.body()).get("text").textValue());
  }

  private static boolean succeeds(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String output(String... command) throws Exception {
    Path log = Files.createTempFile(directory, "tool", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String told = Files.readString(log, StandardCharsets.UTF_8);
    assertThat(ended && process.exitValue() == 0)
        .as("%s: %s", String.join(" ", command), told)
        .isTrue();
    return told;
  }
}
