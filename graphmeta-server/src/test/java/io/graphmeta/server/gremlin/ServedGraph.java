package io.graphmeta.server.gremlin;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.server.users.LogIns;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/**
 * A graph in memory with a server before it, in this process. The searches of its pages end however
 * busy the machine is, unless a test changes that.
 */
final class ServedGraph implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 600_000;

  final GraphDatabase database;
  final GraphMetaGraph graph;
  final ServerMetrics metrics = new ServerMetrics();
  final GremlinEndpoint endpoint;
  private final HttpClient http = HttpClient.newHttpClient();

  ServedGraph(Map<ServerSetting, Object> changes) throws IOException {
    this(changes, GraphMetaConfig.inMemory());
  }

  ServedGraph(Map<ServerSetting, Object> changes, GraphMetaConfig config) throws IOException {
    database = GraphDatabases.open(config);
    graph = GraphMetaGraph.over(database);
    ServerSettings settings =
        ServerSettings.defaults()
            .with(ServerSetting.PORT, 0)
            .with(ServerSetting.AUDIT_FILE, "none")
            .with(ServerSetting.UI_SEARCH_MILLIS, PATIENCE_MILLIS);
    for (Map.Entry<ServerSetting, Object> change : changes.entrySet()) {
      settings = settings.with(change.getKey(), change.getValue());
    }
    endpoint =
        GremlinEndpoint.start(
            graph,
            settings,
            metrics,
            settings.has(ServerSetting.USERS_FILE)
                ? new LogIns(Path.of(settings.get(ServerSetting.USERS_FILE)))
                : null);
  }

  int port() {
    return endpoint.address().getPort();
  }

  Cluster.Builder cluster() {
    return Cluster.build("127.0.0.1").port(port());
  }

  Driver driver(Serializers serializer) {
    return new Driver(cluster().serializer(serializer));
  }

  HttpResponse<String> post(String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/gremlin"))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The answer to a script that comes by GET. */
  String get(String script) throws IOException, InterruptedException {
    String query = URLEncoder.encode(script, StandardCharsets.UTF_8);
    return http.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port() + "/gremlin?gremlin=" + query))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Override
  public void close() {
    endpoint.close();
    graph.close();
    database.close();
    metrics.close();
  }
}
