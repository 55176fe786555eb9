package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.export.HostileGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 4);
  private static final List<String> FORMS = List.of("prov-json", "openlineage");
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
      Path db = directory.resolve("hostile" + round);
      List<String> questions;
      try (GraphDatabase database = GraphDatabase.open(GraphMetaConfig.inDirectory(db))) {
        questions = HostileGraph.write(database, seed);
      }
      for (String form : FORMS) {
        comesBack("seed " + seed, form, db.toString(), "lineage", questions.get(0));
        comesBack("seed " + seed, form, db.toString(), "impact", questions.get(1));
        comesBack("seed " + seed, form, db.toString(), "lineage", questions.get(2));
      }
    }
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
    assertThat(without(wanted, found)).as("%s as %s, missing", what, form).isEmpty();
    assertThat(without(found, wanted)).as("%s as %s, more", what, form).isEmpty();
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
      rows.add(new ObjectMapper().readTree(line));
    }
    Set<String> known = new TreeSet<>();
    for (JsonNode row : rows) {
      known.add(name(row));
      for (JsonNode link : row.path("links")) {
        JsonNode other = rows.get(link.path("to").asInt());
        // Which of two versions of the same microsecond is the newest, documents do not tell.
        if (row.path("id").equals(other.path("id"))
            && row.path("version").equals(other.path("version"))) {
          continue;
        }
        known.add(name(row) + "\n  " + link.path("relation").asText() + " " + name(other));
      }
    }
    return known;
  }

  private static String name(JsonNode row) {
    return row.path("label").asText()
        + " "
        + row.path("id").asText()
        + " "
        + row.path("version").asText()
        + " "
        + row.path("writer").asText();
  }

  private static String run(String... arguments) {
    Cli answer = Cli.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", String.join(" ", arguments), answer.err()).isZero();
    return answer.out();
  }
}
