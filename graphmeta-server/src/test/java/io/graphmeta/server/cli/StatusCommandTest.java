package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.metrics.DatabaseGauges;
import io.graphmeta.server.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a database of several servers. */
class StatusCommandTest {
  private static final String ACCOUNTING = "src/main/sample/campaign/sacct.txt";

  @TempDir Path directory;

  private String load(int servers) {
    String db = directory.resolve("db").toString();
    Cli loaded =
        Cli.run("load", "sacct", "--db", db, "--servers", Integer.toString(servers), ACCOUNTING);
    assertThat(loaded.exitCode()).as(loaded.err()).isZero();
    return db;
  }

  @Test
  void everyServerIsShown() throws IOException {
    String db = load(4);
    Cli json = Cli.run("status", "--db", db, "--json");
    assertThat(json.exitCode()).as(json.err()).isZero();
    JsonNode status = new ObjectMapper().readTree(json.out());
    assertThat(status.get("servers")).hasSize(4);
    long bytes = 0;
    for (int server = 0; server < 4; server++) {
      JsonNode shown = status.get("servers").get(server);
      assertThat(shown.get("server").asInt()).isEqualTo(server);
      assertThat(shown.get("rows").get("attributes").asLong()).isPositive();
      assertThat(shown.get("openIntents").asInt()).isZero();
      assertThat(shown.get("oldestOpenMillis").asInt()).isZero();
      assertThat(shown.get("behindMillis").asLong()).isLessThan(60_000);
      assertThat(shown.get("resolved").asText()).startsWith("20");
      bytes += shown.get("bytesOnDisk").asLong();
    }
    assertThat(status.get("bytesOnDisk").asLong()).isEqualTo(bytes);
    assertThat(Cli.run("status", "--db", db).out())
        .contains("server 3", "rows of out", "ms behind", "open intents", "decided intents");
    Cli check = Cli.run("check", "--db", db);
    assertThat(check.out()).endsWith("clean\n");
    assertThat(check.exitCode()).isZero();
  }

  @Test
  void aDatabaseKeepsItsNumberOfServers() {
    String db = load(2);
    Cli other = Cli.run("status", "--db", db, "--servers", "3");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err()).contains("has servers 2, fixed at creation");
    assertThat(Cli.run("status", "--db", db, "--servers", "2").exitCode()).isZero();
  }

  @Test
  void theMetricsShowEveryServer() {
    Path db = Path.of(load(4));
    AtomicLong nanos = new AtomicLong();
    try (GraphDatabase database =
            GraphDatabase.open(GraphDatabase.asCreated(GraphMetaConfig.inDirectory(db)));
        ServerMetrics metrics = new ServerMetrics()) {
      new DatabaseGauges(database, nanos::get).register(metrics);
      long asked = statusCalls(database);
      String text = metrics.text();
      assertThat(statusCalls(database)).as("the gauges of one reading ask once").isEqualTo(asked);
      for (int server = 0; server < 4; server++) {
        assertThat(text)
            .contains("graphmeta_intents_open{server=\"" + server + "\"} 0.0")
            .contains("graphmeta_intents_open_oldest_seconds{server=\"" + server + "\"} 0.0")
            .contains("graphmeta_intents_decided{server=\"" + server + "\"} ")
            .contains("graphmeta_resolved_behind_seconds{server=\"" + server + "\"} ")
            .contains("graphmeta_store_bytes{server=\"" + server + "\"} ")
            .contains("graphmeta_store_rows{family=\"out\",server=\"" + server + "\"} ");
      }
      assertThat(text).contains("graphmeta_database_bytes ");
      nanos.addAndGet(1_000_000_000);
      metrics.text();
      assertThat(statusCalls(database)).as("a later reading asks again").isEqualTo(asked + 4);
    }
  }

  private static long statusCalls(GraphDatabase database) {
    return database.callsSent().getOrDefault("ReadStatus", 0L);
  }
}
