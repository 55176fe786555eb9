package io.graphmeta.server.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration, its Gremlin, and the other commands over the database that it leaves. */
class DemoTest {
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String CONFIG = "/proj/hx01/config/model.cfg";

  @TempDir static Path directory;
  private static String db;
  private static Cli demo;

  @BeforeAll
  static void demonstrate() {
    System.setProperty("graphmeta.home", Path.of("src/main").toAbsolutePath().toString());
    db = directory.resolve("graph").toString();
    demo = Cli.run("demo", "--db", db);
    assertThat(demo.err()).isEmpty();
    assertThat(demo.exitCode()).isZero();
  }

  @AfterAll
  static void forget() {
    System.clearProperty("graphmeta.home");
  }

  @Test
  void every_query_of_the_demonstration_gives_its_answer() {
    List<DemoQuestion> questions;
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inDirectory(Path.of(db)))) {
      questions =
          Demonstration.run(database, new PrintWriter(new StringWriter()), Terminal.plain());
    }
    assertThat(questions).hasSize(5);
    for (DemoQuestion question : questions) {
      assertThat(question.lines()).as(question.title()).isNotEmpty();
      // As a person pastes it: the lines as they are printed.
      Cli answer = Cli.run("query", "--db", db, question.gremlin());
      assertThat(answer.err()).as(question.title()).isEmpty();
      assertThat(answer.lines())
          .as(question.title())
          .containsExactlyInAnyOrderElementsOf(question.lines());
      question.gremlin().lines().forEach(line -> assertThat(demo.out()).contains(line));
    }
  }

  @Test
  void demonstration_shows_what_happened() {
    assertThat(demo.out())
        .contains(
            "1. What does the final figure rest on?",
            "job 184330 plot1b of amira",
            "read 6 × /scratch/amira/sweep1/k0.0*/r*/result.txt",
            "by bjorn, job 184267",
            "by chen, job 184345")
        .contains(
            "24 files of 14 jobs", "6 programs below read the configuration as job:184267 left it");
  }

  @Test
  void demonstration_is_the_same_over_several_shards() {
    String several = directory.resolve("several").toString();
    Cli over = Cli.run("demo", "--db", several, "--shards", "3");
    assertThat(over.exitCode()).as(over.err()).isZero();
    assertThat(over.out().replace(several, db)).isEqualTo(demo.out());
    assertThat(Cli.run("status", "--db", several).out()).contains("shard 2");
  }

  @Test
  void lineage_is_one_json_object_a_line() throws IOException {
    Cli answer = Cli.run("lineage", "--db", db, "--json", FIGURE);
    assertThat(answer.exitCode()).isZero();
    int depth = 0;
    for (String line : answer.lines()) {
      JsonNode node = new ObjectMapper().readTree(line);
      assertThat(node.get("id").asText()).isNotEmpty();
      assertThat(node.get("label").asText()).isNotEmpty();
      String time = "2026-11-21T00:3\\d:\\d\\d\\.\\d{6}Z";
      assertThat(node.get("valid").asText()).matches(time);
      if (node.get("label").asText().equals("file")) {
        assertThat(node.get("version").asText()).matches(time + "|initial");
      }
      assertThat(node.get("depth").asInt()).isBetween(depth, depth + 1);
      assertThat(node.has("relation")).isEqualTo(node.get("depth").asInt() > 0);
      depth = node.get("depth").asInt();
    }
    assertThat(answer.lines()).hasSizeGreaterThan(80);
  }

  @Test
  void depth_and_limit_give_a_marked_part() {
    Cli shallow = Cli.run("lineage", "--db", db, "--depth", "2", FIGURE);
    assertThat(shallow.exitCode()).isZero();
    assertThat(shallow.out()).contains("summary.txt", "Partial").doesNotContain("model.cfg");
    assertThat(shallow.err()).contains("partial");
    Cli few = Cli.run("lineage", "--db", db, "--limit", "5", "--json", FIGURE);
    assertThat(few.lines()).hasSize(5);
    assertThat(few.err()).contains("partial");
  }

  @Test
  void as_of_tells_the_version_and_the_past() {
    Cli before =
        Cli.run("lineage", "--db", db, "--as-of", "2026-11-21T00:36:30Z", "--json", FIGURE);
    assertThat(before.out()).contains("job:184300/").doesNotContain("job:184330/");
    Cli early = Cli.run("lineage", "--db", db, "--as-of", "2026-11-21T00:34:00Z", FIGURE);
    assertThat(early.exitCode()).isEqualTo(1);
    assertThat(early.err().lines()).hasSize(1);
    assertThat(early.err()).contains(FIGURE);
    Cli forward =
        Cli.run("lineage", "--db", db, "--forward", "--as-of", "2026-11-21T00:35:30Z", CONFIG);
    assertThat(forward.out()).contains("/scratch/chen/catalog.txt").doesNotContain("184264");
  }

  @Test
  void history_tells_versions_and_readers() {
    Cli changes = Cli.run("history", "--db", db, CONFIG);
    assertThat(changes.out())
        .contains("written by bjorn, job 184267 tune", "written by bjorn, job 184290 putback");
    Cli all = Cli.run("history", "--db", db, "--reads", "--json", CONFIG);
    assertThat(all.lines())
        .hasSize(50)
        .allSatisfy(line -> assertThat(line).contains("\"operation\":"));
    Cli job = Cli.run("history", "--db", db, "job:184413");
    assertThat(job.out()).contains("set state = RUNNING", "set state = TIMEOUT");
    Cli none = Cli.run("history", "--db", db, "/no/such/file");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("'/no/such/file'");
  }

  @Test
  void query_prints_results_only() throws IOException {
    assertThat(Cli.run("query", "--db", db, "g.V().hasLabel('job').count()").lines())
        .containsExactly("79");
    assertThat(
            Cli.run("query", "--db", db, "g.V().hasLabel('user').values('name').order().toList()")
                .lines())
        .containsExactly("amira", "bjorn", "chen");
    assertThat(
            Cli.run(
                    "query",
                    "--db",
                    db,
                    "--as-of",
                    "2026-11-21T00:33:50Z",
                    "g.V().hasLabel('user').count()")
                .lines())
        .containsExactly("1");
    assertThat(
            Cli.run(
                    "query",
                    "--db",
                    db,
                    "g.with('asOf','2026-11-21T00:33:50Z').V().hasLabel('user').count()")
                .lines())
        .containsExactly("1");
    for (String line :
        Cli.run(
                "query",
                "--db",
                db,
                "--json",
                "g.V('job:184267').union(elementMap(), bothE().limit(2), identity(), values())")
            .lines()) {
      assertThat(new ObjectMapper().readTree(line)).isNotNull();
    }
  }

  @Test
  void query_writes_only_when_told() {
    Cli refused = Cli.run("query", "--db", db, "g.addV('note').property(id,'note:1')");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("--write");
    assertThat(Cli.run("query", "--db", db, "g.V('note:1').count()").lines()).containsExactly("0");
    assertThat(
            Cli.run("query", "--db", db, "--write", "g.addV('note').property(id,'note:1')")
                .exitCode())
        .isZero();
    assertThat(Cli.run("query", "--db", db, "g.V('note:1').count()").lines()).containsExactly("1");
    Path file = directory.resolve("out.xml");
    Cli io = Cli.run("query", "--db", db, "--write", "g.io('" + file + "').write().iterate()");
    assertThat(io.exitCode()).isEqualTo(1);
    assertThat(file).doesNotExist();
  }

  @Test
  void errors_are_one_line_and_change_nothing() {
    Cli syntax = Cli.run("query", "--db", db, "g.V(.count()");
    assertThat(syntax.exitCode()).isEqualTo(1);
    assertThat(syntax.out()).isEmpty();
    assertThat(syntax.err().lines()).hasSize(1);
    Cli usage = Cli.run("query", "g.V()");
    assertThat(usage.exitCode()).isEqualTo(2);
    assertThat(usage.err()).contains("--db");
    Cli time = Cli.run("lineage", "--db", db, "--as-of", "yesterday", FIGURE);
    assertThat(time.exitCode()).isEqualTo(2);
    assertThat(time.err()).contains("yesterday", "ISO-8601");
    Path nowhere = directory.resolve("nowhere");
    Cli missing = Cli.run("check", "--db", nowhere.toString());
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).contains("There is no database at " + nowhere);
    assertThat(nowhere).doesNotExist();
    assertThat(Cli.run().exitCode()).isEqualTo(2);
    assertThat(Cli.run("load").exitCode()).isEqualTo(2);
  }

  @Test
  void load_goes_on_after_a_damaged_log_and_fails() throws IOException {
    Path logs = java.nio.file.Files.createDirectories(directory.resolve("logs"));
    List<Path> sample;
    try (var files = java.nio.file.Files.list(Path.of("src/main/sample/campaign/logs"))) {
      sample = files.sorted().limit(3).toList();
    }
    for (Path log : sample) {
      java.nio.file.Files.copy(log, logs.resolve(log.getFileName()));
    }
    byte[] bytes = java.nio.file.Files.readAllBytes(sample.get(0));
    java.nio.file.Files.write(logs.resolve("a.darshan"), java.util.Arrays.copyOf(bytes, 900));
    String other = directory.resolve("other").toString();
    Cli load = Cli.run("load", "darshan", "--db", other, "--json", logs.toString());
    assertThat(load.exitCode()).isEqualTo(1);
    assertThat(load.out()).contains("\"loaded\":3", "\"failed\":1");
    assertThat(load.err()).contains("a.darshan", "offset");
    Cli again =
        Cli.run(
            "load", "darshan", "--db", other, logs.resolve(sample.get(0).getFileName()).toString());
    assertThat(again.exitCode()).isZero();
    assertThat(again.out())
        .contains("0 loaded, 1 there already, 0 failed; 0 vertices and 0 edges added");
    Cli jobs = Cli.run("load", "sacct", "--db", other, "src/main/sample/campaign/sacct.txt");
    assertThat(jobs.out()).contains("79 jobs: 79 loaded");
    assertThat(Cli.run("load", "sacct", "--db", other, "src/main/sample/campaign/sacct.txt").out())
        .contains("79 there already");
  }

  @Test
  void check_and_status_agree() throws IOException {
    Cli check = Cli.run("check", "--db", db, "--json");
    assertThat(check.exitCode()).isZero();
    JsonNode report = new ObjectMapper().readTree(check.out());
    JsonNode status = new ObjectMapper().readTree(Cli.run("status", "--db", db, "--json").out());
    long vertices = 0;
    for (JsonNode count : status.get("vertices")) {
      vertices += count.asLong();
    }
    assertThat(report.get("clean").asBoolean()).isTrue();
    assertThat(report.get("vertices").asLong()).isEqualTo(vertices);
    assertThat(Cli.run("check", "--db", db).out()).contains("clean");
  }

  @Test
  void help_is_there_for_every_command() {
    for (String command :
        List.of("demo", "load", "query", "lineage", "history", "status", "check")) {
      Cli help = Cli.run(command, "--help");
      assertThat(help.exitCode()).as(command).isZero();
      assertThat(help.out()).as(command).contains("Usage: graphmeta " + command);
    }
    assertThat(Cli.run("load", "darshan", "--help").out()).contains("Example", "--processes");
    assertThat(Cli.run("--help").out()).contains("Exit codes");
  }
}
