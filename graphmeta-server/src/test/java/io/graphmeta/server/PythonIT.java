package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The package for Python, installed from the distribution with the oldest and the newest Python
 * that are there, against the server of the distribution: its tests and types, what the page about
 * it shows, the notebook, and random questions beside the command line. {@code
 * src/test/python/package/run} does the work and can be called by hand.
 */
final class PythonIT {
  private static final Path BASE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path SCRIPT = BASE.resolve("src/test/python/package/run");
  private static final Path WORK = BASE.resolve("target/python");
  private static final int LIMIT_MINUTES = 18;

  @Test
  @Timeout(value = LIMIT_MINUTES + 1, unit = TimeUnit.MINUTES)
  void thePackageAnswersAsTheCommandLineDoes() throws Exception {
    for (String tool : List.of("bash", "python3")) {
      assumeTrue(isInstalled(tool), () -> "the tests of the Python package need " + tool);
    }
    assumeTrue(
        isNewEnough(), "the tests of the Python package need Python 3.10 to 3.13 as python3");
    Files.createDirectories(WORK);
    Path log = WORK.resolve("run.log");
    ProcessBuilder builder =
        new ProcessBuilder(SCRIPT.toString(), Launcher.HOME.toString(), WORK.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GRAPHMETA_JAVA_OPTS", StartedJvm.OPTIONS);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(ended).as("ended within %d minutes:%n%s", LIMIT_MINUTES, output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).contains("passed: 3.1");
  }

  private static boolean isNewEnough() throws Exception {
    return new ProcessBuilder(
                "python3",
                "-c",
                "import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info < (3, 14))")
            .start()
            .waitFor()
        == 0;
  }

  private static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
  }
}
