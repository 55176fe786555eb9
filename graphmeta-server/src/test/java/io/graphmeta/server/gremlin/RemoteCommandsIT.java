package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.server.ingest.Contents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask a running server answer as they do on its database. */
final class RemoteCommandsIT {
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String THEN = "2026-11-21T00:35:30Z";

  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("query", "g.V().hasLabel('job').order().by(id).id()"),
          List.of("query", "g.V().hasLabel('job').order().by(id).limit(2)"),
          List.of("query", "g.V().hasLabel('job').order().by(id).limit(2).path()"),
          List.of("query", "g.V().hasLabel('user').order().by(id).valueMap()"),
          List.of("query", "--json", "g.V().order().by(id).limit(3)"),
          List.of("query", "--json", "g.E().order().by(id).limit(3).elementMap()"),
          List.of("query", "--as-of", THEN, "g.V().count()"),
          List.of("query", "--known-at", "1999-01-01T00:00:00Z", "g.V().count()"),
          List.of("query", "g.V().groupCount().by(label).order(local).by(keys)"),
          List.of("query", "g.V().limit(2).count().next()"),
          List.of("lineage", FIGURE),
          List.of("lineage", "--json", FIGURE),
          List.of("lineage", "--as-of", THEN, FIGURE),
          List.of("lineage", "--forward", "--as-of", THEN, CONFIG),
          List.of("lineage", "--limit", "5", FIGURE),
          List.of("lineage", "job:184330"),
          List.of("impact", CONFIG),
          List.of("impact", "--at", THEN, CONFIG),
          List.of("impact", "--json", "--file-version", "initial", CONFIG),
          List.of("history", CONFIG),
          List.of("history", "--reads", "--since", THEN, CONFIG),
          List.of("history", "--json", CONFIG),
          List.of("history", "--as-of", THEN, "job:184267"),
          List.of("diff", "job:184267", "job:184268"),
          List.of("diff", "--json", "--from", THEN, CONFIG),
          List.of("check"),
          List.of("check", "--json"),
          List.of("top"),
          List.of("top", "--by", "file", "--order", "files", "--since", THEN, "--limit", "3"),
          List.of("top", "--json", "--by", "project", "--as-of", THEN),
          // What is refused is refused alike.
          List.of("top", "--by", "nobody"),
          List.of("report", "--html", "nothing.html", "1"),
          List.of("query", "g.addV('note')"),
          List.of("query", "g.V().drop()"),
          List.of("query", "g.V().nothing()"),
          List.of("query", "g"),
          List.of("query", "g.V().limit(-5)"),
          List.of("query", "--as-of", "nonsense", "g.V()"),
          List.of("lineage", "/nothing"),
          List.of("impact", "job:184330"),
          List.of("history", "/nothing"),
          List.of("diff", "job:184267"));

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  private Outcome run(String... arguments) throws Exception {
    return new Launcher(directory)
        .run(Launcher.FILE, Map.of("HOME", directory.toString()), "", arguments);
  }

  @Test
  void answersAreThoseOfTheDatabaseItself() throws Exception {
    String db = directory.resolve("db").toString();
    assertThat(run("demo", "--db", db).exitCode()).isZero();
    List<String> counts = counts(run("status", "--db", db));
    JsonNode placement = placement(run("status", "--db", db, "--hot", "--json"));
    List<Outcome> local = new ArrayList<>();
    for (List<String> question : QUESTIONS) {
      local.add(ask(List.of("--db", db), question));
    }
    String page = directory.resolve("job.html").toString();
    assertThat(run("report", "--db", db, "--html", page, "184229").exitCode()).isZero();
    String report = Files.readString(Path.of(page));
    try (ServerProcess server = ServerProcess.withLogIn(directory, "")) {
      String address = "127.0.0.1:" + server.port;
      assertThat(run("report", "--connect", address, "--html", page, "job:184229").exitCode())
          .isZero();
      assertThat(Files.readString(Path.of(page))).isEqualTo(report).contains("ckpt.dat");
      for (int i = 0; i < QUESTIONS.size(); i++) {
        Outcome remote = ask(List.of("--connect", address), QUESTIONS.get(i));
        assertThat(answer(remote)).as("%s", QUESTIONS.get(i)).isEqualTo(answer(local.get(i)));
        assertThat(remote.exitCode()).isEqualTo(local.get(i).exitCode());
        assertThat(remote.errors().lines().count())
            .isEqualTo(local.get(i).errors().lines().count());
        assertThat(remote.errors()).doesNotContain("Exception", "java.", "tinkerpop");
      }
      assertThat(run("query", "--connect", address, "--profile", "g.V().out().count()").output())
          .contains("ms in all", "GraphMetaPlanStep");
      assertThat(counts(run("status", "--connect", address)))
          .hasSizeGreaterThan(9)
          .isEqualTo(counts);
      assertThat(placement(run("status", "--connect", address, "--hot", "--json")))
          .isEqualTo(placement);
      String logs = Launcher.HOME.resolve("sample/campaign/logs").toString();
      assertThat(run("load", "darshan", "--connect", address, "--shards", "2", logs))
          .matches(refused -> refused.exitCode() == 2)
          .extracting(Outcome::errors)
          .asString()
          .contains("--shards is for a database that is made here");
      String write = "g.addV('note').property(id,'note:1')";
      assertThat(run("query", "--connect", address, "--write", write).output())
          .isEqualTo("v[note:1]\n");
      assertThat(run("load", "darshan", "--connect", address, logs).output())
          .contains(" 0 loaded, 231 there already, 0 failed; 0 vertices and 0 edges added");
      assertThat(run("load", "darshan", "--db", db, "--shards=1", logs).errors())
          .endsWith("ask it: graphmeta load darshan --connect " + address + " " + logs + "\n");
      assertThat(run("status", "--hot", "--db", db).errors())
          .endsWith("ask it: graphmeta status --connect " + address + " --hot\n");
      whoFindsTheDatabaseHeldIsToldWhatToType(db, address);
      server.terminate();
    }
    assertThat(run("query", "--db", db, "g.V('note:1').label()").output()).isEqualTo("note\n");
    assertThat(Files.exists(Path.of(db, "listening.properties"))).isFalse();
  }

  /** Runs that other tools wrote down, with a line that nobody understands. */
  @Test
  void tracesAreLoadedAsTheyAreLocally() throws Exception {
    String db = directory.resolve("campaign").toString();
    assertThat(run("demo", "--db", db).exitCode()).isZero();
    String events = run("lineage", "--db", db, "--format", "openlineage", FIGURE).output();
    Path lines = Files.writeString(directory.resolve("events.jsonl"), events + "{]\n");
    String prov = run("lineage", "--db", db, "--format", "prov-json", FIGURE).output();
    Path document = Files.writeString(directory.resolve("prov.json"), prov);
    List<List<String>> loads =
        List.of(
            List.of("load", "openlineage", lines.toString()),
            List.of("load", "openlineage", lines.toString()),
            List.of("load", "prov", document.toString()));
    String local = directory.resolve("local").toString();
    try (ServerProcess server = ServerProcess.withLogIn(directory, "")) {
      for (List<String> load : loads) {
        Outcome here = load(load, "--db", local);
        Outcome there = load(load, "--connect", "127.0.0.1:" + server.port);
        assertThat(there).as("%s", load).isEqualTo(here);
        assertThat(here.exitCode()).as("%s", load).isEqualTo(load.contains("prov") ? 0 : 1);
      }
      assertThat(server.terminate()).isEqualTo(143);
    }
    String served = directory.resolve("db").toString();
    String now = "2026-11-22T00:00:00Z";
    assertThat(contents(local, now)).isNotEmpty().isEqualTo(contents(served, now));
    assertThat(run("lineage", "--db", served, FIGURE).output())
        .isEqualTo(run("lineage", "--db", local, FIGURE).output());
  }

  private static Set<String> contents(String db, String time) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(Path.of(db));
    try (GraphDatabase database = GraphDatabases.open(GraphDatabases.asCreated(config))) {
      return Contents.of(database, time);
    }
  }

  private Outcome load(List<String> load, String option, String where) throws Exception {
    List<String> words = new ArrayList<>(load);
    words.addAll(List.of(option, where));
    return run(words.toArray(String[]::new));
  }

  /** The lines of a status that count; of the rest some changes by itself. */
  private static List<String> counts(Outcome status) {
    return status
        .output()
        .lines()
        .filter(line -> line.startsWith("vertex ") || line.startsWith("edge "))
        .toList();
  }

  private static JsonNode placement(Outcome status) throws IOException {
    JsonNode placement = JSON.readTree(status.output()).get("placement");
    assertThat(placement.get("hottest")).hasSize(10);
    return placement;
  }

  /** Its lines; the keys of objects are in no order, as elements of drivers have theirs. */
  private static List<Object> answer(Outcome outcome) throws IOException {
    List<Object> lines = new ArrayList<>();
    for (String line : outcome.output().lines().toList()) {
      lines.add(line.startsWith("{\"") ? JSON.readTree(line) : line);
    }
    return lines;
  }

  private Outcome ask(List<String> where, List<String> question) throws Exception {
    List<String> all = new ArrayList<>(question);
    all.addAll(1, where);
    return run(all.toArray(String[]::new));
  }

  private void whoFindsTheDatabaseHeldIsToldWhatToType(String db, String address) throws Exception {
    Outcome held = run("query", "--json", "--db", db, "g.V('note:1').label()");
    assertThat(held.exitCode()).isEqualTo(1);
    assertThat(held.errors())
        .isEqualTo(
            "graphmeta: The database at "
                + db
                + " is served at "
                + address
                + "; ask it: graphmeta query --connect "
                + address
                + " --json 'g.V('\\''note:1'\\'').label()'\n");
    Path typed =
        Files.writeString(
            directory.resolve("typed.sh"),
            "\"$1\" " + held.errors().replaceFirst("(?s).*ask it: graphmeta ", ""));
    ProcessBuilder shell = new ProcessBuilder("sh", typed.toString(), Launcher.FILE.toString());
    shell.environment().put("HOME", directory.toString());
    shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = shell.redirectErrorStream(true).start();
    process.getOutputStream().close();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("\"note\"\n");
    assertThat(process.waitFor()).isZero();
  }
}
