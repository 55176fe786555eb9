package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command with everything that is wrong with it: one line, which names the value and no class
 * of the program, the right exit code, and nothing on standard output.
 */
final class ErrorLinesTest {
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "\\b(java|javax|io|org|com|sun|picocli)\\.[a-z]+\\.|\\w(Exception|Error)\\b|\\$\\$|@[0-9a-f]{6}");

  /** Commands that ask a database or a server, with arguments that are right. */
  private static final List<List<String>> ASKING =
      List.of(
          List.of("query", "g.V().count()"),
          List.of("lineage", "/a/file"),
          List.of("impact", "/a/file"),
          List.of("history", "/a/file"),
          List.of("diff", "job:1", "job:2"),
          List.of("index", "list"),
          List.of("index", "check"),
          List.of("index", "create", "file.name"),
          List.of("status"),
          List.of("check"));

  private static final List<List<String>> MAKING =
      List.of(
          List.of("load", "sacct", "SACCT"),
          List.of("load", "darshan", "LOGS"),
          List.of("server", "--port", "0", "--admin-port", "0"));

  /** What is typed, the exit code, and what the line must name. */
  private record Case(List<String> words, int exitCode, List<String> named) {}

  @TempDir private static Path directory;

  private static final List<Case> CASES = new ArrayList<>();

  private static void bad(int exitCode, List<String> named, String... words) {
    CASES.add(new Case(List.of(words), exitCode, named));
  }

  private static String[] with(List<String> command, String... more) {
    return Stream.concat(command.stream(), Stream.of(more))
        .map(word -> word.replace("SACCT", sample("sacct.txt")).replace("LOGS", sample("logs")))
        .toArray(String[]::new);
  }

  private static String sample(String name) {
    return Path.of("src/main/sample/campaign", name).toAbsolutePath().toString();
  }

  @BeforeAll
  static void collect() throws IOException {
    String missing = directory.resolve("missing").toString();
    String file = Files.writeString(directory.resolve("file"), "text\n").toString();
    String empty = Files.createDirectory(directory.resolve("empty")).toString();
    String db = directory.resolve("db").toString();
    assertThat(Cli.run("load", "sacct", sample("sacct.txt"), "--db", db).exitCode()).isZero();
    String broken = directory.resolve("broken").toString();
    assertThat(Cli.run("load", "sacct", sample("sacct.txt"), "--db", broken).exitCode()).isZero();
    destroy(Path.of(broken));

    for (List<String> command : ASKING) {
      bad(1, List.of(missing, "expected"), with(command, "--db", missing));
      bad(1, List.of(file), with(command, "--db", file));
      bad(1, List.of(empty), with(command, "--db", empty));
      bad(1, List.of(broken), with(command, "--db", broken));
      bad(2, List.of("--db"), with(command));
      bad(2, List.of("--nonsense"), with(command, "--db", db, "--nonsense"));
      bad(2, List.of("--connect", "--db"), with(command, "--db", db, "--connect", "localhost"));
      bad(1, List.of("127.0.0.1:1"), with(command, "--connect", "127.0.0.1:1"));
      bad(2, List.of("'host:port'", "expected"), with(command, "--connect", "host:port"));
      bad(1, List.of("no-such-host.invalid"), with(command, "--connect", "no-such-host.invalid:1"));
      bad(1, List.of(missing), with(command, "--connect", "127.0.0.1:1", "--trust-store", missing));
      bad(1, List.of(file), with(command, "--connect", "127.0.0.1:1", "--trust-store", file));
    }
    for (List<String> command : MAKING) {
      bad(1, List.of(file), with(command, "--db", file));
      bad(1, List.of(broken), with(command, "--db", broken));
      bad(1, List.of(file), with(command, "--db", file + "/below"));
      bad(2, List.of("--db"), with(command));
      bad(2, List.of("'many'"), with(command, "--db", missing, "--shards", "many"));
      bad(1, List.of("0", "shards"), with(command, "--db", missing, "--shards", "0"));
    }
    for (List<String> command : ASKING.subList(0, 4)) {
      bad(2, List.of("'nonsense'", "2026"), with(command, "--db", db, "--known-at", "nonsense"));
    }
    for (String service : List.of("lineage", "impact", "history")) {
      bad(1, List.of("'/not/there'", "expected"), service, "--db", db, "/not/there");
    }
    bad(1, List.of("'job:1'"), "diff", "--db", db, "job:1", "job:2");
    bad(2, List.of("'x'"), "lineage", "--db", db, "--depth", "x", "/a");
    bad(2, List.of("'x'"), "lineage", "--db", db, "--limit", "x", "/a");
    bad(2, List.of("'x'"), "status", "--db", db, "--hot=x");
    badQueries(db);
    badLoads(missing, file, empty);
    badServers(missing, file);
  }

  private static void badQueries(String db) {
    bad(1, List.of("nothing"), "query", "--db", db, "g.V().nothing()");
    bad(1, List.of("--write"), "query", "--db", db, "g.addV('note')");
    bad(1, List.of(), "query", "--db", db, "g.V(");
    bad(1, List.of(), "query", "--db", db, "\u0000");
    bad(1, List.of(), "query", "--db", db, "g.V().values('name').sum()");
    bad(1, List.of(), "query", "--db", db, "g.V().order().by('name').by(__.out()).fail('stop')");
    bad(1, List.of("io()"), "query", "--db", db, "--write", "g.io('/tmp/x').read()");
    bad(1, List.of("graphmeta.nothing"), "query", "--db", db, "g.call('graphmeta.nothing')");
    bad(1, List.of("'x'"), "query", "--db", db, "g.with('asOf', 'x').V()");
    bad(1, List.of(), "query", "--db", db, "g.V().math('1/')");
    bad(1, List.of(), "query", "--db", db, "g.V().has('name', TextP.regex('('))");
  }

  private static void badLoads(String missing, String file, String empty) {
    String target = directory.resolve("target").toString();
    bad(1, List.of(missing), "load", "sacct", "--db", target, missing);
    bad(1, List.of(missing), "load", "darshan", "--db", target, missing);
    bad(1, List.of(empty), "load", "sacct", "--db", target, empty);
    bad(1, List.of(empty), "load", "darshan", "--db", target, empty);
    bad(1, List.of(file), "load", "sacct", "--db", target, file);
    bad(
        2,
        List.of("'Mars'", "Unknown time-zone"),
        "load",
        "sacct",
        "--db",
        target,
        "--zone",
        "Mars",
        file);
    bad(2, List.of("'few'"), "load", "darshan", "--db", target, "--processes", "few", file);
    bad(2, List.of("darshan"), "load");
  }

  private static void badServers(String missing, String file) {
    String target = directory.resolve("served").toString();
    List<String> server = List.of("server", "--db", target, "--port", "0", "--admin-port", "0");
    bad(2, List.of("'x'"), "server", "--db", target, "--port", "x");
    bad(1, List.of("99999"), "server", "--db", target, "--port", "99999");
    bad(1, List.of(missing), with(server, "--config", missing));
    bad(1, List.of("'text'"), with(server, "--config", file));
    bad(1, List.of("no.such"), with(server, "--set", "no.such=1"));
    bad(1, List.of(missing), with(server, "--users", missing));
    bad(1, List.of(file), with(server, "--users", file));
    bad(1, List.of("no-such-host.invalid"), with(server, "--host", "no-such-host.invalid"));
    bad(1, List.of(missing), with(server, "--tls-cert", missing, "--tls-key", missing));
    bad(1, List.of(file), with(server, "--tls-cert", file, "--tls-key", file));
    bad(1, List.of(), "token", "--port", "1");
    bad(1, List.of(file), "user", "list", "--users", file);
    bad(1, List.of("class-archive"), "class-archive");
    bad(2, List.of("'fish'"), "completion", "fish");
    bad(2, List.of("nonsense"), "nonsense");
    bad(2, List.of("Missing command"));
  }

  @Test
  void aFileThatIsMissingDoesNotTakeTheOthersWithIt() throws IOException {
    String missing = directory.resolve("gone").toString();
    String bad = Files.writeString(directory.resolve("bad"), "no accounting\n").toString();
    for (String source : List.of("pbs", "lsf", "openlineage", "prov")) {
      String target = directory.resolve("from-" + source).toString();
      Cli told = Cli.run("load", source, "--db", target, missing, bad, missing);
      assertThat(told.exitCode()).isEqualTo(1);
      assertThat(told.err().lines().filter(line -> line.contains(missing))).hasSize(2);
      assertThat(told.err()).contains(bad).doesNotContainPattern(CLASS_NAME);
      assertThat(told.out()).contains(", 3 failed; ");
    }
  }

  /** Writes over all that a database has, but for its names. */
  private static void destroy(Path database) throws IOException {
    try (Stream<Path> files = Files.walk(database)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().equals("LOCK")) {
          Files.writeString(file, "no longer what it was");
        }
      }
    }
  }

  @Test
  void everyErrorIsALineThatSaysWhatToDo() {
    List<String> wrong = new ArrayList<>();
    for (Case each : CASES) {
      Cli answer = Cli.run(each.words().toArray(String[]::new));
      List<String> lines = answer.err().lines().toList();
      List<String> faults = new ArrayList<>();
      if (answer.exitCode() != each.exitCode()) {
        faults.add("exit code " + answer.exitCode() + ", not " + each.exitCode());
      }
      if (!answer.out().isEmpty()) {
        faults.add("standard output has " + answer.out().lines().findFirst().orElse(""));
      }
      if (lines.isEmpty() || !lines.get(0).startsWith("graphmeta: ")) {
        faults.add("begins otherwise than with the name of the program");
      }
      if (each.exitCode() == 1 && lines.size() != 1) {
        faults.add(lines.size() + " lines");
      }
      if (CLASS_NAME.matcher(answer.err()).find()) {
        faults.add("names a class");
      }
      each.named().stream()
          .filter(value -> !answer.err().contains(value))
          .forEach(value -> faults.add("does not name " + value));
      if (!faults.isEmpty()) {
        wrong.add(each.words() + "\n  " + faults + "\n  " + answer.err().strip());
      }
    }
    assertThat(CASES.size()).isGreaterThan(120);
    assertThat(String.join("\n", wrong)).isEmpty();
  }
}
