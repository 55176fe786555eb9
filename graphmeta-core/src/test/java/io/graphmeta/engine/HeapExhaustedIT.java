package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process whose memory is used up again and again while it commits, at whatever allocation: what
 * was acknowledged is there, what was refused is not, nobody hangs, and then it goes on.
 *
 * <p>{@code -Dgraphmeta.heap-seconds=N} sets for how long, for each durability.
 */
@Timeout(600)
class HeapExhaustedIT {
  private static final int SECONDS = Integer.getInteger("graphmeta.heap-seconds", 5);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"background", "sync"})
  void whatCommittersAreToldIsSo(String durability) throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx40m",
                "-cp",
                System.getProperty("java.class.path"),
                HeapExhaustedWriter.class.getName(),
                directory.resolve(durability).toString(),
                durability,
                Long.toString(seed),
                Integer.toString(SECONDS * 1000))
            .redirectErrorStream(true)
            .start();
    String said;
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      said = output.lines().collect(Collectors.joining("\n"));
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    List<String> verdict = said.lines().filter(line -> line.startsWith("ok: ")).toList();
    assertThat(verdict).as("seed %d: %s", seed, said).hasSize(1);
    String[] counts = verdict.get(0).split(" ", 5);
    assertThat(Integer.parseInt(counts[1])).as("committed, seed %d", seed).isPositive();
    assertThat(Integer.parseInt(counts[2]) + Integer.parseInt(counts[3]))
        .as("that failed, seed %d", seed)
        .isPositive();
    System.out.println(durability + ": " + verdict.get(0));
  }
}
