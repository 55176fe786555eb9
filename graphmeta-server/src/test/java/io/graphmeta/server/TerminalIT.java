package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees on a terminal, which Python provides. */
final class TerminalIT {
  /**
   * Runs a command on a terminal of 60 columns, or 100 for one that is to be interrupted when the
   * second argument comes up; prints what it printed, and its exit code.
   */
  private static final String PTY =
      """
      import fcntl, os, pty, signal, struct, sys, termios
      columns, interrupt, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
      child, terminal = pty.fork()
      if child == 0:
          signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what runs behind a shell
          fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
          os.execv(command[0], command)
      seen = b''
      while True:
          try:
              part = os.read(terminal, 4096)
          except OSError:
              break
          if not part:
              break
          seen += part
          if interrupt and interrupt in seen:
              os.write(terminal, b'\\x03')
              interrupt = b''
      code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
      sys.stdout.buffer.write(seen)
      sys.exit(code if code >= 0 else 128 - code)
      """;

  private static final Pattern LAST_LINE =
      Pattern.compile(
          "\r\u001b\\[Kgraphmeta: interrupted at (\\d+) of 233 \\(loading logs\\); nothing that was loaded is lost:"
              + " run the same command again to finish\r\n$");

  private static final Pattern SUMMARY =
      Pattern.compile("233 logs: (\\d+) loaded, (\\d+) there already, 0 failed; .*");

  @TempDir private Path directory;

  private Outcome onTerminal(int columns, String interrupt, String... arguments) throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "Python 3 provides the terminal");
    Path script = Files.writeString(directory.resolve("terminal.py"), PTY);
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(script.toString(), String.valueOf(columns), interrupt, Launcher.FILE.toString()));
    words.addAll(List.of(arguments));
    return new Launcher(directory)
        .run(python, Map.of("TERM", "xterm"), "", words.toArray(String[]::new));
  }

  @Test
  void aLoadThatIsInterruptedTellsWhatIsDoneAndIsFinishedByTheSameCommand() throws Exception {
    String campaign = Launcher.HOME.resolve("sample/campaign").toString();
    String db = directory.resolve("db").toString();
    String[] load = {"load", "darshan", campaign + "/logs", campaign + "/logs_partial", "--db", db};
    Outcome interrupted = onTerminal(100, " of 233", load);
    assertThat(interrupted.exitCode()).as(interrupted.output()).isEqualTo(130);
    assertThat(interrupted.output()).contains("Loading logs [");
    Matcher last = LAST_LINE.matcher(interrupted.output());
    assertThat(last.find()).as(interrupted.output()).isTrue();
    int done = Integer.parseInt(last.group(1));
    assertThat(done).isLessThan(233);

    Outcome finished = new Launcher(directory).run(load);
    assertThat(finished.errors()).isEmpty();
    Matcher summary = SUMMARY.matcher(finished.output().strip());
    assertThat(summary.matches()).as(finished.output()).isTrue();
    assertThat(Integer.parseInt(summary.group(1)) + Integer.parseInt(summary.group(2)))
        .isEqualTo(233);

    Outcome again = onTerminal(100, "", "--quiet", "load", "darshan", campaign, "--db", db);
    assertThat(again.output()).isEmpty();
    assertThat(again.exitCode()).isZero();
  }

  @Test
  void aTableFitsTheTerminal() throws Exception {
    String query =
        "g.V().hasLabel('job').order().by(id).limit(5).project('id','line').by(id).by('submitLine')";
    String db = directory.resolve("db").toString();
    assertThat(new Launcher(directory).run("demo", "--db", db).exitCode()).isZero();
    Outcome narrow = onTerminal(60, "", "query", "--db", db, "--format", "table", query);
    assertThat(narrow.output().lines().toList())
        .hasSize(7)
        .allMatch(line -> line.length() <= 60)
        .anyMatch(line -> line.endsWith("…"));
    Outcome piped = new Launcher(directory).run("query", "--db", db, "--format", "table", query);
    assertThat(piped.output()).doesNotContain("…").contains("/home/amira/jobs/");
  }

  @Test
  void aQueryComesFromStandardInput() throws Exception {
    String db = directory.resolve("db").toString();
    assertThat(new Launcher(directory).run("demo", "--db", db).exitCode()).isZero();
    for (List<String> how : List.of(List.of("-"), List.of("-f", "-"))) {
      List<String> words = new ArrayList<>(List.of("query", "--db", db));
      words.addAll(how);
      Outcome answer =
          new Launcher(directory)
              .type("g.V().hasLabel('job').\n  count()\n", words.toArray(String[]::new));
      assertThat(answer.errors()).isEmpty();
      assertThat(answer.output()).isEqualTo("79\n");
    }
  }
}
