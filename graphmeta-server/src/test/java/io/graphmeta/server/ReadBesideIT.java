package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask a database while another process has it open, or that they may not write. */
final class ReadBesideIT {
  private static final String COUNT = "g.V().hasLabel('file').count()";

  @TempDir private Path directory;
  private Path database;
  private Launcher launcher;

  @BeforeEach
  void load() throws Exception {
    database = directory.resolve("graph");
    launcher = new Launcher(directory);
    run(launcher, "load", "darshan", "--db", database.toString(), "--shards", "2", sample("logs"));
  }

  private static String sample(String name) {
    return Launcher.HOME.resolve("sample/campaign").resolve(name).toString();
  }

  private static String run(Launcher launcher, String... command) throws Exception {
    Outcome outcome = launcher.run(command);
    assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
    return outcome.output();
  }

  private String ask(String... command) throws Exception {
    String[] all = new String[command.length + 2];
    System.arraycopy(command, 0, all, 0, command.length);
    all[command.length] = "--db";
    all[command.length + 1] = database.toString();
    return run(launcher, all);
  }

  @Test
  void whatIsCommittedMeanwhileIsSeenByTheNextCommand() throws Exception {
    long before = Long.parseLong(ask("query", COUNT).strip());
    String lineage = ask("lineage", "/scratch/amira/sweep1/figure.svg");
    GraphMetaConfig config = GraphMetaConfig.inDirectory(database).with(Setting.SHARDS, 2);
    try (GraphDatabase held = GraphDatabases.open(config)) {
      for (int i = 1; i <= 3; i++) {
        try (GraphTransaction tx = held.begin()) {
          tx.addVertex("/new/" + i, "file", Map.of(), Stamp.AT_COMMIT);
          tx.commit();
        }
        Thread.sleep(500); // ten times as long as a note takes
        assertThat(Long.parseLong(ask("query", COUNT).strip())).isEqualTo(before + i);
      }
      assertThat(ask("lineage", "/scratch/amira/sweep1/figure.svg")).isEqualTo(lineage);
      assertThat(ask("status")).contains("file");
      assertThat(ask("check")).contains("clean");
      Outcome refused =
          launcher.run("query", "--write", "--db", database.toString(), "g.addV('file')");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.errors()).contains("open");
    }
  }

  /** As another user, to whom the files can be read. */
  @Test
  void theRightToReadTheFilesIsEnough() throws Exception {
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    assumeTrue(
        !isRoot || Files.isExecutable(Path.of("/usr/bin/setpriv")),
        "root may write everywhere, and setpriv (util-linux), which makes another user of it, is not there");
    String expected = ask("query", COUNT);
    Path home = directory.resolve("distribution");
    shell("cp -r '" + Launcher.HOME + "' '" + home + "' && chmod -R a+rX,a-w '" + directory + "'");
    Map<String, String> before = files();
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/graphmeta").toString(), "query", "--db");
    builder.command().add(database.toString());
    builder.command().add(COUNT);
    if (isRoot) {
      builder
          .command()
          .addAll(
              0,
              java.util.List.of(
                  "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("GRAPHMETA_DB");
    builder.directory(Path.of("/").toFile()).redirectErrorStream(true);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).isEqualTo(expected);
    assertThat(files()).isEqualTo(before);
    shell("chmod -R u+w '" + directory + "'");
  }

  private static void shell(String command) throws Exception {
    Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(database)) {
      for (Path file : all.toList()) {
        found.put(
            file.toString(), Files.size(file) + " bytes of " + Files.getLastModifiedTime(file));
      }
    }
    return found;
  }
}
