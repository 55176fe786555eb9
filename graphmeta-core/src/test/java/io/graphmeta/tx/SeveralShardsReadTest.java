package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.RequestHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The same rows on one shard and spread over several: every read must give the same answer in the
 * same order, and ask each shard no more than once for what fits into a page.
 *
 * <p>A failure names its seed; {@code -Dgraphmeta.seed=N} runs that graph alone.
 */
class SeveralShardsReadTest {
  private static final int VIRTUAL_NODES = 64;
  private static final int SMALL_PAGE = 400;
  private static final int LARGE_PAGE = 1 << 20;
  private static final long VALID = Stamp.startOfMicros(1_600_000_000_000_000L);

  @Test
  void answersAreThoseOfOneShardInTheSameOrder() {
    compareWithOneShard(Placements.DIDO, new SplitPlan(0));
  }

  @Test
  void alsoWithTheEdgesOfEachVertexOnAllShards() {
    compareWithOneShard(Placements.VERTEX_CUT, new SplitPlan(0));
  }

  @Test
  void alsoOfSplitVertices() {
    for (Placement placement : List.of(Placements.DIDO, Placements.GIGA)) {
      compareWithOneShard(placement, new SplitPlan(0.5));
    }
  }

  private static void compareWithOneShard(Placement placement, SplitPlan splits) {
    Long given = Long.getLong("graphmeta.seed");
    long first = given == null ? 1 : given;
    long last = given == null ? 40 : given;
    for (long seed = first; seed <= last; seed++) {
      int shards = 2 + (int) (seed % 6);
      try {
        Contents contents = new Contents(new Random(seed));
        Cluster one = new Cluster(1, SMALL_PAGE);
        Cluster several = new Cluster(shards, SMALL_PAGE, placement);
        one.fill(contents);
        several.fill(contents, splits, new Random(seed));
        compare(one, several, contents, new Random(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            placement.name()
                + " fails with seed "
                + seed
                + "; replay with -Dgraphmeta.seed="
                + seed,
            e);
      }
    }
  }

  private static void compare(Cluster one, Cluster several, Contents contents, Random random) {
    for (int round = 0; round < 20; round++) {
      try (GraphTransaction expected = one.begin();
          GraphTransaction actual = several.begin()) {
        if (round % 2 == 1) {
          long changes = random.nextLong();
          change(expected, contents, new Random(changes));
          change(actual, contents, new Random(changes));
        }
        long[] frontier = someKeys(contents, random);
        Expansion expansion =
            new Expansion(
                frontier,
                Direction.values()[random.nextInt(3)],
                random.nextBoolean() ? Set.of() : Set.of("read", "unheard of"),
                random.nextBoolean());
        assertThat(expanded(actual, expansion))
            .as("expand %s", expansion)
            .isEqualTo(expanded(expected, expansion));
        assertThat(shown(actual.vertices(frontier, actual.snapshot())))
            .isEqualTo(shown(expected.vertices(frontier, expected.snapshot())));
        List<String> ids = someIds(contents, random);
        assertThat(shown(actual.verticesById(ids, actual.snapshot())))
            .isEqualTo(shown(expected.verticesById(ids, expected.snapshot())));
        assertThat(shownEdges(actual.edgesById(ids, actual.snapshot())))
            .isEqualTo(shownEdges(expected.edgesById(ids, expected.snapshot())));
        long some = contents.vertices.get(random.nextInt(contents.vertices.size())).key;
        assertThat(edgesEver(several, some)).isEqualTo(edgesEver(one, some));
        List<EdgeKey> keys = someEdges(contents, random);
        assertThat(shownEdges(actual.edges(keys, actual.snapshot())))
            .isEqualTo(shownEdges(expected.edges(keys, expected.snapshot())));
        compareScans(expected, actual);
      }
    }
  }

  private static void compareScans(GraphTransaction expected, GraphTransaction actual) {
    for (Set<String> labels :
        List.<Set<String>>of(Set.of(), Set.of("job"), Set.of("file", "job"))) {
      List<String> vertices = shown(all(actual.scanVertices(labels, actual.snapshot())));
      assertThat(vertices)
          .isEqualTo(shown(all(expected.scanVertices(labels, expected.snapshot()))));
      assertThat(actual.countVertices(labels, actual.snapshot())).isEqualTo(vertices.size());
    }
    for (Set<String> labels : List.<Set<String>>of(Set.of(), Set.of("read"))) {
      List<String> edges = shownEdges(all(actual.scanEdges(labels, actual.snapshot())));
      assertThat(edges).isEqualTo(shownEdges(all(expected.scanEdges(labels, expected.snapshot()))));
      assertThat(actual.countEdges(labels, actual.snapshot())).isEqualTo(edges.size());
    }
  }

  /** Pending writes between stored vertices: edges added, edges and properties changed. */
  private static void change(GraphTransaction tx, Contents contents, Random random) {
    List<EdgeKey> living = contents.livingEdges();
    for (int i = 0; i < 5; i++) {
      long out = contents.livingVertex(random);
      tx.addEdge(
          null,
          out,
          random.nextBoolean() ? "read" : "wrote",
          contents.livingVertex(random),
          Map.of("n", random.nextInt(100)),
          Stamp.AT_COMMIT);
      EdgeKey changed = living.get(random.nextInt(living.size()));
      if (tx.edges(List.of(changed), tx.snapshot()).get(0) == null) {
        continue;
      }
      if (random.nextBoolean()) {
        tx.removeEdge(changed, Stamp.AT_COMMIT);
      } else {
        tx.setEdgeProperty(changed, "n", random.nextInt(100), Stamp.AT_COMMIT);
      }
    }
  }

  private static long[] someKeys(Contents contents, Random random) {
    return random
        .ints(random.nextInt(80), 0, contents.vertices.size())
        .mapToLong(i -> contents.vertices.get(i).key)
        .toArray();
  }

  private static List<String> someIds(Contents contents, Random random) {
    List<String> ids = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      int which = random.nextInt(contents.vertices.size());
      switch (random.nextInt(6)) {
        case 0 -> ids.add("absent" + which);
        case 1 -> ids.add(GeneratedIds.ofVertex(contents.vertices.get(which).key));
        case 2 -> ids.add(GeneratedIds.ofEdge(contents.edges.get(which).key));
        case 3 -> ids.add("e" + which);
        default -> ids.add("v" + which);
      }
    }
    return ids;
  }

  private static List<EdgeKey> someEdges(Contents contents, Random random) {
    return random
        .ints(random.nextInt(80), 0, contents.edges.size())
        .mapToObj(i -> contents.edges.get(i).key)
        .toList();
  }

  private static List<String> expanded(GraphTransaction tx, Expansion expansion) {
    List<String> found = new ArrayList<>();
    try (AdjacencyCursor cursor = tx.expand(expansion, tx.snapshot())) {
      while (cursor.next()) {
        found.add(
            cursor.frontierIndex()
                + (cursor.outgoing() ? " -> " : " <- ")
                + cursor.otherVertex()
                + " "
                + shown(cursor.edge()));
      }
      assertThat(cursor.next()).isFalse();
    }
    return found;
  }

  private static List<EdgeKey> edgesEver(Cluster cluster, long vertex) {
    List<EdgeKey> found = new ArrayList<>();
    ReadView now = ReadView.at(cluster.router.snapshot());
    StoredElements.of(cluster.router).history().edgesEver(vertex, now, found::add);
    return found;
  }

  private static <T> List<T> all(ElementCursor<T> cursor) {
    List<T> found = new ArrayList<>();
    try (cursor) {
      for (T next = cursor.next(); next != null; next = cursor.next()) {
        found.add(next);
      }
      assertThat(cursor.next()).isNull();
    }
    return found;
  }

  private static List<String> shown(List<VertexRecord> vertices) {
    return vertices.stream()
        .map(v -> v == null ? "-" : v.key() + " " + v.id() + " " + v.label() + values(v))
        .toList();
  }

  private static List<String> shownEdges(List<EdgeRecord> edges) {
    return edges.stream().map(SeveralShardsReadTest::shown).toList();
  }

  /** Without the sequence, which differs for pending edges. */
  private static String shown(EdgeRecord edge) {
    return edge == null
        ? "-"
        : edge.key().out() + " " + edge.label() + " " + edge.key().in() + " " + edge.value("n");
  }

  private static Map<String, Object> values(VertexRecord vertex) {
    Map<String, Object> values = new TreeMap<>();
    vertex.properties().forEach(property -> values.put(property.key(), property.value()));
    return values;
  }

  @Test
  void aBatchThatFitsIntoAPageAsksEachShardOnce() {
    Contents contents = new Contents(new Random(5));
    Cluster several = new Cluster(4, LARGE_PAGE);
    several.fill(contents);
    try (GraphTransaction tx = several.begin()) {
      ReadView now = tx.snapshot();
      long[] frontier = contents.vertices.stream().mapToLong(v -> v.key).toArray();
      List<String> ids =
          IntStream.range(0, frontier.length).mapToObj(i -> (i % 2 == 0 ? "v" : "e") + i).toList();
      List<EdgeKey> edges = contents.edges.stream().map(e -> e.key).toList();

      assertThat(several.requests(() -> tx.vertices(frontier, now))).containsOnly(1, 1, 1, 1);
      assertThat(several.requests(() -> tx.verticesById(ids, now))).containsOnly(1, 1, 1, 1);
      assertThat(several.requests(() -> tx.edges(edges, now))).containsOnly(1, 1, 1, 1);
      // The ids first, and then the edges at their sources.
      assertThat(several.requests(() -> tx.edgesById(ids, now))).containsOnly(2, 2, 2, 2);
      Expansion out = new Expansion(frontier, Direction.OUT, Set.of(), true);
      assertThat(several.requests(() -> expanded(tx, out))).containsOnly(1, 1, 1, 1);
      Expansion in = new Expansion(frontier, Direction.IN, Set.of(), false);
      assertThat(several.requests(() -> expanded(tx, in))).containsOnly(1, 1, 1, 1);
      assertThat(several.requests(() -> all(tx.scanVertices(Set.of(), now))))
          .containsOnly(1, 1, 1, 1);
    }
  }

  @Test
  void onlyTheShardsThatHoldSomethingAreAsked() {
    Contents contents = new Contents(new Random(6));
    Cluster several = new Cluster(4, LARGE_PAGE);
    several.fill(contents);
    try (GraphTransaction tx = several.begin()) {
      long vertex = contents.vertices.get(0).key;
      int home = several.map.shard(VertexKeys.virtualNode(vertex));
      int[] expected = new int[4];
      expected[home] = 1;
      Expansion out = new Expansion(new long[] {vertex, vertex}, Direction.OUT, Set.of(), true);
      assertThat(several.requests(() -> expanded(tx, out))).isEqualTo(expected);
      assertThat(several.requests(() -> tx.vertices(new long[] {vertex}, tx.snapshot())))
          .isEqualTo(expected);
      Expansion nothing = new Expansion(new long[0], Direction.OUT, Set.of(), true);
      assertThat(several.requests(() -> expanded(tx, nothing))).containsOnly(0, 0, 0, 0);
    }
  }

  @Test
  void anIdGivenAgainForgetsElementsThatNeverCameToBe() {
    for (int shards : new int[] {1, 4}) {
      Cluster cluster = new Cluster(shards, LARGE_PAGE);
      long lost = VertexKeys.pack(1, 77, cluster.map.virtualNode("a"));
      EdgeKey lostEdge = new EdgeKey(lost, 1, lost, 9);
      StagedRows rows = new StagedRows(100);
      ByteWriter key = new ByteWriter(8).putLong(lost);
      rows.addPlain(Family.IDS, RowKeys.vertexIdKey("a"), key.toArray());
      cluster.commit(cluster.map.shard(cluster.map.virtualNode("a")), rows);
      rows = new StagedRows(100);
      rows.addPlain(Family.IDS, RowKeys.edgeIdKey("b"), RowKeys.edgeKeyBytes(lostEdge));
      cluster.commit(cluster.map.shard(cluster.map.virtualNode("b")), rows);
      try (GraphTransaction tx = cluster.begin()) {
        assertThat(tx.incarnations("a")).isEmpty();
        assertThat(tx.verticesById(List.of("a"), tx.snapshot())).containsOnlyNulls();
        assertThat(tx.edgesById(List.of("b"), tx.snapshot())).containsOnlyNulls();
        long vertex = tx.addVertex("a", "file", Map.of(), Stamp.AT_COMMIT);
        EdgeKey edge = tx.addEdge("b", vertex, "read", vertex, Map.of(), Stamp.AT_COMMIT);
        tx.commit();
        assertThat(cluster.idRow("a", RowKeys.vertexIdKey("a")))
            .isEqualTo(new ByteWriter(8).putLong(vertex).toArray());
        assertThat(cluster.idRow("b", RowKeys.edgeIdKey("b")))
            .isEqualTo(RowKeys.edgeKeyBytes(edge));
      }
    }
  }

  /** A client learns of a name when it reads it, or asks for it. */
  @Test
  void labelsThatAnotherClientDefinesAreFound() {
    for (int shards : new int[] {1, 4}) {
      Cluster cluster = new Cluster(shards, LARGE_PAGE);
      Router other = cluster.client(2);
      long user;
      try (GraphTransaction tx = cluster.begin()) {
        user = tx.addVertex("u", "user", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, user, "knows", user, Map.of(), Stamp.AT_COMMIT);
        tx.setVariable("version", 7);
        tx.commit();
      }
      try (GraphTransaction tx = begin(other)) {
        ReadView now = tx.snapshot();
        Expansion known =
            new Expansion(new long[] {user}, Direction.OUT, Set.of("knows", "absent"), false);
        assertThat(expanded(tx, known)).hasSize(1);
        assertThat(shown(all(tx.scanVertices(Set.of("user"), now)))).hasSize(1);
        assertThat(tx.countEdges(Set.of("knows"), now)).isEqualTo(1);
        assertThat(tx.countVertices(Set.of("absent"), now)).isZero();
      }
    }
  }

  @Test
  void theVertexOfVariablesThatAnotherClientSetIsHidden() {
    for (int shards : new int[] {1, 4}) {
      Cluster cluster = new Cluster(shards, LARGE_PAGE);
      Router other = cluster.client(2);
      try (GraphTransaction tx = cluster.begin()) {
        tx.addVertex("a", "file", Map.of(), Stamp.AT_COMMIT);
        tx.setVariable("version", 7);
        tx.commit();
      }
      try (GraphTransaction tx = begin(other)) {
        ReadView now = tx.snapshot();
        assertThat(tx.countVertices(Set.of(), now)).isEqualTo(1);
        assertThat(shown(all(tx.scanVertices(Set.of(), now)))).hasSize(1);
        assertThat(tx.variables(now)).isEqualTo(Map.of("version", 7));
      }
    }
  }

  private static GraphTransaction begin(Router router) {
    return new Transactions(
            router, new TransactionLimits(1 << 24, 1 << 20, 1024, 1 << 20, 128, 1024))
        .begin();
  }

  /**
   * Splits of vertices, done by hand.
   *
   * @param share of the vertices whose edges are split, in each direction
   */
  private record SplitPlan(double share) {
    /** Some splits of a vertex, before or after the moment that the test reads at. */
    SplitState random(Random random, Placement placement, int shards, long now) {
      SplitState state = placement.initial(shards);
      for (int splits = random.nextDouble() < share ? 1 + random.nextInt(shards) : 0;
          splits > 0;
          splits--) {
        int of = state.partition(random.nextInt(state.size()));
        int next = placement.next(of, state, shards);
        if (next >= 0) {
          // Later splits are of later stamps, as those of a vertex are.
          long stamp = Math.max(state.newest(), random.nextInt(4) == 0 ? now * 2 : now - 100) + 1;
          state = state.with(next, stamp);
        }
      }
      return state;
    }
  }

  private record StoredVertex(long key, String id, boolean deleted, int n) {}

  private record StoredEdge(EdgeKey key, String id, boolean deleted, int n) {}

  /** A random graph with loops, parallel edges, deletions, and ids for some. */
  private static final class Contents {
    final List<StoredVertex> vertices = new ArrayList<>();
    final List<StoredEdge> edges = new ArrayList<>();

    Contents(Random random) {
      VirtualNodeMap map = VirtualNodeMap.roundRobin(1, VIRTUAL_NODES, 1);
      for (int i = 0; i < 120; i++) {
        String id = random.nextInt(5) == 0 ? null : "v" + i;
        int node = id == null ? random.nextInt(VIRTUAL_NODES) : map.virtualNode(id);
        // Counters of several shards come more than once.
        long key = VertexKeys.pack(1 + i % 2, 1 + random.nextInt(40), node);
        if (vertices.stream().noneMatch(v -> v.key == key)) {
          vertices.add(new StoredVertex(key, id, random.nextInt(8) == 0, i));
        }
      }
      for (int i = 0; i < 400; i++) {
        StoredVertex out = vertices.get(random.nextInt(vertices.size()));
        StoredVertex in = vertices.get(random.nextInt(vertices.size()));
        EdgeKey key = new EdgeKey(out.key, 1 + random.nextInt(2), in.key, i + 1L);
        boolean deleted = out.deleted || in.deleted || random.nextInt(8) == 0;
        edges.add(new StoredEdge(key, random.nextInt(3) == 0 ? "e" + i : null, deleted, i));
      }
    }

    long livingVertex(Random random) {
      List<StoredVertex> living = vertices.stream().filter(v -> !v.deleted).toList();
      return living.get(random.nextInt(living.size())).key;
    }

    List<EdgeKey> livingEdges() {
      return edges.stream().filter(e -> !e.deleted).map(e -> e.key).toList();
    }
  }

  /** Shards in memory behind a router, with a count of the requests that each gets. */
  private static final class Cluster {
    final VirtualNodeMap map;
    private final List<StorageEngine> stores = new ArrayList<>();
    private final List<RequestHandler> handlers = new ArrayList<>();
    private final int[] requests;
    private final Router router;
    private final EntryPlaces places;
    private final Map<Long, SplitState> outSplits = new HashMap<>();
    private final Map<Long, SplitState> inSplits = new HashMap<>();
    private long now;
    private long nextToken = 1;

    Cluster(int shards, int pageBytes) {
      this(shards, pageBytes, Placements.DIDO);
    }

    Cluster(int shards, int pageBytes, Placement placement) {
      map = VirtualNodeMap.roundRobin(1, VIRTUAL_NODES, shards);
      requests = new int[shards];
      for (int shard = 0; shard < shards; shard++) {
        StorageEngine storage = new MemoryStorage();
        stores.add(storage);
        handlers.add(counted(shard, shard(map, placement, shard, pageBytes, storage)));
      }
      places = new EntryPlaces(map, placement);
      router = client(1);
      router.define(
          SchemaImage.of(
              List.of(
                  new SchemaName(NameKind.VERTEX_LABEL, 1, "file", false),
                  new SchemaName(NameKind.VERTEX_LABEL, 2, "job", false),
                  new SchemaName(NameKind.EDGE_LABEL, 1, "read", false),
                  new SchemaName(NameKind.EDGE_LABEL, 2, "wrote", false),
                  new SchemaName(NameKind.PROPERTY_KEY, 1, "n", false))));
    }

    private static RequestHandler shard(
        VirtualNodeMap map, Placement placement, int shard, int pageBytes, StorageEngine storage) {
      ShardSettings settings =
          new ShardSettings(
              map,
              placement,
              128,
              600_000,
              Durability.BACKGROUND,
              Durability.BACKGROUND,
              pageBytes,
              1_000_000,
              1000,
              500,
              1000,
              1 << 20,
              64,
              1 << 20,
              1000,
              false);
      return new Shard(
          shard, storage, new LocalLog(storage, "log"), InstantSource.system(), settings);
    }

    private RequestHandler counted(int number, RequestHandler shard) {
      return call -> {
        requests[number]++;
        return shard.handle(call);
      };
    }

    GraphTransaction begin() {
      return SeveralShardsReadTest.begin(router);
    }

    /** A client of its own on the same shards. */
    Router client(long number) {
      HybridClock clock = new HybridClock(InstantSource.system(), 0, 1_000_000);
      return new Router(
          new LocalTransport(handlers), map, places.placement(), clock, 10_000, number);
    }

    /** How many requests each shard gets from an action. */
    int[] requests(Runnable action) {
      int[] before = requests.clone();
      action.run();
      return IntStream.range(0, before.length).map(i -> requests[i] - before[i]).toArray();
    }

    void commit(int shard, StagedRows rows) {
      long now = router.call(shard, new Request.Snapshot(0), Response.Stamped.class).stamp();
      Request commit = new Request.Commit(rows, nextToken++, now, 0, new long[0], new long[0]);
      router.call(shard, commit, Response.Stamped.class);
    }

    byte[] idRow(String id, byte[] key) {
      Request probe = new Request.ProbeRows(Family.IDS, new byte[][] {key});
      return router.call(router.home(id), probe, Response.Rows.class).values()[0];
    }

    void fill(Contents contents) {
      fill(contents, new SplitPlan(0), new Random(0));
    }

    void fill(Contents contents, SplitPlan plan, Random random) {
      now = router.snapshot();
      StagedRows[] rows = new StagedRows[requests.length];
      Arrays.setAll(rows, shard -> new StagedRows(1 << 16));
      for (StoredVertex vertex : contents.vertices) {
        outSplits.put(vertex.key, split(rows, vertex.key, true, plan, random));
        inSplits.put(vertex.key, split(rows, vertex.key, false, plan, random));
      }
      contents.vertices.forEach(vertex -> put(rows, vertex));
      contents.edges.forEach(edge -> put(rows, edge, random));
      for (int shard = 0; shard < rows.length; shard++) {
        commit(shard, rows[shard]);
      }
    }

    private void put(StagedRows[] rows, StoredVertex vertex) {
      StagedRows home = rows[router.home(vertex.key)];
      byte[] slot = RowKeys.vertexBodySlot(vertex.key);
      byte[] body = body(vertex.id, vertex.n);
      home.add(Family.ATTRIBUTES, slot, VALID, body, body.length);
      if (vertex.deleted) {
        RowBatch written = new RowBatch(64);
        byte[] tombstone = Arrays.copyOf(RowValues.tombstone(), 1);
        written.put(Family.ATTRIBUTES, stamped(slot, VALID + 1), tombstone);
        stores.get(router.home(vertex.key)).write(written, Durability.BACKGROUND);
      }
      if (vertex.id != null) {
        byte[] key = new ByteWriter(8).putLong(vertex.key).toArray();
        rows[router.home(vertex.id)].addPlain(Family.IDS, RowKeys.vertexIdKey(vertex.id), key);
      }
    }

    private SplitState split(
        StagedRows[] rows, long vertex, boolean outgoing, SplitPlan plan, Random random) {
      SplitState state = plan.random(random, places.placement(), map.shards(), now);
      for (int holder = 0; holder < state.size(); holder++) {
        StagedRows there = rows[places.holder(vertex, state.partition(holder))];
        for (int i = 0; i < state.size(); i++) {
          if (state.since(i) > 0) {
            ByteWriter key = new ByteWriter(SplitRows.SLOT_BYTES + 8);
            byte[] slot = SplitRows.slot(vertex, outgoing, state.partition(i));
            key.putBytes(slot, 0, slot.length).putLong(~state.since(i));
            there.addPlain(Family.SPLITS, key.toArray(), new byte[0]);
          }
        }
      }
      return state;
    }

    /** Puts an entry where it belongs, and perhaps where it was or will be. */
    private void putEntry(StoredEdge edge, boolean outgoing, byte[] body, Random random) {
      long owner = outgoing ? edge.key.out() : edge.key.in();
      long other = outgoing ? edge.key.in() : edge.key.out();
      SplitState state = (outgoing ? outSplits : inSplits).get(owner);
      BitSet holders = new BitSet();
      holders.set(places.shard(state.at(now), owner, other));
      for (int i = 0; i < state.size(); i++) {
        if (random.nextInt(3) == 0 && state.newest() > 0) {
          holders.set(places.shard(state.at(state.since(i)), owner, other));
        }
      }
      byte[] slot = outgoing ? RowKeys.outBodySlot(edge.key) : RowKeys.inSlot(edge.key);
      int length = outgoing ? body.length : RowValues.bodyHeaderLength(body, body.length);
      Family family = outgoing ? Family.OUT : Family.IN;
      holders.stream()
          .forEach(
              shard -> {
                // Past the shard, which would take no copies from a transaction.
                RowBatch written = new RowBatch(256);
                written.put(family, stamped(slot, VALID), Arrays.copyOf(body, length));
                if (edge.deleted) {
                  byte[] tombstone = Arrays.copyOf(RowValues.tombstone(), 1);
                  written.put(family, stamped(slot, VALID + 1), tombstone);
                }
                stores.get(shard).write(written, Durability.BACKGROUND);
              });
    }

    private static byte[] stamped(byte[] slot, long stamp) {
      byte[] key = Arrays.copyOf(slot, slot.length + 16);
      return Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, stamp, stamp));
    }

    private void put(StagedRows[] rows, StoredEdge edge, Random random) {
      byte[] body = body(edge.id, edge.n);
      putEntry(edge, true, body, random);
      putEntry(edge, false, body, random);
      if (edge.id != null) {
        rows[router.home(edge.id)].addPlain(
            Family.IDS, RowKeys.edgeIdKey(edge.id), RowKeys.edgeKeyBytes(edge.key));
      }
    }

    private static byte[] body(String id, int n) {
      ByteWriter value = new ByteWriter(64);
      RowValues.writeBodyHeader(value, id);
      ByteWriter property = new ByteWriter(16);
      ValueCodec.write(property, n);
      value.putVarInt(1).putVarInt(1).putVarInt(property.size());
      return value.putBytes(property.array(), 0, property.size()).toArray();
    }
  }
}
