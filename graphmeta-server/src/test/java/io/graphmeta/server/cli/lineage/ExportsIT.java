package io.graphmeta.server.cli.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.export.HostileGraph;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Exports of the command line, opened by Graphviz, Mermaid, Python's prov, roc-validator and the
 * schema of OpenLineage: each finds the elements and links of {@code --json}, in the sample
 * campaign and in graphs with names that are hard to write down. Faults that are planted are found.
 * {@code src/test/exports/run} does the work, and can be called by hand.
 */
final class ExportsIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int GRAPHS = Integer.getInteger("graphmeta.sequences", 2);
  private static final Path BASE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path WORK = BASE.resolve("target/exports");
  private static final Path CASES = WORK.resolve("cases");
  private static final String SAMPLE = BASE.resolve("src/main/sample/campaign").toString();
  private static final List<String> TOOLS = List.of("bash", "python3", "node", "npm");
  private static final List<String> FORMS =
      List.of("dot", "mermaid", "prov-json", "ro-crate", "openlineage");
  private static final int LIMIT_MINUTES = 10;

  @BeforeAll
  static void requireTools() throws IOException {
    for (String tool : TOOLS) {
      assumeTrue(isInstalled(tool), () -> "the tests of exports need " + tool + " on the PATH");
    }
    clear(WORK.resolve("data"));
    clear(CASES);
  }

  @Test
  void theirToolsFindTheSameElementsAndLinks() throws Exception {
    int agreeing = sample();
    for (int i = 0; i < GRAPHS; i++) {
      agreeing += hostile(SEED + i);
    }
    int planted = plantFaults();
    Path log = WORK.resolve("run.log");
    Process process =
        new ProcessBuilder(
                BASE.resolve("src/test/exports/run").toString(), WORK.toString(), CASES.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(ended).as("ended within %d minutes:%n%s", LIMIT_MINUTES, output).isTrue();
    assertThat(output)
        .as("seed %d", SEED)
        .contains(
            agreeing * FORMS.size()
                + " exports agree, "
                + planted
                + " planted faults found, 0 failed");
    assertThat(process.exitValue()).as(output).isZero();
  }

  private static int sample() throws IOException {
    String db = WORK.resolve("data/sample").toString();
    run("load", "sacct", SAMPLE + "/sacct.txt", "--db", db);
    run("load", "darshan", SAMPLE + "/logs", SAMPLE + "/logs_partial", "--db", db);
    String figure = "/scratch/amira/sweep1/figure.svg";
    ask("figure", false, "lineage", "--db", db, figure);
    ask("partial", false, "lineage", "--db", db, "--limit", "20", figure);
    ask("job", false, "lineage", "--db", db, "job:184330");
    ask("config", true, "impact", "--db", db, "/proj/hx01/config/model.cfg");
    ask("mesh", true, "lineage", "--forward", "--db", db, "/proj/hx01/mesh/mesh_C.msh");
    return 5;
  }

  private static int hostile(long seed) throws IOException {
    Path db = WORK.resolve("data/" + seed);
    List<String> questions;
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inDirectory(db))) {
      questions = HostileGraph.write(database, seed);
    }
    int cases = 0;
    for (String id : questions) {
      ask(seed + "-" + cases++, false, "lineage", "--db", db.toString(), "--", id);
      ask(seed + "-" + cases++, true, "lineage", "--forward", "--db", db.toString(), "--", id);
    }
    return cases;
  }

  private static void ask(String name, boolean forward, String... command) throws IOException {
    Path directory = Files.createDirectories(CASES.resolve(name));
    Files.writeString(directory.resolve("direction"), forward ? "forward" : "backward");
    Files.writeString(directory.resolve("answer.jsonl"), inForm("json", command));
    for (String form : FORMS) {
      Files.writeString(directory.resolve("lineage." + form), inForm(form, command));
    }
  }

  private static String inForm(String form, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(1, List.of("--format", form));
    return run(words.toArray(String[]::new));
  }

  /** What a wrong writer would have written: the check of the tool has to find each. */
  private static int plantFaults() throws IOException {
    plant("dot-link-dropped", text -> text.replaceFirst(" {2}n\\d+ -> n\\d+ .*\n", ""));
    plant("dot-link-turned", text -> text.replaceFirst("(n\\d+) -> (n\\d+)", "$2 -> $1"));
    plant("dot-quote", text -> text.replaceFirst("label=\"/", "label=\"/\""));
    plant("dot-backslash", text -> text.replaceFirst("label=\"/", "label=\"/\\\\N"));
    plant("mermaid-link-dropped", text -> text.replaceFirst(" {2}n\\d+ -->.*\n", ""));
    plant("mermaid-link-turned", text -> text.replaceFirst("(n\\d+) (-->.*) (n\\d+)", "$3 $2 $1"));
    plant("mermaid-quote", text -> text.replaceFirst("\\[\"/", "[\"/\""));
    plant("mermaid-markup", text -> text.replaceFirst("\\[\"/", "[\"/<b>"));
    plant(
        "prov-json-link-dropped",
        text ->
            text.replaceFirst("(\"wasGeneratedBy\" : \\{\\s*)\"_:s\\d+\" : \\{[^}]*\\},", "$1"));
    plant(
        "prov-json-link-turned",
        text ->
            text.replaceFirst("\"prov:generatedEntity\"", "\"prov:OTHER\"")
                .replaceFirst("\"prov:usedEntity\"", "\"prov:generatedEntity\"")
                .replaceFirst("\"prov:OTHER\"", "\"prov:usedEntity\""));
    plant(
        "prov-json-time",
        text -> text.replaceFirst("startTime\" : \"2026", "startTime\" : \"2025"));
    plant("ro-crate-profile", text -> text.replaceAll("\"instrument\"", "\"tool\""));
    plant("ro-crate-link-turned", text -> text.replaceFirst("\"object\"", "\"result\""));
    plant("openlineage-schema", text -> text.replaceFirst("\"eventTime\"", "\"time\""));
    plant(
        "openlineage-link-turned",
        text -> text.replace("\"inputs\":[]", "").replaceFirst("\"outputs\"", "\"inputs\""));
    plant("openlineage-run", text -> text.replaceFirst("\"runId\":\"", "\"runId\":\"x"));
    return 16;
  }

  private static void plant(String fault, UnaryOperator<String> edit) throws IOException {
    Path directory = Files.createDirectories(CASES.resolve("planted-" + fault));
    try (Stream<Path> files = Files.list(CASES.resolve("figure"))) {
      for (Path file : files.toList()) {
        String text = Files.readString(file);
        String form = file.getFileName().toString().replaceFirst("lineage\\.", "");
        String written = fault.startsWith(form) ? edit.apply(text) : text;
        if (fault.startsWith(form)) {
          assertThat(written).as(fault).isNotEqualTo(text);
        }
        Files.writeString(directory.resolve(file.getFileName()), written);
      }
    }
  }

  private static String run(String... arguments) {
    Cli answer = Cli.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", String.join(" ", arguments), answer.err()).isZero();
    return answer.out();
  }

  private static void clear(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    Files.createDirectories(directory);
  }

  private static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
  }
}
