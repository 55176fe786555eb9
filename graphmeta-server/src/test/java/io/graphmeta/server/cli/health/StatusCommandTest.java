package io.graphmeta.server.cli.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.metrics.ShardGauges;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a database of several shards. */
class StatusCommandTest {
  private static final String ACCOUNTING = "src/main/sample/campaign/sacct.txt";

  @TempDir Path directory;

  private String load(int shards) {
    String db = directory.resolve("db").toString();
    Cli loaded =
        Cli.run("load", "sacct", "--db", db, "--shards", Integer.toString(shards), ACCOUNTING);
    assertThat(loaded.exitCode()).as(loaded.err()).isZero();
    return db;
  }

  @Test
  void everyShardIsShown() throws IOException {
    String db = load(4);
    Cli json = Cli.run("status", "--db", db, "--json");
    assertThat(json.exitCode()).as(json.err()).isZero();
    JsonNode status = new ObjectMapper().readTree(json.out());
    assertThat(status.get("shards")).hasSize(4);
    long bytes = 0;
    for (int shard = 0; shard < 4; shard++) {
      JsonNode shown = status.get("shards").get(shard);
      assertThat(shown.get("shard").asInt()).isEqualTo(shard);
      assertThat(shown.get("rows").get("attributes").asLong()).isPositive();
      assertThat(shown.get("openIntents").asInt()).isZero();
      assertThat(shown.get("oldestOpenMillis").asInt()).isZero();
      assertThat(shown.get("behindMillis").asLong()).isLessThan(60_000);
      assertThat(shown.get("resolved").asText()).startsWith("20");
      bytes += shown.get("bytesOnDisk").asLong();
    }
    assertThat(status.get("bytesOnDisk").asLong()).isEqualTo(bytes);
    assertThat(Cli.run("status", "--db", db).out())
        .contains("shard 3", "rows of out", "ms behind", "open intents", "decided intents");
    Cli check = Cli.run("check", "--db", db);
    assertThat(check.out()).endsWith("clean\n");
    assertThat(check.exitCode()).isZero();
  }

  @Test
  void theHottestVerticesAreShownWithTheirShards() throws IOException {
    String db = load(4);
    GraphMetaConfig config =
        GraphDatabases.asCreated(GraphMetaConfig.inDirectory(Path.of(db)))
            .with(Setting.SPLIT_THRESHOLD, 8);
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphTransaction tx = database.begin()) {
      long hub = tx.addVertex("hub", "directory", Map.of(), Stamp.AT_COMMIT);
      for (int i = 0; i < 1000; i++) {
        long file = tx.addVertex("f" + i, "file", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, hub, "contains", file, Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    Cli json = Cli.run("status", "--db", db, "--hot", "3", "--json");
    assertThat(json.exitCode()).as(json.err()).isZero();
    JsonNode status = new ObjectMapper().readTree(json.out());
    JsonNode placement = status.get("placement");
    assertThat(placement.get("hottest")).hasSize(3);
    JsonNode hottest = placement.get("hottest").get(0);
    assertThat(hottest.get("id").asText()).isEqualTo("hub");
    assertThat(hottest.get("label").asText()).isEqualTo("directory");
    assertThat(hottest.get("outEntries").asLong()).isEqualTo(1000);
    assertThat(hottest.get("inEntries").asLong()).isZero();
    assertThat(sum(hottest.get("out"), "entries")).isEqualTo(1000);
    assertThat(hottest.get("out")).hasSize(4).allMatch(each -> each.get("entries").asLong() > 100);
    assertThat(hottest.get("out").get(1).get("since").asText()).startsWith("20");
    long edges = 0;
    for (JsonNode count : status.get("edges")) {
      edges += count.asLong();
    }
    for (String places : List.of("shards", "virtualNodes")) {
      assertThat(sum(placement.get(places), "outEntries")).as(places).isEqualTo(edges);
      assertThat(sum(placement.get(places), "inEntries")).as(places).isEqualTo(edges);
    }
    assertThat(placement.get("shards")).hasSize(4);
    assertThat(placement.get("virtualNodes")).hasSize(1024);
    assertThat(placement.get("entriesImbalance").asDouble()).isBetween(1.0, 1.5);
    String text = Cli.run("status", "--db", db, "--hot").out();
    assertThat(text)
        .contains("placement dido", "fullest shard over the mean: entries 1.", "rows kept")
        .contains("directory hub, at home on shard ", "1,000 in 4 partitions: shard ")
        .containsPattern("fullest of 1,024 virtual nodes over the mean: entries \\d+\\.\\d");
    assertThat(text.lines().filter(line -> line.contains(", at home on shard "))).hasSize(10);
    assertThat(Cli.run("status", "--db", db).out()).doesNotContain("placement");
  }

  private static long sum(JsonNode list, String field) {
    long sum = 0;
    for (JsonNode each : list) {
      sum += each.get(field).asLong();
    }
    return sum;
  }

  @Test
  void aNumberOfVerticesOutOfRangeIsRefused() {
    for (String number : List.of("0", "-1", "1001", "many")) {
      Cli refused = Cli.run("status", "--db", directory.toString(), "--hot=" + number);
      assertThat(refused.exitCode()).as(number).isEqualTo(2);
      assertThat(refused.err()).contains("--hot", number);
    }
  }

  @Test
  void aDatabaseKeepsItsNumberOfShards() {
    String db = load(2);
    Cli other = Cli.run("load", "sacct", ACCOUNTING, "--db", db, "--shards", "3");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err()).contains("has shards 2, fixed at creation");
    assertThat(Cli.run("load", "sacct", ACCOUNTING, "--db", db, "--shards", "2").exitCode())
        .isZero();
    Cli meaningless = Cli.run("status", "--db", db, "--shards", "2");
    assertThat(meaningless.exitCode()).isEqualTo(2);
    assertThat(meaningless.err()).contains("--shards");
  }

  @Test
  void theMetricsShowEveryShard() {
    Path db = Path.of(load(4));
    AtomicLong nanos = new AtomicLong();
    try (GraphDatabase database =
            GraphDatabases.open(GraphDatabases.asCreated(GraphMetaConfig.inDirectory(db)));
        ServerMetrics metrics = new ServerMetrics()) {
      new ShardGauges(database::status, database::peers, nanos::get).register(metrics);
      long asked = statusCalls(database);
      String text = metrics.text();
      assertThat(statusCalls(database))
          .as("the gauges of one reading ask each shard once")
          .isEqualTo(asked + 4);
      for (int shard = 0; shard < 4; shard++) {
        assertThat(text)
            .contains("graphmeta_intents_open{shard=\"" + shard + "\"} 0.0")
            .contains("graphmeta_intents_open_oldest_seconds{shard=\"" + shard + "\"} 0.0")
            .contains("graphmeta_intents_decided{shard=\"" + shard + "\"} ")
            .contains("graphmeta_resolved_behind_seconds{shard=\"" + shard + "\"} ")
            .contains("graphmeta_store_bytes{shard=\"" + shard + "\"} ")
            .contains("graphmeta_store_rows{family=\"out\",shard=\"" + shard + "\"} ");
      }
      assertThat(text).contains("graphmeta_database_bytes ");
      nanos.addAndGet(1_000_000_000);
      metrics.text();
      assertThat(statusCalls(database)).as("a later reading asks again").isEqualTo(asked + 8);
    }
  }

  private static long statusCalls(GraphDatabase database) {
    return database.callsSent().getOrDefault("ReadStatus", 0L);
  }
}
