package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.graphmeta.server.Launcher.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Later Javas warn of nothing: those that this machine has, and those named by
 * GRAPHMETA_TEST_JAVAS.
 */
final class LaterJavaIT {
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");

  @TempDir private Path directory;

  private static List<Path> javas() throws IOException {
    List<Path> javas = new ArrayList<>();
    String named = System.getenv("GRAPHMETA_TEST_JAVAS");
    if (named != null) {
      Stream.of(named.split(":")).map(Path::of).forEach(javas::add);
    }
    if (Files.isDirectory(INSTALLED)) {
      try (Stream<Path> homes = Files.list(INSTALLED)) {
        homes.forEach(javas::add);
      }
    }
    javas.removeIf(home -> !isLater(home.resolve("release")));
    return javas;
  }

  private static boolean isLater(Path release) {
    try {
      return Files.exists(release)
          && Files.readString(release).matches("(?s).*JAVA_VERSION=\"(2[1-9]|[3-9]\\d).*");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void commandsPrintWhatTheyPrintWithTheOldestJava() throws Exception {
    List<Path> javas = javas();
    assumeFalse(javas.isEmpty(), "no Java of version 21 or newer is installed");
    Path script =
        Files.writeString(directory.resolve("one.groovy"), "println g.V().count().next()");
    for (Path home : javas) {
      Path own = Files.createTempDirectory(directory, "java");
      for (List<String> command :
          List.of(
              List.of("demo", "--db", own.resolve("db").toString()),
              List.of("query", "--db", own.resolve("db").toString(), "g.V().count()"),
              List.of(
                  "lineage", "--db", own.resolve("db").toString(), "/proj/hx01/config/model.cfg"),
              List.of("check", "--db", own.resolve("db").toString()),
              List.of("console", "-e", script.toString()))) {
        Outcome outcome =
            new Launcher(directory)
                .run(
                    Launcher.FILE,
                    Map.of("JAVA_HOME", home.toString()),
                    "",
                    command.toArray(String[]::new));
        assertThat(outcome.errors()).as("%s on %s", command, home).isEmpty();
        assertThat(outcome.exitCode()).as("%s on %s", command, home).isZero();
        assertThat(outcome.output()).isNotEmpty();
      }
    }
  }
}
