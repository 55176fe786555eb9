package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A few vertices get many edges from several threads, and lose some, while they are split over the
 * shards; readers note what they see at their snapshots and before. When all is over, each note is
 * compared with what was committed at or before its stamp.
 */
class SplitsAtWorkTest {
  private static final int HUBS = 3;
  private static final int WRITERS = 3;
  private static final int TRANSACTIONS = Integer.getInteger("graphmeta.split-transactions", 250);
  private static final int EDGES = 900;
  private static final int REMOVALS = Integer.getInteger("graphmeta.removals", 20);
  private static final long SEED = Long.getLong("graphmeta.seed", 11);

  /** An edge that was added, or ended. */
  private record Change(long stamp, EdgeKey edge, boolean added) {}

  /** What a reader has seen of the edges of a vertex. */
  private record Seen(ReadView view, long hub, boolean outgoing, Set<EdgeKey> edges) {}

  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final Queue<Seen> notes = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean done = new AtomicBoolean();
  private long[] hubs;
  private long[] leaves;

  @ParameterizedTest
  @CsvSource({"dido, 4, 0, 600000", "dido, 8, 2, 600000", "giga, 5, 0, 600000", "dido, 4, 0, 0"})
  void readersSeeWhatWasCommitted(String placement, int shards, int threads, int keptMillis)
      throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SHARD_THREADS, threads)
            .with(Setting.PAGE_BYTES, 1024)
            .with(Setting.MOVED_ROWS_KEPT_MILLIS, keptMillis)
            .with(Setting.SPLIT_THRESHOLD, 8);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      run(database, shards);
    }
  }

  @ParameterizedTest
  @CsvSource({"dido, 4"})
  void onDiskAndReopened(String placement, int shards, @TempDir Path directory) throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("database"))
            .with(Setting.SHARDS, shards)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.DURABILITY, "background")
            .with(Setting.SPLIT_THRESHOLD, 8);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      run(database, shards);
    }
    notes.clear();
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int i = 0; i < 10; i++) {
        note(database, new Random(SEED + i));
      }
      compare();
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  /** Nothing is moved: who commits a vertex with many edges commits them to where they belong. */
  @ParameterizedTest
  @CsvSource({"dido, 4", "giga, 7", "vertex-cut, 3", "edge-cut, 3"})
  void vertexThatBeginsWithManyEdges(String placement, int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SPLIT_THRESHOLD, 16);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      create(database);
      long hub;
      Set<EdgeKey> added = new HashSet<>();
      try (GraphTransaction tx = database.begin()) {
        hub = tx.addVertex("new", "directory", Map.of(), Stamp.AT_COMMIT);
        for (long leaf : leaves) {
          added.add(tx.addEdge(null, hub, "contains", leaf, Map.of(), Stamp.AT_COMMIT));
        }
        long stamp = tx.commit();
        VertexPlacement placed = database.placement(hub);
        assertThat(placed.out()).hasSize(placement.equals("edge-cut") ? 1 : shards);
        assertThat(placed.out()).allMatch(each -> Set.of(0L, stamp).contains(each.sinceStamp()));
      }
      assertThat(database.splitNow()).as("splits").isZero();
      try (GraphTransaction tx = database.begin()) {
        assertThat(edges(tx, tx.snapshot(), hub, true)).isEqualTo(added);
        tx.removeVertex(hub, Stamp.AT_COMMIT);
        tx.commit();
      }
      try (GraphTransaction tx = database.begin()) {
        assertThat(edges(tx, tx.snapshot(), hub, true)).isEmpty();
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  /** Only what is there already is moved; the new edges are committed to where they belong. */
  @ParameterizedTest
  @CsvSource({"dido, 4", "giga, 7"})
  void vertexThatGetsManyEdgesAtOnce(String placement, int shards) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SPLIT_THRESHOLD, 16);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      create(database);
      Set<EdgeKey> added = new HashSet<>();
      addLeaves(database, added, 0, 10);
      assertThat(database.placement(hubs[0]).out()).hasSize(1);
      long stamp = addLeaves(database, added, 10, leaves.length);
      VertexPlacement placed = database.placement(hubs[0]);
      assertThat(placed.out()).hasSize(shards);
      assertThat(placed.out()).allMatch(each -> each.sinceStamp() < stamp);
      assertThat(database.splitNow()).as("splits").isZero();
      try (GraphTransaction tx = database.begin()) {
        assertThat(edges(tx, tx.snapshot(), hubs[0], true)).isEqualTo(added);
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  private long addLeaves(GraphDatabase database, Set<EdgeKey> added, int from, int to) {
    try (GraphTransaction tx = database.begin()) {
      for (int i = from; i < to; i++) {
        added.add(tx.addEdge(null, hubs[0], "contains", leaves[i], Map.of(), Stamp.AT_COMMIT));
      }
      return tx.commit();
    }
  }

  /**
   * Scans see each edge once whatever is split meanwhile, and a split that is under way while
   * everything is removed leaves nothing behind.
   */
  @Test
  void scansSeeEachEdgeOnceAndNoneThatWasRemoved(@TempDir Path directory) {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("database"))
            .with(Setting.SHARDS, 4)
            .with(Setting.DURABILITY, "background")
            .with(Setting.SPLIT_THRESHOLD, 64);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int round = 0; round < REMOVALS; round++) {
        create(database);
        try (GraphTransaction tx = database.begin()) {
          for (int i = 0; i < EDGES; i++) {
            long hub = hubs[i % HUBS];
            long leaf = leaves[i * 7 % leaves.length];
            boolean outgoing = i % 2 == 0;
            tx.addEdge(
                null,
                outgoing ? hub : leaf,
                "contains",
                outgoing ? leaf : hub,
                Map.of(),
                Stamp.AT_COMMIT);
          }
          assertThat(count(tx)).as("edges not committed in round " + round).isEqualTo(EDGES);
          tx.commit();
        }
        for (int scan = round % 7 == 0 ? 60 : round % 7; scan > 0; scan--) {
          try (GraphTransaction tx = database.begin()) {
            assertThat(count(tx)).as("edges in round " + round).isEqualTo(EDGES);
          }
        }
        database.clear();
      }
    }
  }

  private static int count(GraphTransaction tx) {
    int found = 0;
    try (ElementCursor<EdgeRecord> edges = tx.scanEdges(Set.of(), tx.snapshot())) {
      while (edges.next() != null) {
        found++;
      }
    }
    return found;
  }

  private void run(GraphDatabase database, int shards) throws InterruptedException {
    create(database);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Random random = new Random(SEED * 31 + i);
      threads.add(new Thread(() -> write(database, random), "writer-" + i));
    }
    List<Thread> readers =
        List.of(
            new Thread(() -> read(database, new Random(SEED)), "reader"),
            new Thread(() -> check(database), "check"));
    for (List<Thread> some : List.of(threads, readers)) {
      some.forEach(thread -> thread.setUncaughtExceptionHandler((t, e) -> failure.set(e)));
      some.forEach(Thread::start);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    done.set(true);
    for (Thread thread : readers) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    database.splitNow();
    for (int i = 0; i < 10; i++) {
      note(database, new Random(SEED - i));
    }
    compare();
    for (long hub : hubs) {
      VertexPlacement placement = database.placement(hub);
      assertThat(placement.out()).as("partitions of the edges that leave").hasSize(shards);
      assertThat(placement.in()).as("partitions of the edges that enter").hasSize(shards);
    }
    assertThat(database.check(rows -> {}).examples()).isEmpty();
  }

  private void create(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      hubs = new long[HUBS];
      leaves = new long[200];
      for (int i = 0; i < HUBS; i++) {
        hubs[i] = tx.addVertex("hub" + i, "directory", Map.of(), Stamp.AT_COMMIT);
      }
      for (int i = 0; i < leaves.length; i++) {
        leaves[i] = tx.addVertex("leaf" + i, "file", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  private void write(GraphDatabase database, Random random) {
    List<EdgeKey> mine = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      List<EdgeKey> added = new ArrayList<>();
      EdgeKey ended = null;
      try (GraphTransaction tx = database.begin()) {
        for (int edges = 1 + random.nextInt(3); edges > 0; edges--) {
          long hub = hubs[random.nextInt(HUBS)];
          long leaf = leaves[random.nextInt(leaves.length)];
          boolean outgoing = random.nextBoolean();
          added.add(
              tx.addEdge(
                  null,
                  outgoing ? hub : leaf,
                  random.nextBoolean() ? "contains" : "links",
                  outgoing ? leaf : hub,
                  Map.of("n", i),
                  Stamp.AT_COMMIT));
        }
        if (!mine.isEmpty() && random.nextInt(4) == 0) {
          ended = mine.get(random.nextInt(mine.size()));
          tx.removeEdge(ended, Stamp.AT_COMMIT);
        }
        long stamp = tx.commit();
        added.forEach(edge -> changes.add(new Change(stamp, edge, true)));
        mine.addAll(added);
        if (ended != null) {
          changes.add(new Change(stamp, ended, false));
          mine.remove(ended);
        }
      } catch (GraphMetaException e) {
        // Only who changes an edge that was moved meanwhile, or comes second, is refused.
        assertThat(e.code()).isIn(ErrorCode.SNAPSHOT_TOO_OLD, ErrorCode.CONFLICT);
        assertThat(ended).as("refused although it only added edges: " + e).isNotNull();
      }
    }
  }

  private void read(GraphDatabase database, Random random) {
    while (!done.get()) {
      note(database, random);
    }
  }

  private void check(GraphDatabase database) {
    while (!done.get()) {
      try {
        assertThat(database.check(rows -> {}).examples()).as("meanwhile").isEmpty();
      } catch (GraphMetaException e) {
        requireMoved(database, e);
      }
    }
  }

  /** Where moved rows are not kept, whoever began before a split is refused. */
  private static void requireMoved(GraphDatabase database, GraphMetaException refused) {
    assertThat(refused.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
    assertThat(database.config().number(Setting.MOVED_ROWS_KEPT_MILLIS)).isZero();
  }

  private void note(GraphDatabase database, Random random) {
    try (GraphTransaction tx = database.begin()) {
      ReadView now = tx.snapshot();
      List<Change> known = new ArrayList<>(changes);
      long past =
          known.isEmpty()
              ? now.knownAt()
              : Math.min(now.knownAt(), known.get(random.nextInt(known.size())).stamp());
      for (ReadView view :
          List.of(now, new ReadView(past, past), new ReadView(past, now.knownAt()))) {
        long hub = hubs[random.nextInt(HUBS)];
        boolean outgoing = random.nextBoolean();
        notes.add(new Seen(view, hub, outgoing, edges(tx, view, hub, outgoing)));
      }
    } catch (GraphMetaException e) {
      requireMoved(database, e);
    }
  }

  private static Set<EdgeKey> edges(
      GraphTransaction tx, ReadView view, long hub, boolean outgoing) {
    Set<EdgeKey> edges = new HashSet<>();
    Expansion expansion =
        new Expansion(
            new long[] {hub}, outgoing ? Direction.OUT : Direction.IN, Set.of(), outgoing);
    try (AdjacencyCursor cursor = tx.expand(expansion, view)) {
      while (cursor.next()) {
        assertThat(edges.add(cursor.edge().key())).as("an edge comes once").isTrue();
      }
    }
    return edges;
  }

  private void compare() {
    Map<EdgeKey, long[]> lifetimes = new HashMap<>();
    for (Change change : changes) {
      long[] lifetime =
          lifetimes.computeIfAbsent(change.edge(), edge -> new long[] {0, Long.MAX_VALUE});
      lifetime[change.added() ? 0 : 1] = change.stamp();
    }
    for (Seen note : notes) {
      long at = note.view().validAt();
      Set<EdgeKey> expected = new HashSet<>();
      lifetimes.forEach(
          (edge, lifetime) -> {
            boolean ofHub = (note.outgoing() ? edge.out() : edge.in()) == note.hub();
            if (ofHub && lifetime[0] <= at && at < lifetime[1]) {
              expected.add(edge);
            }
          });
      assertThat(note.edges()).as("seed " + SEED + ", " + note.view()).isEqualTo(expected);
    }
  }
}
