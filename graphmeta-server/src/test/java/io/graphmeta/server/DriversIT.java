package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.RunningCluster;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drivers of four languages, as their registries have them, against the server of the
 * distribution. {@code src/test/drivers/run} does the work and can be called by hand.
 */
@RunsAlone
final class DriversIT {
  private static final Path BASE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path SCRIPT = BASE.resolve("src/test/drivers/run");
  private static final Path WORK = BASE.resolve("target/drivers");
  private static final List<String> TOOLS = List.of("bash", "python3", "node", "npm", "go");
  private static final int LIMIT_MINUTES = 10;

  @TempDir private Path directory;

  @Test
  void everyDriverReadsWritesAndTravelsInTime() throws Exception {
    run(Map.of());
  }

  @Test
  void everyDriverDoesSoOnACluster() throws Exception {
    try (RunningCluster cluster = new RunningCluster(directory, 3, 8)) {
      run(
          Map.of(
              "GRAPHMETA_CLUSTER",
              LocalCluster.NAME,
              "GRAPHMETA_ZOOKEEPER",
              cluster.processes().zookeeper()));
    }
  }

  private static void run(Map<String, String> graph) throws Exception {
    for (String tool : TOOLS) {
      assumeTrue(isInstalled(tool), () -> "the drivers' tests need " + tool + " on the PATH");
    }
    Files.createDirectories(WORK);
    Path log = WORK.resolve("run.log");
    ProcessBuilder builder =
        new ProcessBuilder(SCRIPT.toString(), Launcher.HOME.toString(), WORK.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GRAPHMETA_JAVA_OPTS", StartedJvm.OPTIONS);
    builder.environment().putAll(graph);
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
    assertThat(output).contains("passed: python38 python37 javascript go java http");
  }

  private static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
  }
}
