package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.formats.GraphListing;
import io.graphmeta.formats.GraphListing.Point;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Databases that are backed up at random moments while threads write to them and their shards split
 * vertices. What is restored is the original as of the stamp of the backup, with all of its
 * history, and goes on like a database that never was another. A failure names its seed.
 */
@Timeout(600)
class BackupModelTest {
  private static final int[] SHARDS = {4, 1, 2};
  private static final int WRITERS = 3;
  private static final int BACKUPS = 3;

  /** Nodes do not stop splitting for a backup. */
  private static final int LONGER_KEPT_MILLIS = 2000;

  @TempDir private Path directory;

  @Test
  void whatIsRestoredIsTheOriginalAtTheStamp() throws Exception {
    SeedLoop.run("graphmeta.backup.seeds", 2, seed -> new World(seed, false).run());
  }

  /** Files come as messages, of which some are lost, and checkpoints are lost meanwhile. */
  @Test
  void whatIsRestoredIsTheClusterAtTheStamp() throws Exception {
    SeedLoop.run("graphmeta.backup.seeds", 2, seed -> new World(seed, true).run());
  }

  private final class World {
    private final Random random;
    private final long seed;
    private final Path place;
    private final GraphMetaConfig config;
    private final RandomWrites.Shared written = new RandomWrites.Shared();

    private final boolean isCluster;

    World(long seed, boolean isCluster) {
      this.seed = seed;
      this.isCluster = isCluster;
      random = new Random(seed);
      place = directory.resolve((isCluster ? "cluster-" : "seed-") + seed);
      boolean synced = random.nextInt(3) == 0;
      config =
          GraphMetaConfig.inDirectory(place.resolve("original"))
              .with(Setting.SHARDS, SHARDS[(int) (seed % SHARDS.length)])
              .with(Setting.WRITE_BUFFER_BYTES, 1 << 16)
              .with(Setting.SPLIT_THRESHOLD, 4)
              .with(
                  Setting.MOVED_ROWS_KEPT_MILLIS,
                  random.nextBoolean()
                      ? 600_000
                      : random.nextInt(300) + (isCluster ? LONGER_KEPT_MILLIS : 0))
              .with(Setting.PAGE_BYTES, 4096)
              .with(Setting.DURABILITY, synced ? "sync" : "background");
    }

    void run() throws Exception {
      List<BackupSummary> backups = new ArrayList<>();
      try (GraphDatabase original = open()) {
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
        List<Future<?>> writers = new ArrayList<>();
        for (int thread = 0; thread < WRITERS; thread++) {
          RandomWrites writes = new RandomWrites(random.nextLong(), written);
          Random own = thread == 0 ? new Random(random.nextLong()) : null;
          writers.add(
              pool.submit(
                  () -> {
                    while (!enough.get()) {
                      writes.commitOne(original);
                      if (own != null && own.nextInt(20) == 0) {
                        changeIndex(original, own);
                      }
                    }
                  }));
        }
        try {
          for (int i = 0; i < BACKUPS; i++) {
            Thread.sleep(random.nextInt(600));
            backups.add(original.backup(place.resolve("backups"), bytes -> {}));
          }
        } finally {
          enough.set(true);
          pool.shutdown();
        }
        for (Future<?> writer : writers) {
          writer.get();
        }
        for (BackupSummary backup : backups) {
          compare(original, backup);
        }
        assertThat(original.check(rows -> {}).examples()).isEmpty();
      }
    }

    private GraphDatabase open() {
      return isCluster
          ? MessagedCluster.open(config, random.nextLong())
          : GraphDatabases.open(config);
    }

    private void changeIndex(GraphDatabase original, Random own) {
      boolean isThere = !original.indexes().list().isEmpty();
      if (!isThere) {
        original.indexes().create("label1.p1", Set.of(IndexKind.EXACT));
      } else if (own.nextBoolean()) {
        original.indexes().drop("label1.p1");
      } else {
        original.indexes().rebuild("label1.p1");
      }
    }

    private void compare(GraphDatabase original, BackupSummary backup) {
      long stamp = backup.database().stamp();
      GraphMetaConfig restored =
          config.with(Setting.DIRECTORY, place.resolve("restored-" + backup.name()));
      GraphDatabases.restore(
          place.resolve("backups"), backup.name(), restored.directory(), bytes -> {});
      List<Point> points = points(stamp);
      List<String> expected = GraphListing.upTo(stamp, original, points);
      try (GraphDatabase read = GraphDatabases.open(restored.with(Setting.READ_ONLY, "true"))) {
        try (GraphTransaction tx = read.begin()) {
          assertThat(tx.snapshot().knownAt()).isEqualTo(stamp);
        }
        assertSame(GraphListing.upTo(Stamp.MAX, read, points), expected);
      }
      try (GraphDatabase opened = GraphDatabases.open(restored)) {
        assertThat(opened.check(rows -> {}).examples()).isEmpty();
        assertThat(opened.indexes().list()).allMatch(index -> index.definition().number() <= stamp);
        assertSame(GraphListing.upTo(Stamp.MAX, opened, points), expected);
        goOn(opened);
        assertThat(opened.check(rows -> {}).examples()).isEmpty();
        assertSame(GraphListing.upTo(stamp, opened, points), expected);
      }
    }

    private void assertSame(List<String> found, List<String> expected) {
      for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
        assertThat(found.get(i)).as("line %s", i).isEqualTo(expected.get(i));
      }
      assertThat(found).hasSameSizeAs(expected);
    }

    /** The stamp itself, and some moments of both times before it. */
    private List<Point> points(long stamp) {
      List<Point> points = new ArrayList<>();
      points.add(new Point(stamp, stamp));
      List<Long> stamps =
          new ArrayList<>(written.stamps().stream().filter(each -> each <= stamp).toList());
      for (int i = 0; i < 3 && !stamps.isEmpty(); i++) {
        long valid = stamps.get(random.nextInt(stamps.size()));
        points.add(new Point(valid, random.nextBoolean() ? stamp : Math.max(valid, some(stamps))));
      }
      return points;
    }

    private long some(List<Long> stamps) {
      return stamps.get(random.nextInt(stamps.size()));
    }

    /** What is given an id leads to itself, whatever the original has done with the id later. */
    private void goOn(GraphDatabase restored) {
      RandomWrites.Shared own = new RandomWrites.Shared();
      RandomWrites writes = new RandomWrites(seed * 31, own);
      for (int i = 0; i < 100; i++) {
        writes.commitOne(restored);
      }
      restored.splitNow();
      for (int n = 0; n < RandomWrites.IDS; n++) {
        try (GraphTransaction tx = restored.begin()) {
          String id = "v" + n;
          VertexRecord there = tx.verticesById(List.of(id), tx.snapshot()).get(0);
          if (there == null) {
            tx.addVertex(id, "fresh", Map.of("n", n), Stamp.AT_COMMIT);
            tx.commit();
          } else {
            assertThat(there.id()).isEqualTo(id);
          }
        }
      }
    }
  }
}
