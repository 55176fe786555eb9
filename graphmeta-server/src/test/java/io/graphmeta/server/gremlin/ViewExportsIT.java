package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  @Test
  void graphvizFindsTheElements() throws Exception {
    assumeTrue(succeeds("dot", "-V"), "opening DOT needs Graphviz: dot on the PATH");
    Path file = saved("dot", "lineage.dot");
    String plain = output("dot", "-Tplain", file.toString());
    assertThat(plain.lines().filter(line -> line.startsWith("node "))).hasSize(ELEMENTS);
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
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + campaign.port() + "/ui/api/export"))
                    .header("Content-Type", "application/json")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            JSON.writeValueAsString(Map.of("id", FIGURE, "form", form))))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    Path file = Files.createDirectory(directory.resolve(form)).resolve(name);
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
