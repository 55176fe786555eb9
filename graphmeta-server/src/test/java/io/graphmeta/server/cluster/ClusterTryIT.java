package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.StartedJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person tries a cluster out: what the command prints can be typed, and nothing stays behind. */
@RunsAlone
class ClusterTryIT {
  private static final Pattern HOSTS = Pattern.compile("GRAPHMETA_ZOOKEEPER=(\\S+)");

  @TempDir private Path directory;

  private Process start(Path output) throws Exception {
    Process process =
        new ProcessBuilder(
                Launcher.FILE.toString(),
                "cluster",
                "try",
                "--nodes=2",
                "--shards=4",
                "--port=0",
                "--dir=" + directory.resolve("trial"))
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("errors").toFile())
            .start();
    for (int look = 0; look < 1_200; look++) {
      if (Files.readString(output).contains("ready; stop all with Ctrl-C")) {
        return process;
      }
      assertThat(process.isAlive()).as(Files.readString(directory.resolve("errors"))).isTrue();
      Thread.sleep(100);
    }
    throw new AssertionError("not ready: " + Files.readString(output));
  }

  private String run(String zookeeper, String... command) throws Exception {
    return run(Map.of("GRAPHMETA_ZOOKEEPER", zookeeper, "GRAPHMETA_CLUSTER", "local"), command);
  }

  private String run(Map<String, String> variables, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.command().set(0, Launcher.FILE.toString());
    builder.environment().put("GRAPHMETA_JAVA_OPTS", StartedJvm.OPTIONS);
    builder.environment().putAll(variables);
    Process process =
        builder.redirectError(directory.resolve("errors-of-commands").toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("%s: %s", out, Files.readString(directory.resolve("errors-of-commands")))
        .isZero();
    return out;
  }

  @Test
  void whatIsTriedIsThereTheNextTimeAndEndsWithItsCommand() throws Exception {
    for (int time = 1; time <= 2; time++) {
      Path output = Files.createFile(directory.resolve("out" + time));
      Process trial = start(output);
      List<ProcessHandle> children = trial.descendants().toList();
      assertThat(children).as("ZooKeeper, two nodes, a server").hasSizeGreaterThanOrEqualTo(4);
      Matcher hosts = HOSTS.matcher(Files.readString(output));
      assertThat(hosts.find()).isTrue();
      String zookeeper = hosts.group(1);
      assertThat(run(zookeeper, "graphmeta", "cluster", "status", "--name", "local"))
          .contains("node n1", "node n2", "shards [0, 2], answers", "shards [1, 3], answers");
      if (time == 1) {
        assertThat(run(zookeeper, "graphmeta", "demo", "--cluster", "local"))
            .contains("Ask on: graphmeta query --cluster local");
      }
      assertThat(run(zookeeper, "graphmeta", "query", "g.V().hasLabel('user').count()"))
          .isEqualTo("3\n");
      trial.destroy();
      assertThat(trial.waitFor(90, TimeUnit.SECONDS)).as("it ends").isTrue();
      for (ProcessHandle child : children) {
        child.onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** The same answers as over one shard in the process, and nothing that stays behind. */
  @Test
  void theDemonstrationStartsAClusterOfItsOwn() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    String options = "JAVA_TOOL_OPTIONS";
    Map<String, String> inTemporary = Map.of(options, "-Djava.io.tmpdir=" + temporary);
    String embedded = run(inTemporary, "graphmeta", "demo");
    String ofCluster = run(inTemporary, "graphmeta", "demo", "--cluster");
    assertThat(ofCluster.lines().toList())
        .containsAll(embedded.lines().filter(line -> !line.startsWith("Keep ")).toList())
        .contains("On 8 shards of 3 nodes, which are processes on this machine");
    assertThat(temporary).isEmptyDirectory();
  }
}
