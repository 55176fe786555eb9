package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is told of a commit finds it at the present moment of the clock. */
final class CommittedStampsTest {
  private static final int THREADS = 4;
  private static final int COMMITS = 1_500;

  @TempDir private Path directory;

  @Test
  void aCommitThatWasToldIsNotInTheFuture() throws Exception {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory).with(Setting.SHARDS, 4);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        String name = "t" + thread + "-";
        all.add(threads.submit(() -> commit(database, name)));
      }
      for (Future<?> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void commit(GraphDatabase database, String name) {
    for (int n = 0; n < COMMITS; n++) {
      long stamp;
      try (GraphTransaction tx = database.begin()) {
        for (int part = 0; part < 4; part++) {
          tx.addVertex(name + n + "-" + part, "file", Map.of(), Stamp.AT_COMMIT);
        }
        stamp = tx.commit();
      }
      long now = Stamp.endOf(Instant.now());
      assertThat(stamp).as("stamp of commit %d of %s", n, name).isLessThanOrEqualTo(now);
    }
  }
}
