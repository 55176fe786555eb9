package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.model.Direction;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.node.HostedShards;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that is closed and opened again and again, soon after threads have committed over its
 * shards. The first transaction of an opening has seen no stamp yet: it has to find what was
 * acknowledged before all the same. A failure names its seed.
 */
@Timeout(300)
class ReopenedDatabaseTest {
  private static final int OPENINGS = 6;
  private static final int[] SHARDS = {1, 2, 4, 7};

  @TempDir private Path directory;

  @Test
  void theFirstTransactionOfAnOpeningFindsWhatWasCommittedBefore() throws Exception {
    SeedLoop.run("graphmeta.reopened.seeds", 3, seed -> new World(seed).run());
  }

  /**
   * A shard that alone was asked for a snapshot is ahead of the others. While the clock does not go
   * on they may not begin behind it: they would give snapshots of which it can tell nothing.
   */
  @Test
  void theFirstTransactionOfAnOpeningIsTakenAlthoughOneShardWasAhead() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_700_000_000));
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("ahead"))
            .with(Setting.SHARDS, 4)
            .with(Setting.DURABILITY, "background");
    for (int ahead = 0; ahead < 4; ahead++) {
      try (GraphDatabase database = GraphDatabases.open(config, now::get);
          GraphTransaction tx = database.begin()) {
        for (int i = 0; i < 16; i++) { // on all shards
          tx.addVertex("v" + ahead + "-" + i, "file", Map.of(), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
      try (HostedShards hosted = HostedShards.open(config, now::get)) {
        now.updateAndGet(time -> time.plusMillis(300));
        Call call = new Call(VirtualNodeMap.FIRST_EPOCH, 10_000, new Request.Snapshot(0));
        hosted.all().get(ahead).handle(call).get(10, TimeUnit.SECONDS);
      }
    }
  }

  /** One database through its openings. */
  private final class World {
    private final Random random;
    private final GraphMetaConfig config;
    private final Set<String> edges = new TreeSet<>();
    private final Set<Long> keys = new HashSet<>();
    private int vertices;

    World(long seed) {
      random = new Random(seed);
      config =
          GraphMetaConfig.inDirectory(directory.resolve("seed-" + seed))
              .with(Setting.SHARDS, SHARDS[random.nextInt(SHARDS.length)])
              .with(Setting.DURABILITY, random.nextInt(3) == 0 ? "sync" : "background");
    }

    void run() throws Exception {
      for (int opening = 0; opening < OPENINGS; opening++) {
        try (GraphDatabase database = GraphDatabases.open(config)) {
          requireAll(database, opening);
          commitByThreads(database);
          LockSupport.parkNanos(random.nextInt(3) * 1_000_000L);
        }
      }
    }

    private void requireAll(GraphDatabase database, int opening) {
      try (GraphTransaction tx = database.begin()) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < vertices; i++) {
          ids.add("v" + i);
        }
        List<VertexRecord> found = tx.verticesById(ids, tx.snapshot());
        assertThat(found).as("vertices in opening %s", opening).doesNotContainNull();
        long[] from = found.stream().mapToLong(vertex -> vertex.key()).toArray();
        Set<String> names = new TreeSet<>();
        if (from.length > 0) {
          try (AdjacencyCursor cursor =
              tx.expand(new Expansion(from, Direction.OUT, Set.of(), true), tx.snapshot())) {
            while (cursor.next()) {
              names.add((String) Objects.requireNonNull(cursor.edge().value("name")));
            }
          }
        }
        assertThat(names).as("edges in opening %s", opening).isEqualTo(edges);
      }
    }

    private void commitByThreads(GraphDatabase database) throws Exception {
      int threads = 1 + random.nextInt(4);
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        List<Future<List<Long>>> committers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          int commits = random.nextInt(5);
          int number = vertices;
          vertices += commits;
          for (int i = 1; i < commits; i++) {
            edges.add("e" + (number + i));
          }
          committers.add(pool.submit(() -> commit(database, number, commits)));
        }
        for (Future<List<Long>> committer : committers) {
          for (long key : committer.get()) {
            assertThat(keys.add(key)).as("key %s is new", key).isTrue();
          }
        }
      } finally {
        pool.shutdownNow();
      }
    }

    /** Commits vertices, all but the first with an edge from the one before. */
    private static List<Long> commit(GraphDatabase database, int number, int commits) {
      List<Long> made = new ArrayList<>();
      for (int i = 0; i < commits; i++) {
        try (GraphTransaction tx = database.begin()) {
          String id = "v" + (number + i);
          long vertex = tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT);
          if (i > 0) {
            tx.addEdge(
                null,
                made.get(i - 1),
                "read",
                vertex,
                Map.of("name", "e" + (number + i)),
                Stamp.AT_COMMIT);
          }
          tx.commit();
          made.add(vertex);
        }
      }
      return made;
    }
  }
}
