package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.search.IndexKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a process with SIGKILL that writes to a database with indexes, again and again. An index
 * that was built before goes on from its last commit, and is not built anew; when the indexes have
 * caught up they hold what is stored. {@code -Dgraphmeta.crash.cycles=N} sets the number of kills.
 */
class IndexCrashIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.cycles", 3);
  private static final Pattern LINE = Pattern.compile("t-\\d+");
  private static final long WAIT_SECONDS = 60;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void killedIndexesGoOn(int shards) throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory).with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
      awaitCaughtUp(database);
    }
    long transactions = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      List<String> arguments =
          List.of(directory.toString(), Integer.toString(shards), Long.toString(random.nextLong()));
      try (WriterProcess writer = WriterProcess.start(IndexCrashWriter.class, arguments, LINE)) {
        writer.await(1 + random.nextInt(3000));
        transactions += writer.kill().size();
      }
      try (GraphDatabase database = GraphDatabases.open(config)) {
        String what = "-Dgraphmeta.seed=" + seed + ", cycle " + cycle;
        IndexStatus kept =
            database.indexes().list().stream()
                .filter(index -> index.definition().name().equals("file.name"))
                .findFirst()
                .orElseThrow();
        assertThat(kept.isBuilt()).as("%s: built before, %s", what, kept).isTrue();
        assertThat(kept.shards())
            .as("%s: vertices that were read again", what)
            .allMatch(shard -> shard.elements() == 0);
        awaitCaughtUp(database);
        for (IndexCheck check : database.indexes().check(null, versions -> {})) {
          assertThat(check.isClean()).as("%s: %s", what, check).isTrue();
        }
      }
    }
    assertThat(transactions).as("transactions, seed %d", seed).isGreaterThan(CYCLES);
  }

  /** Waits until all indexes are built, and hold what was committed before. */
  private static void awaitCaughtUp(GraphDatabase database) throws InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      List<IndexStatus> indexes = database.indexes().list();
      if (indexes.stream()
          .allMatch(
              index ->
                  index.isBuilt()
                      && index.shards().stream()
                          .allMatch(shard -> shard.behindMillis() < passedMillis))) {
        return;
      }
      assertThat(passedMillis / 1000).as("%s", indexes).isLessThan(WAIT_SECONDS);
      Thread.sleep(10);
    }
  }
}
