package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills a writing process with SIGKILL, again and again, and looks whether every acknowledged
 * transaction is there as a whole, and every other one as a whole or not at all; with several
 * shards the transactions write to several.
 *
 * <p>{@code -Dgraphmeta.crash.cycles=N} sets the number of kills for each of the ways. A database
 * is killed some times, and then another is begun, so that each check is of all and yet short.
 */
class CrashIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.cycles", 3);
  private static final int CYCLES_OF_A_DATABASE = 10;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"background,1", "sync,1", "background,4", "sync,4"})
  void killedWritersLoseNothing(String durability, int shards) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long transactions = 0;
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_DATABASE) {
      Path database = directory.resolve(durability + "-" + shards + "-" + first);
      List<List<String>> acknowledged = new ArrayList<>();
      for (int cycle = 0; cycle < Math.min(CYCLES_OF_A_DATABASE, CYCLES - first); cycle++) {
        acknowledged.add(
            killOnce(database, "r" + cycle, durability, shards, 1 + random.nextInt(400)));
        try (CrashedDatabase left = opened(database, shards)) {
          left.assertNothingLost("r" + cycle, acknowledged.get(cycle));
          left.assertClean();
        }
        transactions += acknowledged.get(cycle).size();
      }
      try (CrashedDatabase left = opened(database, shards)) {
        for (int cycle = 0; cycle < acknowledged.size(); cycle++) {
          left.assertNothingLost("r" + cycle, acknowledged.get(cycle));
        }
      }
    }
    assertThat(transactions).as("acknowledged transactions, seed " + seed).isGreaterThan(CYCLES);
  }

  private static CrashedDatabase opened(Path database, int shards) {
    return new CrashedDatabase(GraphMetaConfig.inDirectory(database).with(Setting.SHARDS, shards));
  }

  /**
   * Runs the writer until it has acknowledged so many transactions, kills it, and returns all that
   * it acknowledged.
   */
  private static List<String> killOnce(
      Path database, String run, String durability, int shards, int enough) throws Exception {
    List<String> settings =
        List.of(Setting.DURABILITY.key() + "=" + durability, Setting.SHARDS.key() + "=" + shards);
    try (WriterProcess writer = WriterProcess.start(database, run, settings)) {
      writer.await(enough);
      return writer.kill();
    }
  }
}
