package io.graphmeta.server.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.export.ExportFormat;
import io.graphmeta.server.export.HostileGraph;
import io.graphmeta.server.export.LineageGraph;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.TraceIngest;
import io.graphmeta.server.ingest.trace.OpenLineageReader;
import io.graphmeta.server.ingest.trace.ProvReader;
import io.graphmeta.server.ingest.trace.TraceLimits;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lineage that was exported as PROV-JSON or OpenLineage, and loaded into a new database, is
 * answered there with the same elements and links.
 */
final class RoundTripTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 1);
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 60);
  private static final List<String> FORMS = List.of("prov-json", "openlineage");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SAMPLE =
      Path.of("src/main/sample/campaign").toAbsolutePath().toString();

  @TempDir private Path directory;

  @Test
  void theSampleComesBack() throws IOException {
    String db = directory.resolve("sample").toString();
    run("load", "sacct", SAMPLE + "/sacct.txt", "--db", db);
    run("load", "darshan", SAMPLE + "/logs", SAMPLE + "/logs_partial", "--db", db);
    for (String form : FORMS) {
      comesBack("figure", form, db, "lineage", "/scratch/amira/sweep1/figure.svg");
      comesBack("clean", form, db, "lineage", "/scratch/amira/sweepC/summary_clean.txt");
      comesBack("mesh", form, db, "impact", "/proj/hx01/mesh/mesh_C.msh");
      comesBack("config", form, db, "impact", "/proj/hx01/config/model.cfg");
    }
  }

  @Test
  void hardNamesComeBack() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
        List<String> questions = HostileGraph.write(database, seed);
        for (ExportFormat form : List.of(ExportFormat.PROV_JSON, ExportFormat.OPENLINEAGE)) {
          comesBack(seed, form, database, false, questions.get(0));
          comesBack(seed, form, database, true, questions.get(1));
          comesBack(seed, form, database, false, questions.get(2));
        }
      }
    }
  }

  /** The same without the command line, for many graphs in little time. */
  private void comesBack(
      long seed, ExportFormat form, GraphDatabase database, boolean forward, String id)
      throws IOException {
    String what = "seed " + seed + " as " + form + (forward ? ", forward" : "");
    Lineage wanted = lineage(database, forward, id);
    if (wanted.nodes().size() == 1) {
      return; // Nothing rests on the newest version of that file, and no run would be written down.
    }
    Path export = directory.resolve("export");
    Files.writeString(export, written(new LineageGraph(wanted, forward), form));
    List<TracedRun> runs =
        form == ExportFormat.PROV_JSON
            ? ProvReader.read(export, TraceLimits.DEFAULT, 0)
            : OpenLineageReader.read(
                export,
                TraceLimits.DEFAULT,
                failure -> {
                  throw new AssertionError(what, failure);
                });
    try (GraphDatabase copy = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      TraceIngest ingest = new TraceIngest(copy);
      for (TracedRun run : runs) {
        assertThat(ingest.load(run).loaded()).as(what).isEqualTo(1);
      }
      for (TracedRun run : runs) {
        LoadResult again = ingest.load(run);
        assertThat(again).as("%s, again", what).isEqualTo(new LoadResult(0, 1, 0, 0));
      }
      assertSame(what, known(wanted), known(lineage(copy, forward, id)));
    }
  }

  private static Lineage lineage(GraphDatabase database, boolean forward, String id) {
    try (GraphTransaction tx = database.begin()) {
      Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
      return forward ? provenance.forward(id, tx.snapshot().validAt()) : provenance.backward(id);
    }
  }

  private static String written(LineageGraph graph, ExportFormat form) throws IOException {
    ExportFormat.Document.Json document =
        (ExportFormat.Document.Json) form.write(graph, Instant.EPOCH);
    StringBuilder text = new StringBuilder();
    for (Map<String, Object> object : document.objects()) {
      text.append(JSON.writeValueAsString(object)).append('\n');
    }
    return text.toString();
  }

  /** Elements and links. */
  private static Set<String> known(Lineage lineage) {
    Set<String> known = new TreeSet<>();
    lineage.nodes().forEach(node -> known.add(name(node)));
    for (Lineage.Link link : lineage.links()) {
      LineageNode from = lineage.nodes().get(link.from());
      LineageNode to = lineage.nodes().get(link.to());
      if (!isSameMoment(from.id(), version(from), to.id(), version(to))) {
        known.add(name(from) + "\n  " + link.relation() + " " + name(to));
      }
    }
    return known;
  }

  private static String name(LineageNode node) {
    return node.label() + " " + node.id() + " " + version(node) + " " + node.writer();
  }

  private static String version(LineageNode node) {
    boolean isFile = node.fate() != null;
    return !isFile ? "" : node.writer() == null ? "initial" : Long.toString(node.versionMicros());
  }

  /** Which of two versions of the same microsecond is the newest, documents do not tell. */
  private static boolean isSameMoment(String id, String version, String otherId, String other) {
    return id.equals(otherId) && version.equals(other);
  }

  private void comesBack(String what, String form, String db, String command, String id)
      throws IOException {
    Path export = directory.resolve("export." + form);
    Files.writeString(export, run(command, "--db", db, "--format", form, "--", id));
    Path copy = Files.createTempDirectory(directory, "copy");
    String source = form.equals("prov-json") ? "prov" : form;
    String loaded = run("load", source, export.toString(), "--db", copy.toString());
    assertThat(loaded).as(what).contains(" 0 there already, 0 failed");
    String again = run("load", source, export.toString(), "--db", copy.toString());
    assertThat(again).as(what).contains(" 0 loaded, ", " 0 failed; 0 vertices and 0 edges added");
    Set<String> wanted = known(run(command, "--db", db, "--json", "--", id));
    Set<String> found = known(run(command, "--db", copy.toString(), "--json", "--", id));
    assertSame(what + " as " + form, wanted, found);
  }

  private static void assertSame(String what, Set<String> wanted, Set<String> found) {
    assertThat(without(wanted, found)).as("%s, missing", what).isEmpty();
    assertThat(without(found, wanted)).as("%s, more", what).isEmpty();
  }

  private static Set<String> without(Set<String> all, Set<String> others) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(others);
    return left;
  }

  /** Elements and links of an answer. */
  private static Set<String> known(String answer) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    for (String line : answer.split("\n")) {
      rows.add(JSON.readTree(line));
    }
    Set<String> known = new TreeSet<>();
    for (JsonNode row : rows) {
      known.add(name(row));
      for (JsonNode link : row.path("links")) {
        JsonNode other = rows.get(link.path("to").asInt());
        if (!isSameMoment(
            text(row, "id"), text(row, "version"), text(other, "id"), text(other, "version"))) {
          known.add(name(row) + "\n  " + link.path("relation").asText() + " " + name(other));
        }
      }
    }
    return known;
  }

  private static String name(JsonNode row) {
    return text(row, "label")
        + " "
        + text(row, "id")
        + " "
        + text(row, "version")
        + " "
        + text(row, "writer");
  }

  private static String text(JsonNode row, String key) {
    return row.path(key).asText();
  }

  private static String run(String... arguments) {
    Cli answer = Cli.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", String.join(" ", arguments), answer.err()).isZero();
    return answer.out();
  }
}
