package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual pages and the completions of the distribution, as man and true shells take them. */
final class ShellHelpIT {
  private static final Path SHARE = Launcher.HOME.resolve("share");

  /**
   * Types lines into a shell on a terminal, each ended by a tab or a line break, and prints all it
   * shows.
   */
  private static final String TYPE =
      """
      import os, pty, select, sys, time
      child, terminal = pty.fork()
      if child == 0:
          os.environ.update(PS1='ready> ', TERM='dumb', PATH=sys.argv[1] + ':' + os.environ['PATH'])
          os.execvp(sys.argv[2], sys.argv[2:sys.argv.index('--')])
      seen = b''
      def read(seconds):
          global seen
          end = time.time() + seconds
          while time.time() < end:
              if select.select([terminal], [], [], 0.1)[0]:
                  try:
                      seen += os.read(terminal, 4096)
                  except OSError:
                      return
      def await_text(text):
          end = time.time() + 60
          while text not in seen and time.time() < end:
              read(0.1)
      await_text(b'ready> ')
      for line in sys.argv[sys.argv.index('--') + 1:]:
          seen += b'\\n'
          os.write(terminal, line.encode())
          if line.endswith('\\n'):
              os.write(terminal, b'echo typed-$((1+1))\\n')
              seen = b''
              await_text(b'typed-2')
          else:
              read(2)
              os.write(terminal, b'\\x15')
              read(0.3)
      sys.stdout.buffer.write(seen)
      """;

  @TempDir private Path directory;

  private static boolean isThere(String tool) {
    return Stream.of("/bin", "/usr/bin", "/usr/local/bin")
        .anyMatch(bin -> Files.isExecutable(Path.of(bin, tool)));
  }

  private String typed(List<String> shell, String... lines) throws Exception {
    assumeTrue(isThere("python3"), "Python 3 provides the terminal");
    Path script = Files.writeString(directory.resolve("type.py"), TYPE);
    List<String> words = new ArrayList<>();
    words.addAll(List.of(script.toString(), Launcher.HOME.resolve("bin").toString()));
    words.addAll(shell);
    words.add("--");
    words.addAll(List.of(lines));
    Outcome outcome =
        new Launcher(directory)
            .run(Path.of("/usr/bin/python3"), Map.of(), "", words.toArray(String[]::new));
    assertThat(outcome.errors()).isEmpty();
    return outcome.output();
  }

  @Test
  void bashCompletesCommandsOptionsAndValues() throws Exception {
    String shown =
        typed(
            List.of("bash", "--norc", "--noprofile", "-i"),
            "source <(graphmeta completion bash)\n",
            "graphmeta his\t",
            "graphmeta query --prof\t",
            "graphmeta load darshan --proc\t",
            "graphmeta query --format c\t");
    assertThat(shown)
        .contains(
            "graphmeta history ",
            "graphmeta query --profile ",
            "graphmeta load darshan --processes ",
            "graphmeta query --format csv ");
  }

  @Test
  void zshCompletesCommandsOptionsAndValues() throws Exception {
    assumeTrue(isThere("zsh"), "zsh is not installed");
    String shown =
        typed(
            List.of("zsh", "-f", "-i"),
            "fpath=(" + SHARE.resolve("zsh/site-functions") + " $fpath)\n",
            "autoload -Uz compinit; compinit -u -D\n",
            "graphmeta his\t",
            "graphmeta query --prof\t",
            "graphmeta load darshan --proc\t",
            "graphmeta query --format=c\t");
    assertThat(shown)
        .contains(
            "graphmeta history",
            "--profile  -- Print what the query took",
            "graphmeta load darshan --processes=",
            "graphmeta query --format=csv");
  }

  @Test
  void theFilesOfTheDistributionAreWhatTheCommandPrints() throws Exception {
    assertThat(SHARE.resolve("bash-completion/completions/graphmeta"))
        .content()
        .isEqualTo(new Launcher(directory).run("completion", "bash").output());
    assertThat(SHARE.resolve("zsh/site-functions/_graphmeta"))
        .content()
        .isEqualTo(new Launcher(directory).run("completion", "zsh").output());
  }

  @Test
  void manualPagesAreSetWithoutAWarning() throws Exception {
    assumeTrue(isThere("groff"), "groff is not installed");
    try (Stream<Path> pages = Files.list(SHARE.resolve("man/man1"))) {
      for (Path page : pages.toList()) {
        Outcome set =
            new Launcher(directory)
                .run(
                    Path.of("/usr/bin/groff"),
                    Map.of(),
                    "",
                    "-man",
                    "-Tutf8",
                    "-z",
                    "-ww",
                    "-rLL=80n",
                    page.toString());
        assertThat(set.errors()).as(page.toString()).isEmpty();
        assertThat(Files.readString(page)).doesNotContain("%n", "${");
      }
    }
  }

  @Test
  void manFindsThePageOfEachCommandBesideTheLauncher() throws Exception {
    assumeTrue(isThere("man"), "man is not installed");
    String help = new Launcher(directory).run("--help").output();
    assertThat(SHARE.resolve("man/man1/graphmeta.1")).exists();
    help.lines()
        .dropWhile(line -> !line.startsWith("Commands:"))
        .skip(1)
        .takeWhile(line -> !line.isBlank())
        .filter(line -> line.matches("  [a-z].*"))
        .map(line -> line.strip().split(" ")[0])
        .forEach(
            command ->
                assertThat(SHARE.resolve("man/man1/graphmeta-" + command + ".1")).isNotEmptyFile());
    String path = Launcher.HOME.resolve("bin") + ":" + System.getenv("PATH");
    Outcome page =
        new Launcher(directory)
            .run(
                Path.of("/usr/bin/man"),
                Map.of("PATH", path, "MANWIDTH", "80", "MANPATH", ""),
                "",
                "graphmeta-query");
    assertThat(page.output()).contains("graphmeta query", "--profile", "EXIT STATUS");
  }
}
