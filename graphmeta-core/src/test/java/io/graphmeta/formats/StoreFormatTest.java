package io.graphmeta.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.node.HostedShard;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.search.IndexKind;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Databases that earlier builds wrote, each a compressed directory {@code NAME.zip}, are opened as
 * they are, say what {@code NAME.txt} says, and can be written to. With {@code
 * -Dgraphmeta.write-formats=true} this build writes databases of its own where there are none;
 * those that are there stay.
 */
class StoreFormatTest {
  private static final List<Integer> SHARDS = List.of(1, 4);
  private static final int THRESHOLD = 8;

  @TempDir private Path directory;

  static Stream<String> stores() throws IOException {
    try (Stream<Path> files = Files.list(GoldenFile.DIRECTORY)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".zip"))
          .map(name -> name.substring(0, name.length() - ".zip".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static String name(int shards) {
    return "store-3-shards-" + shards;
  }

  @ParameterizedTest
  @MethodSource("stores")
  void databasesOfEarlierBuildsSayWhatTheySaid(String name) throws IOException {
    List<String> expected = Files.readAllLines(GoldenFile.DIRECTORY.resolve(name + ".txt"));
    Path store = directory.resolve("store");
    StoredFiles.unpack(GoldenFile.DIRECTORY.resolve(name + ".zip"), store);
    GraphMetaConfig config =
        GraphDatabases.asCreated(GraphMetaConfig.inDirectory(store))
            .with(Setting.CREATE, "false")
            .with(Setting.SPLIT_THRESHOLD, THRESHOLD);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertSays(database, expected);
      try (GraphTransaction tx = database.begin()) {
        long added = tx.addVertex("added", "file", Map.of("size", 1L), Stamp.AT_COMMIT);
        tx.addEdge(null, added, "of", added, Map.of(), Stamp.AT_COMMIT);
        tx.commit();
      }
      assertSays(database, expected);
    }
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertSays(database, expected);
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.verticesById(List.of("added"), tx.snapshot()).get(0)).isNotNull();
      }
    }
  }

  private static void assertSays(GraphDatabase database, List<String> expected) {
    assertThat(GraphListing.of(database, GraphListing.pointsOf(expected)))
        .containsExactlyElementsOf(expected);
    assertThat(database.check(rows -> {}).examples()).isEmpty();
    assertThat(database.status()).allMatch(shard -> shard.openIntents() == 0);
  }

  @Test
  void thereIsADatabaseOfThisFormat() throws IOException {
    if (GoldenFile.WRITES) {
      for (int shards : SHARDS) {
        if (!Files.exists(GoldenFile.DIRECTORY.resolve(name(shards) + ".zip"))) {
          write(shards);
        }
      }
    }
    assertThat(stores()).containsAll(SHARDS.stream().map(StoreFormatTest::name).toList());
  }

  private void write(int shards) throws IOException {
    Path store = directory.resolve(name(shards));
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(store)
            .with(Setting.SHARDS, shards)
            .with(Setting.VIRTUAL_NODES, 16)
            .with(Setting.SPLIT_THRESHOLD, THRESHOLD);
    ExampleGraph graph = new ExampleGraph();
    List<String> listing;
    try (GraphDatabase database = GraphDatabases.open(config, graph.clock())) {
      graph.writeFirst(database);
    }
    try (GraphDatabase database = GraphDatabases.open(config, graph.clock())) {
      graph.writeRest(database);
      listing = GraphListing.of(database, graph.points());
    }
    if (shards > 1) {
      leaveIntent(config, graph.clock());
    } else {
      define(config, () -> graph.clock().instant().plusSeconds(1));
    }
    StoredFiles.pack(store, GoldenFile.DIRECTORY.resolve(name(shards) + ".zip"));
    Files.write(GoldenFile.DIRECTORY.resolve(name(shards) + ".txt"), listing);
  }

  /** Defines an index on the only shard. */
  private static void define(GraphMetaConfig config, InstantSource clock) {
    Path store = config.directory().resolve("shard-0");
    try (HostedShard shard = HostedShard.open(0, store, false, config, clock)) {
      byte[] value = IndexRows.value(ElementKind.VERTEX, 1, 1, Set.of(IndexKind.EXACT));
      StagedRows rows = new StagedRows(64);
      rows.add(Family.META, IndexRows.slot("of the test"), 0, value, value.length);
      long[] none = {};
      Response.Stamped snapshot =
          (Response.Stamped) shard.handle(call(new Request.Snapshot(0))).join();
      Request commit = new Request.Commit(rows, 1, snapshot.stamp(), 0, none, none);
      assertThat(shard.handle(call(commit)).join()).isInstanceOf(Response.Stamped.class);
    }
  }

  /** Leaves a part of a transaction on the first shard that the second has not heard of. */
  private static void leaveIntent(GraphMetaConfig config, InstantSource clock) {
    Path store = config.directory().resolve("shard-0");
    try (HostedShard shard = HostedShard.open(0, store, false, config, clock)) {
      long snapshot =
          ((Response.Stamped) shard.handle(call(new Request.Snapshot(0))).join()).stamp();
      StagedRows rows = new StagedRows(64);
      byte[] body = {0, 0};
      long vertex = VertexKeys.pack(1, 1000, 0);
      rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(vertex), 0, body, body.length);
      long[] scopes = {4711};
      // The first attempt is told up to where the shard has closed its stamps.
      Response refused = shard.handle(call(part(rows, snapshot, scopes, snapshot + 1))).join();
      long free = Stamp.plusMicros(((Response.TooLow) refused).closed(), 1);
      assertThat(shard.handle(call(part(rows, free - 1, scopes, free))).join())
          .isEqualTo(new Response.Prepared());
    }
  }

  private static Request part(StagedRows rows, long snapshot, long[] scopes, long stamp) {
    TransactionId id = new TransactionId(stamp, 1, 1);
    return new Request.Prepare(id, new int[] {0, 1}, rows, snapshot, scopes, scopes, null);
  }

  private static Call call(Request request) {
    return new Call(1, 10_000, request);
  }
}
