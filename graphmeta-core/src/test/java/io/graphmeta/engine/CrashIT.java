package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.tx.AdjacencyCursor;
import io.graphmeta.tx.Expansion;
import io.graphmeta.tx.GraphTransaction;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a writing process with SIGKILL, again and again, and looks whether every acknowledged
 * transaction is there as a whole, and every other one as a whole or not at all.
 *
 * <p>{@code -Dgraphmeta.crash.cycles=N} sets the number of kills for each durability.
 */
class CrashIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.cycles", 12);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"background", "sync"})
  void killedWritersLoseNothing(String durability) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Path database = directory.resolve(durability);
    List<List<String>> acknowledged = new ArrayList<>();
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      acknowledged.add(killOnce(database, "r" + cycle, durability, 1 + random.nextInt(400)));
      boolean last = cycle == CYCLES - 1;
      verify(database, "r" + cycle, acknowledged.get(cycle), last || cycle % 10 == 9);
    }
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      verify(database, "r" + cycle, acknowledged.get(cycle), false);
    }
    long transactions = acknowledged.stream().mapToLong(List::size).sum();
    assertThat(transactions).as("acknowledged transactions, seed " + seed).isGreaterThan(CYCLES);
  }

  /**
   * Runs the writer until it has acknowledged so many transactions, kills it, and returns all that
   * it acknowledged.
   */
  private static List<String> killOnce(Path database, String run, String durability, int enough)
      throws Exception {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWriter.class.getName(),
                database.toString(),
                run,
                durability)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader output = writer.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        acknowledged.add(line);
        if (acknowledged.size() == enough) {
          // By its handle, which leaves what it acknowledged before in the pipe to be read.
          writer.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(acknowledged.size()).isGreaterThanOrEqualTo(enough);
    // A line that was cut off by the kill is no acknowledgement.
    acknowledged.removeIf(line -> !line.matches(run + "-\\d+-\\d+"));
    return acknowledged;
  }

  private static void verify(Path directory, String run, List<String> acknowledged, boolean check) {
    try (GraphDatabase database = GraphDatabase.open(GraphMetaConfig.inDirectory(directory));
        GraphTransaction tx = database.begin()) {
      Map<String, Integer> newest = new HashMap<>();
      for (String id : acknowledged) {
        assertThat(isWhole(tx, id)).as("acknowledged transaction " + id).isTrue();
        int end = id.lastIndexOf('-');
        newest.merge(id.substring(0, end), Integer.parseInt(id.substring(end + 1)), Math::max);
      }
      for (int thread = 0; thread < CrashWriter.THREADS; thread++) {
        String name = run + "-" + thread;
        int last = newest.getOrDefault(name, -1);
        VertexRecord counter = tx.verticesById(List.of(name), tx.snapshot()).get(0);
        if (counter == null) {
          assertThat(last).isEqualTo(-1);
          continue;
        }
        // One more may have been committed than was acknowledged, or cut off in the output.
        int stored = (int) Objects.requireNonNull(counter.value("last"));
        assertThat(stored).isBetween(last, last + 2);
        for (int n = Math.max(0, last); n <= last + 3; n++) {
          assertThat(isWhole(tx, name + "-" + n)).as(name + "-" + n).isEqualTo(n <= stored);
        }
      }
      if (check) {
        CheckReport report = database.check(rows -> {});
        assertThat(report.examples()).isEmpty();
        assertThat(report.isClean()).isTrue();
      }
    }
  }

  /** True if all of a transaction is there, false if nothing is; anything between fails. */
  private static boolean isWhole(GraphTransaction tx, String id) {
    List<VertexRecord> found = tx.verticesById(List.of(id, id + "b"), tx.snapshot());
    VertexRecord a = found.get(0);
    VertexRecord b = found.get(1);
    assertThat(a == null).as("half of transaction " + id).isEqualTo(b == null);
    if (a == null || b == null) {
      return false;
    }
    List<String> edges = new ArrayList<>();
    Expansion incoming = new Expansion(new long[] {b.key()}, Direction.IN, Set.of(), true);
    try (AdjacencyCursor cursor = tx.expand(incoming, tx.snapshot())) {
      while (cursor.next()) {
        EdgeRecord edge = cursor.edge();
        edges.add(edge.label() + edge.value("n"));
      }
    }
    assertThat(edges)
        .as("edges of transaction " + id)
        .containsExactlyInAnyOrder("wrote" + a.value("n"), "containsnull");
    return true;
  }
}
