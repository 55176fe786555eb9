package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads that commit over the same shards at once, more than there are processors. */
@Timeout(120)
final class ManyCommittersTest {
  private static final int THREADS = 16;
  private static final int COMMITS = 300;

  @Test
  void nobodyIsKeptFromCommittingByTheOthers() throws Exception {
    GraphMetaConfig config = GraphMetaConfig.inMemory().with(Setting.SHARDS, 4);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Long> vertices = new ArrayList<>();
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < 64; i++) {
          vertices.add(tx.addVertex("v" + i, "file", Map.of(), Stamp.AT_COMMIT));
        }
        tx.commit();
      }
      List<Future<?>> committers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int offset = thread;
        committers.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < COMMITS; i++) {
                    long out = vertices.get((i + offset) % 64);
                    long in = vertices.get((i * 7 + offset + 1) % 64);
                    try (GraphTransaction tx = database.begin()) {
                      tx.addEdge(null, out, "read", in, Map.of(), Stamp.AT_COMMIT);
                      tx.commit();
                    }
                  }
                }));
      }
      for (Future<?> committer : committers) {
        committer.get();
      }
      CheckReport report = database.check(rows -> {});
      assertThat(report.examples()).isEmpty();
      assertThat(report.livingEdges()).isEqualTo((long) THREADS * COMMITS);
      assertThat(report.outEntries()).as("of no attempt given up").isEqualTo(report.livingEdges());
    } finally {
      pool.shutdownNow();
    }
  }
}
