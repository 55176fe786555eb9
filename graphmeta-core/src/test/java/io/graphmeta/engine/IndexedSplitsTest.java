package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.move.Splitter;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.router.Router;
import io.graphmeta.search.IndexKind;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.shard.index.FakeIndex;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Queries for edges find with indexes what they find without, in the same order, while vertices are
 * split over shards, at random views of transactions old and new: with edges that are added in the
 * present and in the past, changed and deleted, copies that are given up, rows that are removed
 * after a move, indexes that are created, dropped and built meanwhile, followers that lag, and
 * shards that are opened again. In the end the indexes hold what is stored.
 *
 * <p>All is done by one thread. A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone,
 * {@code -Dgraphmeta.sequences=N -Dgraphmeta.first-seed=N} runs others.
 */
class IndexedSplitsTest {
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 80);
  private static final int STEPS = 300;
  private static final int HUBS = 3;
  private static final int LEAVES = 24;
  private static final int SPLIT_THRESHOLD = 4;
  private static final List<String> LABELS = List.of("wrote", "read");
  private static final Set<IndexKind> KINDS = Set.of(IndexKind.EXACT, IndexKind.RANGE);

  @Test
  void edgesAreFoundWhileVerticesAreSplit() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one == null ? Long.getLong("graphmeta.first-seed", 1) : one;
    int asked = 0;
    int queries = 0;
    int splits = 0;
    int removed = 0;
    long compared = 0;
    for (long seed = first; seed < first + (one == null ? SEQUENCES : 1); seed++) {
      Sequence sequence = new Sequence(seed);
      try {
        sequence.run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("Fails with -Dgraphmeta.seed=" + seed, e);
      }
      asked += sequence.cluster.asked();
      queries += sequence.queries;
      splits += sequence.splits;
      removed += sequence.removed;
      compared += sequence.compared;
    }
    if (one == null) {
      assertThat(splits).as("splits").isGreaterThan(SEQUENCES * 3);
      assertThat(asked).as("asked indexes in %d queries", queries).isGreaterThan(queries / 4);
      assertThat(removed).as("shards with rows that were removed").isGreaterThan(SEQUENCES / 4);
      assertThat(compared).as("versions compared").isGreaterThan(SEQUENCES * 20L);
    }
  }

  /** Shards over stores in memory, and what they are asked by. */
  private static final class Cluster {
    private final Random random;
    private final Placement placement;
    private final VirtualNodeMap map;
    private final boolean keepsMoved;
    private final List<StorageEngine> stores = new ArrayList<>();
    private final List<FakeIndex.Disk> disks = new ArrayList<>();
    private final List<Shard> shards = new ArrayList<>();
    private final LocalTransport transport;
    final Router router;
    final RoutedIndexes indexes;
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private long millis;

    /** Whether a message of a move is lost now and then. */
    private boolean losesMoves;

    Cluster(Random random) {
      this.random = random;
      int size = 2 + random.nextInt(4);
      placement = random.nextInt(3) > 0 ? Placements.DIDO : Placements.GIGA;
      map = VirtualNodeMap.roundRobin(1, 16, size);
      keepsMoved = random.nextBoolean();
      List<RequestHandler> handlers = new ArrayList<>();
      for (int shard = 0; shard < size; shard++) {
        int number = shard;
        stores.add(new MemoryStorage());
        disks.add(new FakeIndex.Disk());
        handlers.add(call -> handle(number, call));
        shards.add(open(shard));
      }
      transport = new LocalTransport(handlers);
      shards.forEach(shard -> shard.join(transport));
      HybridClock clock = new HybridClock(() -> now, 0, 1_000_000);
      router = new Router(transport, map, placement, clock, 10_000, 1);
      indexes = new RoutedIndexes(router, () -> {});
    }

    private CompletableFuture<Response> handle(int shard, Call call) {
      boolean ofMove =
          call.request() instanceof Request.TakeEntries
              || call.request() instanceof Request.GiveEntries;
      if (ofMove && losesMoves && random.nextInt(10) == 0) {
        return CompletableFuture.failedFuture(
            new GraphMetaException(ErrorCode.UNREACHABLE, "The message was lost"));
      }
      return shards.get(shard).handle(call);
    }

    private Shard open(int shard) {
      ShardSettings settings =
          new ShardSettings(
              map,
              placement,
              SPLIT_THRESHOLD,
              keepsMoved ? 600_000 : 0,
              Durability.BACKGROUND,
              Durability.BACKGROUND,
              1 << 9,
              1_000_000,
              1000,
              500,
              1000,
              1 << 20,
              64,
              1 << 20,
              1000,
              false);
      StorageEngine store = stores.get(shard);
      return new Shard(shard, store, new LocalLog(store, "log"), () -> now, settings);
    }

    void tick() {
      now = now.plus(1 + random.nextInt(2000), ChronoUnit.MICROS);
    }

    void reopen() {
      int shard = random.nextInt(shards.size());
      if (random.nextBoolean()) {
        shards.get(shard).follower().close(millis);
      }
      shards.get(shard).close();
      now = now.plus(Shard.aheadMicros(stores.get(shard), () -> now), ChronoUnit.MICROS);
      shards.set(shard, open(shard));
      shards.get(shard).join(transport);
      for (int i = 0; i < 3; i++) { // it asks the others for the outcomes that it does not know
        millis += 1000;
        now = now.plusMillis(1);
        shards.forEach(each -> each.tick(millis, 0));
      }
    }

    void follow(int shard) {
      millis += random.nextInt(3000);
      shards.get(shard).follower().step(disks.get(shard), millis);
    }

    /** Removes rows that were moved away; returns whether there were some. */
    boolean keepHouse() {
      millis += 1000;
      int shard = random.nextInt(shards.size());
      int before = rows(shard);
      shards.get(shard).tick(millis, 0);
      return rows(shard) < before;
    }

    private int rows(int shard) {
      int rows = 0;
      try (RowCursor cursor = stores.get(shard).cursor(Family.OUT, Scope.FAMILY)) {
        for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
          rows++;
        }
      }
      return rows;
    }

    int split() {
      losesMoves = random.nextInt(3) == 0;
      try {
        int shard = random.nextInt(shards.size());
        return new Splitter(shard, router, new EntryPlaces(map, placement)).run();
      } finally {
        losesMoves = false;
      }
    }

    int asked() {
      return disks.stream().mapToInt(disk -> disk.asked).sum();
    }
  }

  private static final class Sequence {
    private final Random random;
    private final Cluster cluster;
    private final Transactions transactions;
    private final long[] hubs = new long[HUBS];
    private final long[] leaves = new long[LEAVES];
    private final List<EdgeKey> edges = new ArrayList<>();
    private final Set<EdgeKey> removedEdges = new HashSet<>();
    private final List<Long> stamps = new ArrayList<>();
    private final List<GraphTransaction> readers = new ArrayList<>();
    int queries;
    int splits;
    int removed;
    long compared;

    Sequence(long seed) {
      random = new Random(seed);
      cluster = new Cluster(random);
      TransactionLimits limits =
          new TransactionLimits(1 << 24, 1 << 20, 1024, 1 << 20, SPLIT_THRESHOLD, 1024);
      transactions = new Transactions(cluster.router, limits);
    }

    void run() {
      begin();
      for (int step = 0; step < STEPS; step++) {
        cluster.tick();
        switch (random.nextInt(30)) {
          case 0 -> define();
          case 1 -> cluster.reopen();
          case 2, 3, 4 -> splits += cluster.split();
          case 5, 6 -> removed += cluster.keepHouse() ? 1 : 0;
          case 7, 8, 9, 10, 11, 12 -> cluster.follow(random.nextInt(cluster.shards.size()));
          case 13 -> turnReader();
          case 14, 15, 16, 17, 18, 19, 20, 21 -> query();
          default -> write();
        }
      }
      settle();
      readers.forEach(GraphTransaction::close);
    }

    private void begin() {
      try (GraphTransaction tx = transactions.begin()) {
        for (int i = 0; i < HUBS; i++) {
          hubs[i] = tx.addVertex("hub" + i, "process", Map.of(), Stamp.AT_COMMIT);
        }
        for (int i = 0; i < LEAVES; i++) {
          leaves[i] = tx.addVertex("leaf" + i, "file", Map.of(), Stamp.AT_COMMIT);
        }
        stamps.add(tx.commit());
      }
      cluster.indexes.create("wrote.bytes", ElementKind.EDGE, KINDS);
    }

    private void define() {
      String name = LABELS.get(random.nextInt(2)) + (random.nextBoolean() ? ".bytes" : ".mode");
      boolean isThere =
          cluster.indexes.list().stream().anyMatch(each -> each.definition().name().equals(name));
      if (!isThere) {
        cluster.indexes.create(name, ElementKind.EDGE, KINDS);
      } else if (random.nextBoolean()) {
        cluster.indexes.drop(name);
      } else {
        cluster.indexes.rebuild(name);
      }
    }

    private long valid() {
      return random.nextInt(4) > 0
          ? Stamp.AT_COMMIT
          : stamps.get(random.nextInt(stamps.size())) + random.nextInt(2);
    }

    private Object bytes() {
      return random.nextInt(5) == 0 ? (Object) "many" : random.nextInt(10);
    }

    private Map<String, Object> properties() {
      return random.nextInt(4) == 0
          ? Map.of("mode", "m" + random.nextInt(3))
          : Map.of("bytes", bytes(), "mode", "m" + random.nextInt(3));
    }

    private void write() {
      List<EdgeKey> added = new ArrayList<>();
      Set<EdgeKey> ended = new HashSet<>();
      try (GraphTransaction tx = transactions.begin()) {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
          EdgeKey edge = edges.isEmpty() ? null : edges.get(random.nextInt(edges.size()));
          boolean isThere = edge != null && !removedEdges.contains(edge) && !ended.contains(edge);
          switch (isThere ? random.nextInt(8) : 0) {
            case 1, 2 -> tx.setEdgeProperty(edge, "bytes", bytes(), valid());
            case 3 -> tx.removeEdgeProperty(edge, "bytes", Stamp.AT_COMMIT);
            case 4 -> {
              tx.removeEdge(edge, Stamp.AT_COMMIT);
              ended.add(edge);
            }
            default ->
                added.add(
                    tx.addEdge(
                        null,
                        hubs[random.nextInt(HUBS)],
                        LABELS.get(random.nextInt(2)),
                        leaves[random.nextInt(LEAVES)],
                        properties(),
                        valid()));
          }
        }
        if (random.nextInt(4) == 0) {
          query(tx, tx.snapshot());
        }
        stamps.add(tx.commit());
        edges.addAll(added);
        removedEdges.addAll(ended);
      } catch (GraphMetaException e) {
        requireExpected(e);
      }
    }

    /** Conflicts, edges that were moved meanwhile, and changes before an edge was there. */
    private static void requireExpected(GraphMetaException e) {
      Set<ErrorCode> expected =
          Set.of(
              ErrorCode.CONFLICT,
              ErrorCode.SNAPSHOT_TOO_OLD,
              ErrorCode.MISPLACED,
              ErrorCode.NOT_FOUND,
              ErrorCode.INVALID_ARGUMENT);
      if (!expected.contains(e.code())) {
        throw e;
      }
    }

    private void turnReader() {
      if (readers.size() > 3 || readers.size() > 1 && random.nextBoolean()) {
        readers.remove(random.nextInt(readers.size())).close();
      } else {
        readers.add(transactions.begin());
      }
    }

    private void query() {
      if (!readers.isEmpty() && random.nextBoolean()) {
        queryOf(readers.get(random.nextInt(readers.size())));
      } else {
        try (GraphTransaction tx = transactions.begin()) {
          queryOf(tx);
        }
      }
    }

    private void queryOf(GraphTransaction tx) {
      ReadView view = tx.snapshot();
      if (random.nextInt(3) == 0) {
        long known = stamps.get(random.nextInt(stamps.size()));
        long valid = stamps.get(random.nextInt(stamps.size()));
        if (known <= view.snapshot()) {
          view =
              random.nextBoolean()
                  ? new ReadView(valid, known, view.snapshot())
                  : new ReadView(valid, view.snapshot());
        }
      }
      query(tx, view);
    }

    private void query(GraphTransaction tx, ReadView view) {
      Set<String> labels =
          random.nextInt(3) == 0 ? Set.copyOf(LABELS) : Set.of(LABELS.get(random.nextInt(2)));
      Condition where = condition(0);
      List<String> expected = outcome(tx, labels, null, where, view);
      List<String> found = outcome(tx, labels, where, where, view);
      queries++;
      if (expected == null || found == null) {
        assertThat(found).as("both are too old").isEqualTo(expected);
        return;
      }
      assertThat(found).as("%s of %s at %s", where, labels, view).isEqualTo(expected);
      if (!tx.hasWrites()) {
        assertThat(planned(tx, labels, where, view))
            .as("planned: %s of %s at %s", where, labels, view)
            .isEqualTo(expected.size());
      }
    }

    /** The edges that a condition is true of; null for a snapshot that is too old. */
    private @Nullable List<String> outcome(
        GraphTransaction tx,
        Set<String> labels,
        @Nullable Condition asked,
        Condition where,
        ReadView view) {
      List<String> found = new ArrayList<>();
      try (ElementCursor<EdgeRecord> cursor = tx.scanEdges(labels, asked, view)) {
        for (EdgeRecord edge = cursor.next(); edge != null; edge = cursor.next()) {
          if (isTrue(where, edge)) {
            found.add(edge.toString());
          }
        }
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
          throw e;
        }
        return null;
      }
      return found;
    }

    private static long planned(
        GraphTransaction tx, Set<String> labels, Condition where, ReadView view) {
      Plan plan =
          new Plan(
              new PlanSource.Scan(ElementKind.EDGE, List.copyOf(labels)),
              List.of(new PlanStep.Filter(where)),
              ResultRange.ALL,
              new PlanResult.Count());
      try (PlanCursor cursor = tx.run(plan, Seeds.NONE, view, Engine.PREFETCH)) {
        return cursor.next() ? cursor.bulk() : 0;
      }
    }

    private static boolean isTrue(Condition where, EdgeRecord edge) {
      if (where instanceof Condition.Property property) {
        Object value = edge.value(property.key());
        return value != null && ValueTests.passes(property.test(), value);
      } else if (where instanceof Condition.And and) {
        return and.of().stream().allMatch(each -> isTrue(each, edge));
      }
      return ((Condition.Or) where).of().stream().anyMatch(each -> isTrue(each, edge));
    }

    private Condition condition(int depth) {
      return switch (random.nextInt(depth < 2 ? 6 : 4)) {
        case 0 ->
            new Condition.Property(
                "mode", new ValueTest.Text(TextRelation.STARTS_WITH, "m" + random.nextInt(3)));
        case 1 -> new Condition.Property("bytes", compare(Comparison.EQUAL));
        case 2, 3 ->
            new Condition.Property(
                "bytes",
                compare(random.nextBoolean() ? Comparison.GREATER : Comparison.LESS_OR_EQUAL));
        case 4 -> new Condition.And(List.of(condition(depth + 1), condition(depth + 1)));
        default -> new Condition.Or(List.of(condition(depth + 1), condition(depth + 1)));
      };
    }

    private ValueTest compare(Comparison comparison) {
      return new ValueTest.Compare(comparison, random.nextInt(10));
    }

    /** With nothing more to do, all indexes are built, and hold what belongs where it is. */
    private void settle() {
      for (int round = 0; round < 30; round++) {
        cluster.tick();
        cluster.millis += 70_000;
        try (GraphTransaction tx = transactions.begin()) {
          assertThat(tx.hasWrites()).isFalse(); // shards have closed its snapshot
        }
        for (int shard = 0; shard < cluster.shards.size(); shard++) {
          cluster.shards.get(shard).tick(cluster.millis, 0);
          cluster.follow(shard);
        }
      }
      for (IndexStatus status : cluster.indexes.list()) {
        assertThat(status.isBuilt()).as("%s", status).isTrue();
      }
      query();
      for (IndexCheck check : cluster.indexes.check(null, versions -> {})) {
        assertThat(check.isClean()).as("%s", check).isTrue();
        compared += check.shards().stream().mapToLong(IndexCheck.OnShard::versions).sum();
      }
    }
  }
}
