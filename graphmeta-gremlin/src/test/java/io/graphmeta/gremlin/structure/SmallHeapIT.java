package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traversals that hold more than there is room for, in a process of their own: each is answered or
 * refused, and the graph goes on. In the build a small graph in a small heap; with {@code
 * -Dgraphmeta.heap=512m -Dgraphmeta.vertices=1000000} a large one.
 */
class SmallHeapIT {
  private static final String HEAP = System.getProperty("graphmeta.heap", "96m");
  private static final int VERTICES = Integer.getInteger("graphmeta.vertices", 120_000);
  private static final int MINUTES = 60;

  @Test
  void whatHasNoRoomIsRefusedAndTheGraphGoesOn(@TempDir Path directory)
      throws IOException, InterruptedException {
    List<String> lines = run(directory);
    String said = String.join("\n", lines);
    for (String name : SmallHeap.traversals().keySet()) {
      assertThat(lines).as(said).anyMatch(line -> ended(line, name));
      assertThat(lines).as(said).contains(name + " goes on: true");
    }
    assertThat(lines).as(said).anyMatch(line -> line.startsWith("count answered " + VERTICES));
    assertThat(lines).as(said).anyMatch(line -> line.startsWith("orderLimit answered 5"));
    assertThat(lines).as(said).anyMatch(line -> line.contains(" refused Memory is short for "));
  }

  private static boolean ended(String line, String name) {
    return line.startsWith(name + " answered ") || line.startsWith(name + " refused ");
  }

  private static List<String> run(Path directory) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeap.class.getName(),
                directory.resolve("db").toString(),
                Integer.toString(VERTICES)));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
    System.out.println(String.join("\n", lines));
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return lines;
  }
}
