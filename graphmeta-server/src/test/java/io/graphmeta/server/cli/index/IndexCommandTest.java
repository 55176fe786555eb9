package io.graphmeta.server.cli.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index over the sample campaign, from its creation to its end. */
class IndexCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SAMPLE = "src/main/sample/campaign/";
  private static final String QUERY =
      "g.V().hasLabel('file').has('name', containing('mesh')).values('name').order()";

  @TempDir Path directory;
  private String db = "";

  @BeforeEach
  void load() {
    db = directory.resolve("sample.db").toString();
    // What is indexed is up to each test.
    ok("load", "sacct", "--db", db, "--shards", "2", "--no-indexes", SAMPLE + "sacct.txt");
    ok("load", "darshan", "--db", db, SAMPLE + "logs");
  }

  private static Cli ok(String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isZero();
    return run;
  }

  private static Cli bad(int exitCode, String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isEqualTo(exitCode);
    return run;
  }

  @Test
  void anIndexIsCreatedAskedListedAndDropped() throws IOException {
    String without = ok("query", "--db", db, QUERY).out();
    assertThat(without.lines()).hasSizeGreaterThan(2);
    assertThat(ok("index", "list", "--db", db).err()).contains("There is no index", "create");
    Cli created =
        ok("index", "create", "file.name", "--kind", "exact,fragment", "--db", db, "--wait");
    assertThat(created.out())
        .isEqualTo("index file.name (exact,fragment) created; it is built on 2 shards\n");
    assertThat(created.err()).isEmpty();
    assertThat(ok("query", "--db", db, QUERY).out()).isEqualTo(without);
    assertThat(ok("query", "--db", db, QUERY + ".explain()").out())
        .contains("index file.name containing 'mesh'");
    JsonNode listed = JSON.readTree(ok("index", "list", "--db", db, "--json").out());
    assertThat(listed.get("name").asText()).isEqualTo("file.name");
    assertThat(listed.get("kinds")).hasSize(2);
    assertThat(listed.get("shards")).hasSize(2);
    assertThat(listed.get("built").asBoolean()).isTrue();
    assertThat(ok("index", "list", "--db", db).out())
        .startsWith("file.name ")
        .contains("exact,fragment", "built, at most");
    assertThat(ok("status", "--db", db).out()).contains("index  file.name");
    assertThat(JSON.readTree(ok("status", "--db", db, "--json").out()).get("indexes")).hasSize(1);
    assertThat(ok("index", "check", "file.name", "--db", db).out())
        .startsWith("file.name ")
        .endsWith("versions compared: 0 missing, 0 wider, 0 surplus; clean\n");
    JsonNode checked = JSON.readTree(ok("index", "check", "--db", db, "--json").out());
    assertThat(checked.get("name").asText()).isEqualTo("file.name");
    assertThat(checked.get("clean").asBoolean()).isTrue();
    assertThat(checked.get("shards")).hasSize(2);
    assertThat(checked.get("shards").get(1).get("versions").asLong()).isPositive();
    assertThat(checked.get("shards").get(1).get("missing").asLong()).isZero();
    String check = "g.call('graphmeta.index', ['do': 'check']).select('clean')";
    assertThat(ok("query", "--db", db, check).out()).contains("true");
    assertThat(ok("index", "rebuild", "file.name", "--db", db, "--wait").out())
        .contains("built anew", "2 shards");
    assertThat(ok("query", "--db", db, QUERY).out()).isEqualTo(without);
    assertThat(ok("index", "drop", "file.name", "--db", db).out())
        .isEqualTo("index file.name dropped\n");
    assertThat(ok("index", "list", "--db", db, "--json").out()).isEmpty();
    assertThat(ok("query", "--db", db, QUERY).out()).isEqualTo(without);
    assertThat(ok("check", "--db", db).out()).endsWith("clean\n");
  }

  @Test
  void searchFindsByWordsNowAndInThePast() throws IOException {
    assertThat(bad(1, "search", "model", "--db", db).err())
        .contains("No index can be asked for 'model'", "graphmeta index create");
    ok("index", "create", "file.id", "--kind", "path", "--db", db, "--wait");
    assertThat(ok("search", "model cfg", "--db", db, "--limit", "50").lines())
        .isNotEmpty()
        .allMatch(
            line -> line.startsWith("file ") && line.contains("model") && line.contains("cfg"));
    assertThat(ok("search", "model cfg", "--db", db, "--facet", "label").out()).contains("file");
    assertThat(ok("search", "model cfg", "--db", db, "--limit", "1", "--json").out())
        .contains("\"matched\"", "\"label\":\"file\"");
    assertThat(ok("search", "model", "--db", db, "--as-of", "1999-01-01").err())
        .contains("Nothing was found");
    assertThat(bad(1, "search", "(model", "--db", db).err()).contains("(model", "cannot be read");
  }

  @Test
  void searchTellsFromWhenUntilWhenAndOfWhatWasDeleted() {
    ok("index", "create", "file.id", "--kind", "path", "--db", db, "--wait");
    ok("query", "--write", "--db", db, "g.V('/home/amira/sedKRpMYu').drop()");
    String scratch = "\"/home/amira/sedKRpMYu\"";
    assertThat(ok("search", scratch, "--db", db).err()).contains("Nothing was found");
    assertThat(ok("search", scratch, "--db", db, "--during", "2026-11-21..2026-11-22").lines())
        .hasSize(2)
        .anyMatch(line -> line.matches(" +from 2026-11-21T00:36:4\\S+Z until \\S+Z"));
    assertThat(
            ok("search", scratch, "--db", db, "--during", "2026-11-21..2026-11-22", "--json").out())
        .contains("\"intervals\":[{\"from\":\"2026-11-21T00:36:4");
    assertThat(
            ok("search", "sedKRpMYu model.cfg", "--db", db, "--during", "2026-11-21..2026-11-22")
                .err())
        .isEqualTo("Nothing was found\n");
    assertThat(
            ok(
                "search",
                "model.cfg",
                "--db",
                db,
                "--during",
                "2026-11-20..2026-11-22",
                "--limit",
                "1"))
        .satisfies(
            run -> assertThat(run.lines().get(1)).matches(" +from 2026-11-21T\\S+Z on"),
            run -> assertThat(run.err()).contains("The answer is partial"));
    assertThat(bad(2, "search", scratch, "--db", db, "--during", "2026-11-21").err())
        .contains("'2026-11-21' is no window; expected two times");
    assertThat(bad(1, "search", scratch, "--db", db, "--during", "2026-11-22..2026-11-21").err())
        .contains("expected a first time that is not after the second");
  }

  @Test
  void searchShowsWhatItFoundInColourOnATerminalOnly() {
    assumeThat(System.getenv("NO_COLOR")).isNull();
    assumeThat(System.getenv("TERM")).isNotEqualTo("dumb");
    ok("index", "create", "file.id", "--kind", "path", "--db", db, "--wait");
    ok("index", "create", "process.commandLine", "--kind", "command", "--db", db, "--wait");
    String plain = ok("search", "\"--save\"", "--db", db).out();
    assertThat(plain)
        .contains("  commandLine: [python3 /home/bjorn/tune.py")
        .doesNotContain("\u001b");
    String before = System.setProperty("graphmeta.terminal", "out");
    try {
      assertThat(ok("search", "\"--save\"", "--db", db).out())
          .contains(" \u001b[36m--save\u001b[0m /home/bjorn/model.cfg.save");
      assertThat(ok("search", "sedKRpMYu", "--db", db).out())
          .contains("\u001b[1m/home/amira/\u001b[0m\u001b[36msedKRpMYu\u001b[0m");
    } finally {
      if (before == null) {
        System.clearProperty("graphmeta.terminal");
      } else {
        System.setProperty("graphmeta.terminal", before);
      }
    }
  }

  @Test
  void mistakesSayWhatToType() throws IOException {
    assertThat(bad(2, "index").err()).contains("create, list, check, drop or rebuild");
    assertThat(bad(2, "index", "create", "--db", db).err()).contains("NAME");
    assertThat(bad(1, "index", "create", "name", "--db", db).err())
        .contains("'name'", "LABEL.KEY", "file.name");
    assertThat(bad(1, "index", "create", "file.name", "--kind", "exat", "--db", db).err())
        .contains("'exat'", "exact, range, fragment");
    assertThat(ok("index", "check", "--db", db).err()).contains("There is no index", "create");
    assertThat(bad(1, "index", "check", "file.name", "--db", db).err())
        .contains("no index 'file.name'", "there is none");
    assertThat(bad(1, "index", "drop", "file.name", "--db", db).err())
        .contains("no index 'file.name'", "there is none");
    Cli typo = ok("index", "create", "flie.name", "--db", db, "--json");
    assertThat(JSON.readTree(typo.out()).get("defined").get(0).asText()).isEqualTo("flie");
    assertThat(ok("index", "create", "jbo.name", "--db", db).err())
        .contains("No vertex has had 'jbo'");
    assertThat(bad(1, "index", "create", "flie.name", "--db", db).err())
        .contains("'flie.name' is there since", "rebuild", "drop");
    assertThat(bad(1, "index", "rebuild", "file.name", "--db", db).err())
        .contains("flie.name", "jbo.name");
    String create = "g.call('graphmeta.index', ['do': 'create', 'name': 'file.name'])";
    assertThat(bad(1, "query", "--db", db, create).err()).contains("--write");
    assertThat(ok("query", "--db", db, "g.call('graphmeta.index').select('name')").lines())
        .containsExactly("flie.name", "jbo.name");
    assertThat(ok("query", "--db", db, "--write", create).out()).contains("file.name");
  }
}
