package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of the distribution as a person finds it: called from elsewhere, by links, with odd
 * Javas.
 */
final class LauncherIT {
  private static final Path LAUNCHER = Launcher.FILE;

  @TempDir private Path elsewhere;

  @Test
  void tellsTheVersionOfTheBuild() throws Exception {
    Outcome outcome = run(LAUNCHER, Map.of(), "--version");
    assertThat(outcome.errors()).isEmpty();
    assertThat(outcome.output()).matches("graphmeta \\d+\\.\\d+\\.\\d+\\S*\n");
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void findsItsDirectoryThroughSymbolicLinks() throws Exception {
    Path absolute = Files.createSymbolicLink(elsewhere.resolve("absolute"), LAUNCHER);
    Path relative = Files.createSymbolicLink(elsewhere.resolve("relative"), absolute.getFileName());
    Outcome outcome = run(relative, Map.of(), "--version");
    Files.delete(relative);
    Files.delete(absolute);
    assertThat(outcome.errors()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void refusesAnUnknownOptionWithCode2() throws Exception {
    Outcome outcome = run(LAUNCHER, Map.of(), "--no-such-option");
    assertThat(outcome.errors()).contains("--no-such-option");
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void passesOptionsToTheJvm() throws Exception {
    Outcome outcome = run(LAUNCHER, Map.of("GRAPHMETA_JAVA_OPTS", "-Xmx64m -showversion"), "-V");
    assertThat(outcome.errors()).containsIgnoringCase("64-bit server vm");
    assertThat(outcome.exitCode()).isZero();
  }

  /** Where classes come from in a process, one line a class. */
  private List<String> classesLoaded(Path launcher, String... command) throws Exception {
    Path log = Files.createTempFile(elsewhere, "classes", ".log");
    Outcome outcome =
        run(launcher, Map.of("GRAPHMETA_JAVA_OPTS", "-Xlog:class+load:file=" + log), command);
    assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
    return Files.readAllLines(log);
  }

  static boolean isFromArchive(String line) {
    return line.contains(" io.graphmeta.server.cli.GraphMetaCommand ")
        && line.contains("shared objects file");
  }

  @Test
  void beginsFromTheClassesThatTheBuildHasWrittenDown() throws Exception {
    assertThat(classesLoaded(LAUNCHER, "--version")).anyMatch(LauncherIT::isFromArchive);
  }

  @Test
  void noCommandButTheConsoleCanLoadGroovy() throws Exception {
    assertThat(classesLoaded(LAUNCHER, "--help")).noneMatch(line -> line.contains("groovy"));
    Path script = Files.writeString(elsewhere.resolve("one.groovy"), "println 41 + 1\n");
    List<String> console = classesLoaded(LAUNCHER, "--verbose", "console", "-e", script.toString());
    assertThat(console)
        .anyMatch(line -> line.contains(" groovy.lang.GroovyObject "))
        .anyMatch(LauncherIT::isFromArchive);
  }

  /**
   * An archive holds for one directory; in another the command starts without it, or writes anew.
   */
  @Test
  void writesTheClassesDownForTheDirectoryThatItLiesIn() throws Exception {
    Path moved = elsewhere.resolve("moved");
    copy(Launcher.HOME, moved);
    Path launcher = moved.resolve("bin/graphmeta");
    assertThat(classesLoaded(launcher, "--version")).noneMatch(LauncherIT::isFromArchive);
    Outcome written = run(launcher, Map.of(), "class-archive");
    assertThat(written.errors()).isEmpty();
    assertThat(written.output()).contains(moved.resolve("lib/graphmeta.jsa").toString());
    assertThat(classesLoaded(launcher, "--version")).anyMatch(LauncherIT::isFromArchive);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Test
  void namesAJavaHomeWithoutJava() throws Exception {
    Outcome outcome = run(LAUNCHER, Map.of("JAVA_HOME", elsewhere.toString()), "--version");
    assertThat(outcome.errors()).contains(elsewhere.toString(), "17");
    assertThat(outcome.exitCode()).isEqualTo(70);
  }

  @Test
  void refusesAJavaThatIsTooOld() throws Exception {
    assertThat(runWithJavaOfVersion("11.0.2").errors())
        .contains("'11.0.2'", "expected 17 or newer");
    assertThat(runWithJavaOfVersion("1.8.0_402").errors()).contains("'1.8.0_402'", "expected 17");
  }

  private Outcome runWithJavaOfVersion(String version) throws Exception {
    Path home = Files.createDirectories(elsewhere.resolve("java-" + version));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho was started\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Outcome outcome = run(LAUNCHER, Map.of("JAVA_HOME", home.toString()), "--version");
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(70);
    return outcome;
  }

  private Outcome run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return new Launcher(elsewhere).run(launcher, environment, "", arguments);
  }
}
