package io.graphmeta.server.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code load darshan --follow} as a service runs it. */
final class FollowIT {
  private static final int LOGS = 12;
  private static final Pattern LOADED =
      Pattern.compile("(\\d+) loaded, (\\d+) there already, (\\d+) failed");

  @TempDir private Path directory;

  private List<Path> sample() throws IOException {
    try (var logs = Files.list(Path.of("src/main/sample/campaign/logs"))) {
      return logs.filter(log -> log.toString().endsWith(".darshan")).sorted().limit(LOGS).toList();
    }
  }

  private Process follow(Path arriving, Path output) throws IOException {
    return new Launcher(directory)
        .builder(
            Launcher.FILE,
            Map.of("HOME", directory.toString()),
            "load",
            "darshan",
            "--follow",
            "--interval",
            "1",
            "--db",
            directory.resolve("db").toString(),
            arriving.toString())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** Loaded, there already, failed: added up over all lots. */
  private static int[] sums(Path output) throws IOException {
    int[] sums = new int[3];
    for (String line : Files.readAllLines(output)) {
      Matcher lot = LOADED.matcher(line);
      for (int i = 0; i < 3 && lot.find(0); i++) {
        sums[i] += Integer.parseInt(lot.group(i + 1));
      }
    }
    return sums;
  }

  private static void await(Path output, int... expected) throws Exception {
    Instant limit = Instant.now().plus(Duration.ofSeconds(90));
    while (!Arrays.equals(sums(output), expected) && Instant.now().isBefore(limit)) {
      Thread.sleep(100);
    }
    assertThat(sums(output)).as(Files.readString(output)).isEqualTo(expected);
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
  }

  private String count() throws Exception {
    return new Launcher(directory)
        .run("query", "--db", directory.resolve("db").toString(), "g.V().count()")
        .output();
  }

  @Test
  void logsAreLoadedAsTheyComeAndTheEndIsClean() throws Exception {
    List<Path> logs = sample();
    Path arriving = Files.createDirectories(directory.resolve("arriving/2026/11/22"));
    Path output = directory.resolve("output");
    Process process = follow(directory.resolve("arriving"), output);
    try {
      Files.copy(logs.get(0), arriving.resolve("first.darshan"));
      await(output, 1, 0, 0);
      // One that grows is left alone until it is whole; a damaged one is named once.
      byte[] bytes = Files.readAllBytes(logs.get(1));
      Path grows = arriving.resolve("grows.darshan");
      int half = bytes.length / 2;
      for (int part = 0; part < 6; part++) {
        int from = half * part / 6;
        Files.write(
            grows,
            Arrays.copyOfRange(bytes, from, half * (part + 1) / 6),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        Thread.sleep(500);
      }
      assertThat(sums(output)).containsExactly(1, 0, 0);
      Files.write(grows, Arrays.copyOfRange(bytes, half, bytes.length), StandardOpenOption.APPEND);
      Files.writeString(arriving.resolve("damaged.darshan"), "this is no log");
      await(output, 2, 0, 1);
      for (int i = 2; i < LOGS; i++) {
        Files.copy(logs.get(i), arriving.resolve(i + ".darshan"));
      }
      await(output, LOGS, 0, 1);
      end(process);
      assertThat(Files.readString(output)).containsOnlyOnce("damaged.darshan");
    } finally {
      process.destroyForcibly();
    }
    String vertices = count();
    // Begun anew it goes on: all of them are known.
    process = follow(directory.resolve("arriving"), output);
    try {
      await(output, 0, LOGS, 1);
      end(process);
    } finally {
      process.destroyForcibly();
    }
    assertThat(count()).isEqualTo(vertices);
    String all = directory.resolve("all").toString();
    List<String> load = new java.util.ArrayList<>(List.of("load", "darshan", "--db", all));
    logs.forEach(log -> load.add(log.toAbsolutePath().toString()));
    new Launcher(directory).run(load.toArray(String[]::new));
    assertThat(new Launcher(directory).run("query", "--db", all, "g.V().count()").output())
        .isEqualTo(vertices);
  }
}
