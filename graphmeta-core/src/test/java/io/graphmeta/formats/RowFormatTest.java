package io.graphmeta.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
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
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.IndexKind;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import io.graphmeta.time.Stamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rows that this build writes are those of the files {@code rows-of-*.txt}, byte by byte: those
 * of a whole database, and those that a shard keeps of transactions over several. With {@code
 * -Dgraphmeta.write-formats=true} a file that is not there is written; one that is there stays.
 */
class RowFormatTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final long VERTEX = VertexKeys.pack(1, 5, 0);

  @TempDir private Path directory;
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");

  private static void assertAsEver(List<String> lines, String file) throws IOException {
    Path path = GoldenFile.DIRECTORY.resolve(file);
    if (GoldenFile.WRITES && !Files.exists(path)) {
      Files.write(path, lines, StandardCharsets.US_ASCII);
    }
    assertThat(lines).containsExactlyElementsOf(Files.readAllLines(path));
  }

  @Test
  void aDatabaseIsWrittenAsEver() throws IOException {
    ExampleGraph graph = new ExampleGraph();
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("db"))
            .with(Setting.VIRTUAL_NODES, 16)
            .with(Setting.SPLIT_THRESHOLD, 8);
    try (GraphDatabase database = GraphDatabases.open(config, graph.clock())) {
      graph.writeFirst(database);
      graph.writeRest(database);
    }
    List<String> lines = new ArrayList<>();
    lines.add("# What the transactions of ExampleGraph store on one shard: family, key, value.");
    Path store = config.directory().resolve("shard-0");
    try (StorageEngine storage = RocksDbStorage.open(store, RocksDbSettings.defaults())) {
      for (Family family : Family.values()) {
        try (var cursor = storage.cursor(family, Scope.FAMILY)) {
          for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
            String key = HEX.formatHex(cursor.key(), 0, cursor.keyLength());
            byte[] value = cursor.value();
            lines.add(line(family, key, HEX.formatHex(value, 0, cursor.valueLength())));
          }
        }
      }
    }
    assertAsEver(lines, "rows-of-a-database.txt");
  }

  private static String line(Family family, String key, String value) {
    return family + " " + key + " " + (value.isEmpty() ? "-" : value);
  }

  @Test
  void aShardKeepsPartsOfTransactionsAsEver() throws IOException {
    InstantSource clock = () -> now;
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, 2).with(Setting.VIRTUAL_NODES, 16);
    try (HostedShard shard = HostedShard.inMemory(0, config, clock)) {
      assertAsEver(new Steps(shard).lines(), "rows-of-a-shard.txt");
    }
  }

  @Test
  void changesThatIndexesFollowAreListedAsEver() throws IOException {
    InstantSource clock = () -> now;
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, 2).with(Setting.VIRTUAL_NODES, 16);
    try (HostedShard shard = HostedShard.inMemory(0, config, clock)) {
      assertAsEver(new Steps(shard).linesOfIndexes(), "rows-of-indexes.txt");
    }
  }

  @Test
  void partitionsAreWrittenAsEver() throws IOException {
    assertAsEver(
        List.of(
            "# Rows of SPLITS without their stamps: key, value.",
            "a partition of the edges that leave, moved by attempt 0102030405060708 in 9 messages",
            HEX.formatHex(SplitRows.slot(VERTEX, true, 1)),
            HEX.formatHex(SplitRows.moveValue(0x0102030405060708L, 9)),
            "a partition of the edges that enter, of which none was moved",
            HEX.formatHex(SplitRows.slot(VERTEX, false, 258)),
            HEX.formatHex(SplitRows.spreadValue())),
        "rows-of-splits.txt");
  }

  /** Requests to a shard, and how its rows differ after each. */
  private final class Steps {
    private final HostedShard shard;
    private final List<String> lines = new ArrayList<>();
    private SortedMap<String, String> before;

    Steps(HostedShard shard) {
      this.shard = shard;
      this.before = rows();
    }

    List<String> lines() {
      lines.add("# What a shard adds (+) and removes (-) at each request: family, key, value.");
      step(
          "names are defined",
          new Request.Define(
              SchemaImage.of(
                  List.of(
                      new SchemaName(NameKind.VERTEX_LABEL, 1, "file", false),
                      new SchemaName(NameKind.EDGE_LABEL, 1, "read", false),
                      new SchemaName(NameKind.PROPERTY_KEY, 1, "size", false),
                      new SchemaName(NameKind.PROPERTY_KEY, 2, "tag", true)))));
      for (Request.SequenceKind kind : Request.SequenceKind.values()) {
        step("numbers of " + kind + " are leased", new Request.Lease(kind, 100, 7));
      }
      long[] none = {};
      step(
          "a vertex and its id are committed",
          new Request.Commit(vertexRows(new byte[] {2, 1, 'a', 0}), 1, snapshot(), 0, none, none));
      TransactionId first = part("a part of a transaction is prepared", 1, null);
      step("it is committed", new Request.Resolve(first, true));
      TransactionId second = part("another is prepared", 2, null);
      step("it is undone", new Request.Resolve(second, false));
      TransactionId third = part("an attempt is prepared", 3, null);
      part("a later attempt takes its place", 4, third);
      return lines;
    }

    List<String> linesOfIndexes() {
      lines.add("# What a shard adds (+) and removes (-) at each request: family, key, value.");
      step("a vertex is committed", commit(vertexRows(new byte[] {2, 1, 'a', 0}), 1));
      StagedRows definition = new StagedRows(64);
      byte[] exact = IndexRows.value(ElementKind.VERTEX, 1, 2, Set.of(IndexKind.EXACT));
      definition.add(Family.META, IndexRows.slot("file.tag"), 0, exact, exact.length);
      step("an index is defined", commit(definition, 2));
      step("a value of its key is committed", commit(values(2, 0), 3));
      step("a value of another key is committed", commit(values(1, 0), 4));
      step("an earlier value of its key is learned of", commit(values(2, 1_000_000), 5));
      StagedRows end = new StagedRows(64);
      end.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(VERTEX), 0, RowValues.tombstone(), 1);
      step("the vertex ends", commit(end, 6));
      TransactionId id = part("a part of a transaction is prepared", 7, null);
      step("it is undone", new Request.Resolve(id, false));
      StagedRows drop = new StagedRows(64);
      drop.add(Family.META, IndexRows.slot("file.tag"), 0, IndexRows.tombstone(), 1);
      step("the index is dropped", commit(drop, 8));
      return lines;
    }

    private Request commit(StagedRows rows, long token) {
      return new Request.Commit(rows, token, snapshot(), 0, new long[0], new long[0]);
    }

    private StagedRows values(int keyId, long valid) {
      StagedRows rows = new StagedRows(64);
      for (long valueId : new long[] {0, 5}) {
        byte[] value = {0, 1};
        byte[] slot = RowKeys.attributeSlot(VERTEX, keyId, valueId);
        rows.add(Family.ATTRIBUTES, slot, valid == 0 ? 0 : valid + valueId, value, value.length);
      }
      return rows;
    }

    /** Rows of a new vertex, its id, and an edge of it. */
    private StagedRows vertexRows(byte[] body) {
      StagedRows rows = new StagedRows(64);
      rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(VERTEX), 0, body, body.length);
      byte[] key = new byte[8];
      key[7] = body[0];
      rows.addPlain(Family.IDS, RowKeys.vertexIdKey("a"), key);
      return rows;
    }

    private TransactionId part(String name, long number, TransactionId replaced) {
      long snapshot = snapshot();
      TransactionId id = new TransactionId(Stamp.plusMicros(snapshot, 1), 0x0a0b, number);
      long[] scopes = {4711};
      int[] participants = {0, 1};
      byte[] body = {0, (byte) number};
      step(
          name,
          new Request.Prepare(
              id, participants, vertexRows(body), snapshot, scopes, scopes, replaced));
      return id;
    }

    private long snapshot() {
      now = now.plusSeconds(1);
      return ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
    }

    private Response ask(Request request) {
      return shard.handle(new Call(1, 10_000, request)).join();
    }

    private void step(String name, Request request) {
      lines.add(name + ": " + ask(request).getClass().getSimpleName());
      SortedMap<String, String> after = rows();
      before.forEach(
          (key, value) -> {
            if (!value.equals(after.get(key))) {
              lines.add("  - " + value);
            }
          });
      after.forEach(
          (key, value) -> {
            if (!value.equals(before.get(key))) {
              lines.add("  + " + value);
            }
          });
      before = after;
    }

    /** All rows as lines, by family and key. */
    private SortedMap<String, String> rows() {
      SortedMap<String, String> all = new TreeMap<>();
      for (Family family : Family.values()) {
        Request scan = new Request.ScanRows(family, Request.Position.START);
        Response.Rows rows = (Response.Rows) ask(scan);
        assertThat(rows.next()).isNull();
        for (int row = 0; row < rows.keys().length; row++) {
          String key = HEX.formatHex(rows.keys()[row]);
          all.put(family + " " + key, line(family, key, HEX.formatHex(rows.values()[row])));
        }
      }
      return all;
    }
  }
}
