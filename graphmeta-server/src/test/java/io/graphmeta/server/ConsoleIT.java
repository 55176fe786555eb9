package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Gremlin Console of the distribution, and the session that the documentation shows. */
final class ConsoleIT {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../docs/start/console.md");
  private static final Pattern SESSION = Pattern.compile("```console\\n(.*?)```", Pattern.DOTALL);
  private static final String PROMPT = "gremlin> ";

  @TempDir private Path elsewhere;

  @Test
  void theSessionOfTheDocumentationRunsAsItStands() throws Exception {
    Matcher found = SESSION.matcher(Files.readString(PAGE));
    assertThat(found.find()).as("a session in " + PAGE).isTrue();
    String session = found.group(1);
    List<String> typed =
        session
            .lines()
            .filter(line -> line.startsWith(PROMPT))
            .map(line -> line.substring(PROMPT.length()))
            .toList();
    assertThat(typed).hasSizeGreaterThan(5).endsWith(":x");

    Outcome outcome =
        new Launcher(elsewhere).type(String.join("\n", typed) + "\n", "console", "--no-color");

    assertThat(outcome.output().strip()).isEqualTo(session.strip());
    assertThat(outcome.errors()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void aScriptWritesToADatabaseAndTheNextReadsIt() throws Exception {
    Launcher launcher = new Launcher(elsewhere);
    String db = elsewhere.resolve("graph").toString();
    Path write =
        Files.writeString(
            elsewhere.resolve("write.groovy"),
            "g.addV('note').property(id, args[0]).iterate()\ng.tx().commit()\n");
    Path read =
        Files.writeString(
            elsewhere.resolve("read.groovy"),
            "println g.V().id().toList()\nprintln asOf(g, ago('1h')).V().count().next()\n");
    Outcome wrote = launcher.run("console", "--db", db, "-e", write.toString(), "note:1");
    Outcome saw = launcher.run("console", "--db", db, "-e", read.toString());

    assertThat(wrote.errors()).isEmpty();
    assertThat(wrote.exitCode()).isZero();
    assertThat(saw.output()).isEqualTo("[note:1]\n0\n");
    assertThat(saw.exitCode()).isZero();
  }

  @Test
  void aScriptThatFailsEndsWithAnErrorCode() throws Exception {
    Path script =
        Files.writeString(
            elsewhere.resolve("bad.groovy"), "g.with('asOf', 'noon').V().count().next()\n");
    Outcome outcome = new Launcher(elsewhere).run("console", "-e", script.toString());
    assertThat(outcome.errors()).contains("asOf", "noon");
    assertThat(outcome.exitCode()).isEqualTo(1);
  }

  @Test
  void noServerAtTheAddressIsOneLine() throws Exception {
    Outcome outcome = new Launcher(elsewhere).run("console", "--connect", "localhost:1");
    assertThat(outcome.errors().lines()).hasSize(1).first().asString().contains("localhost:1");
    assertThat(outcome.exitCode()).isEqualTo(1);
  }

  @Test
  void optionsThatExcludeEachOtherAreRefused() throws Exception {
    Launcher launcher = new Launcher(elsewhere);
    assertThat(launcher.run("console", "--db", "x", "--connect", "localhost").errors())
        .contains("--db", "--connect");
    assertThat(launcher.run("console", "--connect", "localhost:http").errors())
        .contains("localhost:http", "localhost:8182");
    assertThat(launcher.run("console", "argument").exitCode()).isEqualTo(2);
  }
}
