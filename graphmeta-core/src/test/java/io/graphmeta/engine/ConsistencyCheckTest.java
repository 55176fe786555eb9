package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.router.Router;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.shard.commits.StoredIntent;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants faults into the stores of four shards and expects the check to find each. */
class ConsistencyCheckTest {
  private static final int SHARDS = 4;
  private static final int VERTICES = 40;
  private static final long RECOVERY_MILLIS = 300;

  private final VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 64, SHARDS);
  private final List<StorageEngine> stores = new ArrayList<>();
  private final List<Shard> shards = new ArrayList<>();
  private final long[] vertices = new long[VERTICES];
  private final EdgeKey[] edges = new EdgeKey[VERTICES];
  private AwayShards transport;
  private Router router;

  /** A ring of vertices and edges with ids, whose transactions write to several shards. */
  @BeforeEach
  void fill() {
    for (int shard = 0; shard < SHARDS; shard++) {
      StorageEngine store = new MemoryStorage();
      ShardSettings settings =
          new ShardSettings(
              map,
              Placements.DIDO,
              128,
              600_000,
              Durability.BACKGROUND,
              Durability.BACKGROUND,
              2000,
              1_000_000,
              1000,
              500,
              1000,
              1 << 20,
              64,
              1 << 20,
              1000,
              false);
      stores.add(store);
      shards.add(
          new Shard(shard, store, new LocalLog(store, "log"), InstantSource.system(), settings));
    }
    HybridClock clock = new HybridClock(InstantSource.system(), 0, 1_000_000);
    transport = new AwayShards(new LocalTransport(shards));
    router = new Router(transport, map, Placements.DIDO, clock, 10_000, 1);
    for (int i = 0; i < VERTICES; i++) {
      try (GraphTransaction tx = begin()) {
        vertices[i] = tx.addVertex("v" + i, "file", Map.of("n", i), Stamp.AT_COMMIT);
        tx.commit();
      }
    }
    for (int i = 0; i < VERTICES; i++) {
      try (GraphTransaction tx = begin()) {
        long in = vertices[(i + 1) % VERTICES];
        edges[i] = tx.addEdge("e" + i, vertices[i], "read", in, Map.of("n", i), Stamp.AT_COMMIT);
        tx.setVertexProperty(in, "n", -i, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
      }
    }
    try (GraphTransaction tx = begin()) {
      tx.removeVertex(vertices[7], Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  private GraphTransaction begin() {
    return new Transactions(
            router, new TransactionLimits(1 << 24, 1 << 20, 1024, 1 << 20, 128, 1024))
        .begin();
  }

  private CheckReport check() {
    return new ConsistencyCheck(
            router,
            rows -> {},
            () -> Stamp.micros(Stamp.startOf(InstantSource.system().instant())),
            1000,
            RECOVERY_MILLIS)
        .run();
  }

  private void assertFound(String... words) {
    CheckReport report = check();
    assertThat(report.isClean()).isFalse();
    for (String word : words) {
      assertThat(report.examples()).anyMatch(example -> example.contains(word));
    }
  }

  private void put(int shard, Family family, byte[] key, byte[] value) {
    RowBatch batch = new RowBatch(64);
    batch.put(family, key, value);
    stores.get(shard).write(batch, Durability.BACKGROUND);
  }

  private void delete(int shard, Family family, byte[] key) {
    RowBatch batch = new RowBatch(64);
    batch.delete(family, key);
    stores.get(shard).write(batch, Durability.BACKGROUND);
  }

  /** The keys of a family on a shard that a test wants, at least one. */
  private List<byte[]> keys(int shard, Family family, Predicate<byte[]> wanted) {
    List<byte[]> keys = new ArrayList<>();
    try (RowCursor cursor = stores.get(shard).cursor(family, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
        byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
        if (wanted.test(key)) {
          keys.add(key);
        }
      }
    }
    assertThat(keys).isNotEmpty();
    return keys;
  }

  private byte[] value(int shard, Family family, byte[] key) {
    return Objects.requireNonNull(stores.get(shard).get(family, key));
  }

  private static Predicate<byte[]> startsWith(byte[] prefix) {
    return key -> Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static Predicate<byte[]> ofVertex(long vertex) {
    byte[] prefix = new byte[8];
    BigEndian.putLong(prefix, 0, vertex);
    return startsWith(prefix);
  }

  /** An edge whose ends lie with two shards. */
  private EdgeKey crossing() {
    return Arrays.stream(edges)
        .filter(edge -> router.home(edge.out()) != router.home(edge.in()))
        .filter(edge -> edge.out() != vertices[7] && edge.in() != vertices[7])
        .findFirst()
        .orElseThrow();
  }

  /** Of two rows that do not agree one is seen: a fault, unless the other is with who is away. */
  @Test
  void faultsAreFoundBesideShardsThatAreAway() {
    EdgeKey edge = crossing();
    int out = router.home(edge.out());
    int in = router.home(edge.in());
    delete(in, Family.IN, keys(in, Family.IN, ofVertex(edge.in())).get(0));
    int others = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      transport.takeAway(Set.of(shard), 0);
      if (shard != out && shard != in) {
        assertFound("has an entry in OUT and none in IN on shard " + in);
        others++;
      }
    }
    assertThat(others).isEqualTo(2);
    transport.takeAway(Set.of(in), 0);
    assertThat(check().examples()).isEmpty();
  }

  @Test
  void whatTransactionsWriteIsClean() {
    CheckReport report = check();
    assertThat(report.examples()).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(report.livingVertices()).isEqualTo(VERTICES - 1);
    assertThat(report.livingEdges()).isEqualTo(VERTICES - 2);
    assertThat(report.ids()).isEqualTo(2 * VERTICES);
    assertThat(report.intents()).isGreaterThan(VERTICES / 2);
    assertThat(report.laterVersions()).isZero();
  }

  @Test
  void anEntryThatIsThereAtOneEndOnly() {
    EdgeKey edge = crossing();
    int home = router.home(edge.in());
    keys(home, Family.IN, startsWith(RowKeys.inSlot(edge)))
        .forEach(key -> delete(home, Family.IN, key));
    assertFound("has an entry in OUT and none in IN on shard " + home);
  }

  @Test
  void anUndonePartThatLeftItsRows() {
    EdgeKey edge = crossing();
    int home = router.home(edge.out());
    keys(home, Family.OUT, startsWith(RowKeys.outBodySlot(edge)))
        .forEach(key -> delete(home, Family.OUT, key));
    for (int shard = 0; shard < SHARDS; shard++) {
      for (byte[] key : keys(shard, Family.META, StoredIntent::isKey)) {
        delete(shard, Family.META, key);
      }
    }
    assertFound("has an entry in IN and none in OUT", "leads to an element that is not there");
  }

  @Test
  void anEdgeThatEndedAtOneEnd() {
    EdgeKey edge = crossing();
    int home = router.home(edge.in());
    byte[] key = keys(home, Family.IN, startsWith(RowKeys.inSlot(edge))).get(0);
    put(home, Family.IN, key, RowValues.tombstone());
    assertFound("has ended at one end only");
  }

  @Test
  void aVertexWithoutItsBody() {
    int home = router.home(vertices[3]);
    byte[] slot = RowKeys.vertexBodySlot(vertices[3]);
    keys(home, Family.ATTRIBUTES, startsWith(slot))
        .forEach(key -> delete(home, Family.ATTRIBUTES, key));
    assertFound("has properties but no body", "which is not there", "or has another id");
  }

  @Test
  void anEdgeOfADeletedVertex() {
    int home = router.home(vertices[12]);
    byte[] slot = RowKeys.vertexBodySlot(vertices[12]);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    long now = router.snapshot();
    int length = RowKeys.appendStamps(key, slot.length, now - 1, now - 1);
    put(home, Family.ATTRIBUTES, Arrays.copyOf(key, length), RowValues.tombstone());
    assertFound("exists, but its end");
  }

  @Test
  void aValueThatCannotBeRead() {
    int home = router.home(vertices[3]);
    byte[] key = keys(home, Family.ATTRIBUTES, ofVertex(vertices[3])).get(0);
    put(home, Family.ATTRIBUTES, key, new byte[] {0, 1, 1, 3, 99});
    assertFound("cannot be read");
  }

  @Test
  void rowsThatLieWithAnotherShard() {
    int home = router.home(vertices[3]);
    int other = (home + 1) % SHARDS;
    for (Family family : List.of(Family.ATTRIBUTES, Family.OUT, Family.IN)) {
      for (byte[] key : keys(home, family, ofVertex(vertices[3]))) {
        put(other, family, key, value(home, family, key));
        if (family != Family.ATTRIBUTES) {
          delete(home, family, key);
        }
      }
    }
    int idHome = router.home("v5");
    byte[] idKey = RowKeys.vertexIdKey("v5");
    int elsewhere = (idHome + 1) % SHARDS;
    put(elsewhere, Family.IDS, idKey, value(idHome, Family.IDS, idKey));
    assertFound(
        "Vertex ~", // all of them name the place
        "in OUT lies on shard " + other + ", not on " + home,
        "in IN lies on shard " + other + ", not on " + home,
        "Id 'v5' lies on shard " + elsewhere + ", not on " + idHome);
  }

  @Test
  void copiesOfEntriesAreNoFault() {
    int home = router.home(vertices[3]);
    int other = (home + 1) % SHARDS;
    int copies = 0;
    for (Family family : List.of(Family.OUT, Family.IN)) {
      for (byte[] key : keys(home, family, ofVertex(vertices[3]))) {
        put(other, family, key, value(home, family, key));
        copies++;
      }
    }
    CheckReport report = check();
    assertThat(report.examples()).isEmpty();
    assertThat(report.keptRows()).isEqualTo(copies);
  }

  @Test
  void anIdThatDoesNotLeadToItsElement() {
    delete(router.home("v5"), Family.IDS, RowKeys.vertexIdKey("v5"));
    delete(router.home("e9"), Family.IDS, RowKeys.edgeIdKey("e9"));
    assertFound("Id 'v5' does not lead to its vertex", "Id 'e9' does not lead to its edge");
  }

  @Test
  void anIdThatLeadsNowhere() {
    byte[] idKey = RowKeys.vertexIdKey("v5");
    byte[] stored = value(router.home("v5"), Family.IDS, idKey);
    byte[] longer = Arrays.copyOf(stored, 16);
    BigEndian.putLong(longer, 8, vertices[5] + (1L << 30));
    put(router.home("v5"), Family.IDS, idKey, longer);
    assertFound("Id 'v5' leads to an element that is not there");
  }

  @Test
  void aPartThatIsLost() {
    byte[] key = null;
    StoredIntent intent = null;
    for (byte[] each : keys(0, Family.META, StoredIntent::isKey)) {
      key = each;
      intent = StoredIntent.read(each, value(0, Family.META, each));
    }
    Objects.requireNonNull(intent).rows().forEach(row -> delete(0, row.family(), row.key()));
    delete(0, Family.META, Objects.requireNonNull(key));
    assertFound("Transaction " + intent.id() + " has no part on shard 0");
  }

  @Test
  void aRowOfAPartThatIsLost() {
    byte[] key = keys(1, Family.META, StoredIntent::isKey).get(0);
    StoredIntent intent = StoredIntent.read(key, value(1, Family.META, key));
    StoredIntent.Row row = intent.rows().get(0);
    delete(1, row.family(), row.key());
    assertFound("has lost a row of " + row.family() + " on shard 1");
  }

  @Test
  void anIntentThatIsNone() {
    byte[] key = keys(1, Family.META, StoredIntent::isKey).get(0);
    put(1, Family.META, key, new byte[] {2, 1});
    assertFound("An intent on shard 1 cannot be read");
    put(1, Family.META, key, new byte[] {2, 1, 9});
    assertFound("names shard 9, which there is not");
    put(1, Family.META, key, new byte[] {2, 2, 3});
    assertFound("is no transaction of shard 1");
  }

  /** What is under way is no fault, but nothing may be under way for long. */
  @Test
  void aPartWithoutAnOutcome() {
    shards.forEach(shard -> shard.tick(1000, 0));
    long vertex = router.newVertexKey(1, "under way");
    int home = router.home(vertex);
    StagedRows rows = new StagedRows(64);
    byte[] body = {0, 0};
    rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(vertex), 0, body, 2);
    long snapshot = router.snapshot();
    Request prepare =
        new Request.Prepare(
            new TransactionId(Stamp.plusMicros(snapshot, 100_000), 1, 999),
            new int[] {home, (home + 1) % SHARDS},
            rows,
            snapshot,
            new long[0],
            new long[0],
            null);
    Response held = shards.get(home).handle(new Call(1, 1000, prepare)).join();
    assertThat(held).isEqualTo(new Response.Prepared());

    CheckReport young = check();
    assertThat(young.examples()).isEmpty();
    assertThat(young.laterVersions()).isEqualTo(1);
    shards.forEach(shard -> shard.tick(1001 + RECOVERY_MILLIS, 0));
    CheckReport old = check();
    assertThat(old.faults()).isEqualTo(1);
    assertThat(old.examples().get(0))
        .contains("Shard " + home + " has waited for the outcome of a transaction for 301 ms");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void writersAtWorkAreNoFault(int shards) throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, shards).with(Setting.PAGE_BYTES, 4096);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int writer = i;
        writers.add(new Thread(() -> write(database, new Random(writer), done)));
      }
      writers.forEach(thread -> thread.setUncaughtExceptionHandler((t, e) -> failure.set(e)));
      writers.forEach(Thread::start);
      long later = 0;
      for (int round = 0; round < 25 || later == 0 && round < 10_000; round++) {
        CheckReport report = database.check(rows -> {});
        assertThat(report.examples()).isEmpty();
        later += report.laterVersions();
      }
      done.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(later).as("versions that came while the checks ran").isPositive();
      assertThat(database.check(rows -> {}).isClean()).isTrue();
    }
  }

  /** Adds, joins, changes and removes elements with few ids, so that ids are given again. */
  private static void write(GraphDatabase database, Random random, AtomicBoolean done) {
    while (!done.get()) {
      try (GraphTransaction tx = database.begin()) {
        String id = "v" + random.nextInt(60);
        String other = "v" + random.nextInt(60);
        List<VertexRecord> found = tx.verticesById(List.of(id, other), tx.snapshot());
        if (found.get(0) == null) {
          tx.addVertex(id, "file", Map.of("n", 1), Stamp.AT_COMMIT);
        } else if (random.nextInt(4) == 0) {
          tx.removeVertex(found.get(0).key(), Stamp.AT_COMMIT);
        } else if (found.get(1) != null) {
          String edge = "e" + random.nextInt(60);
          if (tx.edgesById(List.of(edge), tx.snapshot()).get(0) == null) {
            tx.addEdge(
                edge, found.get(0).key(), "read", found.get(1).key(), Map.of(), Stamp.AT_COMMIT);
          }
        }
        tx.commit();
      } catch (GraphMetaException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
      }
    }
  }
}
