package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Databases that are read while threads commit to them, with one shard and with several: a reader
 * sees the transactions up to the stamp of its snapshot, each of them whole, and no other. A
 * failure names its seed.
 */
@Timeout(300)
class ReadBesideTest {
  private static final int[] SHARDS = {1, 2, 4};

  /** Vertices of a transaction; they form a ring. */
  private static final int RING = 4;

  private static final int CHUNK = 2000;

  @TempDir private Path directory;

  @Test
  void aReaderSeesWholeTransactionsUpToItsStamp() throws Exception {
    SeedLoop.run("graphmeta.read-beside.seeds", 3, seed -> new World(seed).run());
  }

  private static String id(int ring, int vertex) {
    return "r" + ring + "-" + vertex;
  }

  /** One database through its openings. */
  private final class World {
    private static final int READERS = 6;

    private final Random random;
    private final GraphMetaConfig config;

    /** The rings that were committed, by their stamps. */
    private final Map<Long, Integer> committed = new ConcurrentSkipListMap<>();

    private final AtomicInteger rings = new AtomicInteger();

    World(long seed) {
      random = new Random(seed);
      int shards = SHARDS[(int) (seed % SHARDS.length)];
      config =
          GraphMetaConfig.inDirectory(directory.resolve("seed-" + seed))
              .with(Setting.SHARDS, shards)
              .with(Setting.WRITE_BUFFER_BYTES, 1 << 16) // files come and go
              .with(Setting.SPLIT_THRESHOLD, 8)
              .with(Setting.DURABILITY, random.nextInt(3) == 0 ? "sync" : "background");
    }

    void run() throws Exception {
      for (int opening = 0; opening < 2; opening++) {
        try (GraphDatabase database = GraphDatabases.open(config)) {
          AtomicBoolean enough = new AtomicBoolean();
          ExecutorService pool = Executors.newFixedThreadPool(3);
          List<Future<?>> writers = new ArrayList<>();
          for (int thread = 0; thread < 3; thread++) {
            Random own = new Random(random.nextLong());
            writers.add(
                pool.submit(
                    () -> {
                      while (!enough.get()) {
                        commitRing(database, own);
                      }
                    }));
          }
          try {
            long before = 0;
            for (int reader = 0; reader < READERS; reader++) {
              long seen = read();
              assertThat(seen).as("readers never go back").isGreaterThanOrEqualTo(before);
              before = seen;
            }
          } finally {
            enough.set(true);
            pool.shutdown();
          }
          for (Future<?> writer : writers) {
            writer.get();
          }
          awaitNewest();
        }
        assertThat(read()).as("closed in good order").isGreaterThanOrEqualTo(newest());
        requireUntouched();
      }
    }

    private long newest() {
      return committed.keySet().stream().mapToLong(stamp -> stamp).max().orElse(0);
    }

    /** Without another transaction the newest one can be read soon. */
    private void awaitNewest() throws InterruptedException {
      for (int attempt = 0; read() < newest(); attempt++) {
        assertThat(attempt).as("attempts to read the newest transaction").isLessThan(200);
        Thread.sleep(20);
      }
    }

    private void commitRing(GraphDatabase database, Random own) {
      int ring = rings.getAndIncrement();
      try (GraphTransaction tx = database.begin()) {
        long[] keys = new long[RING];
        boolean isOne = own.nextInt(3) == 0; // on one shard alone
        for (int i = 0; i < (isOne ? 1 : RING); i++) {
          keys[i] = tx.addVertex(id(ring, i), "file", Map.of("ring", ring), Stamp.AT_COMMIT);
        }
        for (int i = 0; !isOne && i < RING; i++) {
          tx.addEdge(null, keys[i], "next", keys[(i + 1) % RING], Map.of("n", i), Stamp.AT_COMMIT);
        }
        long stamp = tx.commit();
        committed.put(stamp, isOne ? -1 - ring : ring);
      }
      LockSupport.parkNanos(own.nextInt(20_000_000));
    }

    /** Opens the database to read it, compares, and returns the stamp it was read at. */
    private long read() {

      try (GraphDatabase database = GraphDatabases.open(config.with(Setting.READ_ONLY, "true"));
          GraphTransaction tx = database.begin()) {
        long stamp = tx.snapshot().knownAt();
        // A transaction up to the stamp is whole, or was not yet told to its client.
        Map<Long, Integer> told = new TreeMap<>(committed);
        int most = rings.get();
        Set<Integer> ones = new TreeSet<>();
        Set<Integer> whole = new TreeSet<>();
        told.forEach(
            (at, ring) -> {
              if (at <= stamp) {
                (ring < 0 ? ones : whole).add(ring < 0 ? -1 - ring : ring);
              }
            });
        int[] found = vertices(tx, most, stamp);
        for (int ring = 0; ring < most; ring++) {
          if (whole.contains(ring) || ones.contains(ring)) {
            assertThat(found[ring])
                .as("vertices of ring %s, read at %s", ring, stamp)
                .isEqualTo(whole.contains(ring) ? RING : 1);
          } else {
            assertThat(found[ring]).as("vertices of ring %s", ring).isIn(0, 1, RING);
            boolean isLater = told.containsValue(ring) || told.containsValue(-1 - ring);
            assertThat(isLater && found[ring] > 0)
                .as("ring %s was committed above %s and is there", ring, stamp)
                .isFalse();
          }
        }
        requireRefused(database);
        return stamp;
      }
    }

    /** How many vertices of each ring are there; their edges are counted, too. */
    private static int[] vertices(GraphTransaction tx, int rings, long stamp) {
      int[] found = new int[rings];
      for (int ring = 0; ring < rings; ring++) {
        List<String> ids = new ArrayList<>();
        for (; ids.size() < CHUNK && ring < rings; ring++) {
          for (int i = 0; i < RING; i++) {
            ids.add(id(ring, i));
          }
        }
        ring--;
        List<VertexRecord> there =
            tx.verticesById(ids, tx.snapshot()).stream().filter(Objects::nonNull).toList();
        for (VertexRecord vertex : there) {
          assertThat(vertex.committedStamp()).isLessThanOrEqualTo(stamp);
          found[(Integer) Objects.requireNonNull(vertex.value("ring"))]++;
        }
        long[] keys =
            there.stream()
                .filter(v -> found[(Integer) Objects.requireNonNull(v.value("ring"))] == RING)
                .mapToLong(VertexRecord::key)
                .toArray();
        for (Direction direction : List.of(Direction.OUT, Direction.IN)) {
          assertThat(edges(tx, keys, direction)).as("edges of rings").isEqualTo(keys.length);
        }
      }
      return found;
    }

    private static int edges(GraphTransaction tx, long[] keys, Direction direction) {
      int edges = 0;
      if (keys.length > 0) {
        try (AdjacencyCursor cursor =
            tx.expand(new Expansion(keys, direction, Set.of(), true), tx.snapshot())) {
          while (cursor.next()) {
            edges++;
          }
        }
      }
      return edges;
    }

    private static void requireRefused(GraphDatabase database) {
      assertThatThrownBy(
              () -> {
                try (GraphTransaction tx = database.begin()) {
                  tx.addVertex("new", "file", Map.of(), Stamp.AT_COMMIT);
                  tx.commit();
                }
              })
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_ONLY_DATABASE));
    }

    /** Readers change no file of a database that nobody writes. */
    private void requireUntouched() throws IOException {
      Map<String, String> before = files();
      read();
      assertThat(files()).isEqualTo(before);
    }

    private Map<String, String> files() throws IOException {
      Map<String, String> found = new TreeMap<>();
      try (Stream<Path> all = Files.walk(config.directory())) {
        for (Path file : all.toList()) {
          found.put(
              file.toString(), Files.size(file) + " bytes of " + Files.getLastModifiedTime(file));
        }
      }
      return found;
    }
  }
}
