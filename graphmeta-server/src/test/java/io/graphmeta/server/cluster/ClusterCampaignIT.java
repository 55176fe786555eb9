package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.Launcher;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.StartedJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample campaign, loaded by the commands into a cluster of three nodes with eight shards and
 * into an embedded database: both hold the same and answer the same. Then a node is away.
 */
@RunsAlone
class ClusterCampaignIT {
  private static final Path CAMPAIGN =
      Path.of(System.getProperty("basedir", "."), "target/graphmeta/sample/campaign");
  private static final List<String> SAMPLES =
      List.of(
          "/scratch/amira/sweep1/figure.svg",
          "/home/amira/jobs/build.sbatch",
          "/proj/hx01/geom/geom_B.txt");

  private static final Pattern SHARD =
      Pattern.compile("graphmeta_store_bytes\\{shard=\"([0-7])\"} (.*)");
  private static final Pattern CLOCK_OFFSET =
      Pattern.compile("graphmeta_peer_clock_offset_seconds\\{node=\"(n[1-3])\"} (.*)");

  @TempDir private static Path directory;
  private static RunningCluster cluster;
  private static String db;

  private record Answer(int exitCode, String out, String err) {}

  @BeforeAll
  static void load() throws Exception {
    cluster = new RunningCluster(directory.resolve("cluster"), 3, 8, "node.admin-port=0");
    db = directory.resolve("embedded").toString();
    for (List<String> graph : List.of(ofCluster(), List.of("--db", db))) {
      for (List<String> source :
          List.of(
              List.of("load", "darshan", CAMPAIGN.resolve("logs").toString()),
              List.of("load", "sacct", CAMPAIGN.resolve("sacct.txt").toString()))) {
        Answer loaded = run(source, graph);
        assertThat(loaded.exitCode()).as(loaded.err()).isZero();
      }
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static List<String> ofCluster() {
    return List.of(cluster.options());
  }

  private static Answer run(List<String> command, List<String> graph)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(Launcher.FILE.toString()));
    line.addAll(command);
    line.addAll(graph);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("GRAPHMETA_CLASS_ARCHIVE", "off");
    builder.environment().put("GRAPHMETA_JAVA_OPTS", StartedJvm.OPTIONS);
    Process process = builder.redirectError(directory.resolve("err").toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
    return new Answer(
        process.exitValue(),
        out.replaceAll("\"known\":\"[^\"]*\"", "\"known\":\"when it was loaded\""),
        Files.readString(directory.resolve("err")));
  }

  private static List<String> all(GraphMetaGraph graph) {
    GraphTraversalSource g = graph.traversal();
    List<String> lines = new ArrayList<>();
    g.V().order().by(T.id).elementMap().forEachRemaining(map -> lines.add(sorted(map)));
    g.E()
        .project("of", "from", "to")
        .by(__.elementMap())
        .by(__.outV().id())
        .by(__.inV().id())
        .forEachRemaining(map -> lines.add(sorted(without(map))));
    graph.tx().rollback();
    lines.sort(null);
    return lines;
  }

  /** Ids of edges are drawn. */
  private static Map<?, ?> without(Map<String, Object> edge) {
    Map<Object, Object> of = new HashMap<>((Map<?, ?>) edge.get("of"));
    of.remove(T.id);
    of.values().removeIf(value -> value instanceof Map);
    edge.put("of", sorted(of));
    return edge;
  }

  private static String sorted(Map<?, ?> map) {
    return map.entrySet().stream().map(String::valueOf).sorted().toList().toString();
  }

  @Test
  void bothHoldTheSame() {
    try (GraphDatabase ofCluster = cluster.open();
        GraphDatabase embedded = GraphDatabases.open(GraphMetaConfig.inDirectory(Path.of(db)))) {
      try (GraphMetaGraph left = GraphMetaGraph.over(ofCluster);
          GraphMetaGraph right = GraphMetaGraph.over(embedded)) {
        List<String> there = all(left);
        assertThat(there).hasSizeGreaterThan(12_000).isEqualTo(all(right));
      }
      assertThat(ofCluster.check(rows -> {}).isClean()).isTrue();
      assertThat(ofCluster.status()).hasSize(8);
    }
  }

  @Test
  void commandsAnswerTheSame() throws Exception {
    for (String file : SAMPLES) {
      for (String command : List.of("lineage", "impact", "history")) {
        List<String> line = List.of(command, file, "--json");
        assertThat(run(line, ofCluster()))
            .as("%s of %s", command, file)
            .isEqualTo(run(line, List.of("--db", db)));
      }
    }
    List<String> count = List.of("query", "g.V().hasLabel('file').both().both().count()");
    assertThat(run(count, ofCluster())).isEqualTo(run(count, List.of("--db", db)));
    assertThat(run(List.of("check"), ofCluster()).exitCode()).isZero();
  }

  private static String page(int node, String path) throws IOException, InterruptedException {
    String line = cluster.processes().node(node).awaitBegun();
    String address = line.substring(line.lastIndexOf(' ') + 1);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void nodesTellHowTheyAreDoing() throws Exception {
    try (GraphDatabase database = cluster.open();
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      // Nodes connect when they have something to tell each other.
      assertThat(graph.traversal().V().both().both().dedup().count().next()).isPositive();
    }
    Set<String> shards = new HashSet<>();
    for (int node = 1; node <= 3; node++) {
      assertThat(page(node, "/live")).isEqualTo("live\n");
      assertThat(page(node, "/ready")).isEqualTo("ready\n");
      String metrics = page(node, "/metrics");
      Matcher shard = SHARD.matcher(metrics);
      while (shard.find()) {
        assertThat(shards.add(shard.group(1))).as("shard %s twice", shard.group(1)).isTrue();
        assertThat(Double.parseDouble(shard.group(2))).isGreaterThan(1000);
      }
      Set<String> peers = new HashSet<>();
      Matcher offset = CLOCK_OFFSET.matcher(metrics);
      while (offset.find()) {
        peers.add(offset.group(1));
        assertThat(Double.parseDouble(offset.group(2))).isBetween(-0.5, 0.5);
      }
      assertThat(peers).hasSize(2).doesNotContain("n" + node);
      for (String peer : peers) {
        assertThat(metrics).contains("graphmeta_peer_connected{node=\"" + peer + "\"} 1.0");
      }
      assertThat(metrics).containsPattern("graphmeta_node_connections [1-9]");
      assertThat(metrics).contains("graphmeta_node_connections_refused_total 0.0");
    }
    assertThat(shards).hasSize(8);
  }

  /** A client that comes when a node is away reads and writes what lies elsewhere. */
  private static void theRestGoesOn() throws Exception {
    try (GraphDatabase database = cluster.open();
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      Set<Integer> away = new HashSet<>();
      for (ShardStatus shard : database.status()) {
        if (!shard.answers()) {
          away.add(shard.shard());
        }
      }
      assertThat(away).isNotEmpty().hasSizeLessThan(8);
      int done = 0;
      int refused = 0;
      for (int i = 0; i < 40; i++) {
        String id = "beside-" + i;
        try {
          graph.traversal().addV("note").property(T.id, id).property("n", i).iterate();
          graph.tx().commit();
          assertThat(graph.traversal().V(id).values("n").next()).isEqualTo(i);
          done++;
        } catch (RuntimeException e) {
          GraphMetaException known =
              (GraphMetaException) (e instanceof GraphMetaException ? e : e.getCause());
          assertThat(known.code()).isEqualTo(ErrorCode.UNAVAILABLE);
          refused++;
        } finally {
          graph.tx().rollback();
        }
      }
      assertThat(done).as("done, %d refused", refused).isGreaterThan(5);
      assertThat(refused).as("refused, %d done", done).isGreaterThan(2);
    }
  }

  private static void reportsTellWhatTheyCouldNotSee() throws Exception {
    Answer status = run(List.of("status", "--hot", "3", "--json"), ofCluster());
    assertThat(status.exitCode()).as(status.err()).isOne();
    JsonNode told = new ObjectMapper().readTree(status.out());
    for (JsonNode shard : told.get("shards")) {
      boolean answers = shard.get("away").asText().isEmpty();
      assertThat(answers || shard.get("away").asText().contains("n2")).isTrue();
      assertThat(shard.get("bytesOnDisk").asLong() > 0).isEqualTo(answers);
      JsonNode placed = told.get("placement").get("shards").get(shard.get("shard").asInt());
      assertThat(placed.path("away").asText().isEmpty()).isEqualTo(answers);
      assertThat(placed.get("rows").asLong() > 0).isEqualTo(answers);
    }
    assertThat(told.get("placement").get("hottest")).hasSizeBetween(1, 3);
    Answer check = run(List.of("check", "--json"), ofCluster());
    assertThat(check.exitCode()).as(check.err()).isOne();
    JsonNode report = new ObjectMapper().readTree(check.out());
    assertThat(report.get("faults").asLong()).as(check.out()).isZero();
    assertThat(report.get("outEntries").asLong()).isPositive();
    assertThat(report.get("away")).isNotEmpty().allMatch(shard -> shard.asText().contains("n2"));
    assertThat(run(List.of("check"), ofCluster()).out())
        .contains("not looked at: shard ", "no faults in what was looked at");
  }

  @Test
  void aNodeThatIsAwayIsNamedAndTheRestGoesOn() throws Exception {
    try (GraphDatabase database = cluster.open();
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      cluster.kill(2);
      try {
        assertThatThrownBy(() -> graph.traversal().V().count().next())
            .satisfies(
                error -> {
                  GraphMetaException known =
                      (GraphMetaException)
                          (error instanceof GraphMetaException ? error : error.getCause());
                  assertThat(known.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.UNREACHABLE);
                  assertThat(known).hasMessageContaining("Shard ").hasMessageContaining("n2");
                });
        theRestGoesOn();
        reportsTellWhatTheyCouldNotSee();
        assertThat(page(1, "/ready")).isEqualTo("ready\n");
        assertThat(page(1, "/metrics")).contains("graphmeta_peer_connected{node=\"n2\"} 0.0");
        Answer status =
            run(
                List.of("cluster", "status", "--json"),
                List.of("--name", "local", "--zookeeper", cluster.processes().zookeeper()));
        assertThat(status.exitCode()).isOne();
        JsonNode told = new ObjectMapper().readTree(status.out());
        assertThat(told.get("well").asBoolean()).isFalse();
        for (JsonNode shard : told.get("shards")) {
          assertThat(shard.get("problem").asText().isEmpty())
              .as(shard.toString())
              .isEqualTo(!shard.get("node").asText().equals("n2"));
        }
      } finally {
        cluster.processes().restart(2);
      }
      graph.tx().rollback();
      assertThat(graph.traversal().V().count().next()).isGreaterThan(3_000);
    }
    assertThat(
            run(
                    List.of("cluster", "status"),
                    List.of("--name", "local", "--zookeeper", cluster.processes().zookeeper()))
                .exitCode())
        .isZero();
  }
}
