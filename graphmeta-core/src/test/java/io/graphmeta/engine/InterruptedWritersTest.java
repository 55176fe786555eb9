package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writers that are interrupted at any moment, as by a shard whose client has gone: each commit is
 * there, or is said to be cancelled, and the database goes on.
 */
@Timeout(120)
final class InterruptedWritersTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int WRITERS = 3;
  private static final int COMMITS = Integer.getInteger("graphmeta.interrupted-commits", 300);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"1,sync", "1,background", "4,sync", "4,background"})
  void commitsAreThereOrCancelled(int shards, String durability) throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory)
            .with(Setting.SHARDS, shards)
            .with(Setting.DURABILITY, durability)
            .with(Setting.BACKGROUND_SYNC_MILLIS, 1);
    ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Thread> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer + "-";
        Thread thread = new Thread(() -> write(database, name, acknowledged, faults));
        thread.start();
        writers.add(thread);
      }
      SplittableRandom random = new SplittableRandom(SEED);
      while (writers.stream().anyMatch(Thread::isAlive)) {
        writers.get(random.nextInt(WRITERS)).interrupt();
        LockSupport.parkNanos(random.nextInt(1, 300_000));
      }
      String replay = "replay with -Dgraphmeta.seed=" + SEED;
      assertThat(faults).as(replay).isEmpty();
      assertThat(acknowledged).as(replay).hasSizeGreaterThan(COMMITS / 4);
    }
    try (GraphDatabase again = GraphDatabases.open(config);
        GraphTransaction tx = again.begin()) {
      List<VertexRecord> found = tx.verticesById(List.copyOf(acknowledged), tx.snapshot());
      assertThat(found).doesNotContainNull().hasSameSizeAs(acknowledged);
    }
  }

  private static void write(
      GraphDatabase database,
      String name,
      ConcurrentLinkedQueue<String> acknowledged,
      ConcurrentLinkedQueue<Throwable> faults) {
    for (int n = 0; n < COMMITS; n++) {
      try (GraphTransaction tx = database.begin()) {
        long from = tx.addVertex(name + n, "file", Map.of(), Stamp.AT_COMMIT);
        long to = tx.addVertex(name + n + "-to", "file", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, from, "wrote", to, Map.of(), Stamp.AT_COMMIT);
        tx.commit();
        acknowledged.add(name + n);
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          faults.add(e);
        }
      } catch (RuntimeException e) {
        faults.add(e);
      }
      Thread.interrupted();
    }
  }
}
