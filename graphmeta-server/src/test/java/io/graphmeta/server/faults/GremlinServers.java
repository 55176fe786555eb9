package io.graphmeta.server.faults;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.server.StartedJvm;
import io.graphmeta.server.cli.cluster.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Gremlin Servers of a cluster, each a process, that are asked over HTTP. Safe for threads. */
final class GremlinServers implements AutoCloseable {
  private static final String SIGN = "listening on ";
  private static final Duration PATIENCE =
      Duration.ofMillis(8 * FaultyCluster.REQUEST_MILLIS); // of a query of several steps
  private static final int UNAVAILABLE = 503;
  private static final int OK = 200;
  private static final int NONE = 0;

  private final List<ChildProcess> processes = new ArrayList<>();
  private final List<URI> addresses = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * What a server has answered.
   *
   * @param status of HTTP, or 0 if there was no answer, so that it may have been done
   * @param token of the session from now on
   */
  record Answer(int status, String body, String token) {
    /** Whether it was done. */
    boolean isDone() {
      return status == OK;
    }

    /** Whether it was not done, and can be asked for again. */
    boolean isRefused() {
      return status == UNAVAILABLE;
    }

    /** Whether nothing was answered. */
    boolean isLost() {
      return status == NONE;
    }
  }

  /** Servers that somebody else has started, by their ports. */
  GremlinServers(int... ports) {
    for (int port : ports) {
      add(port);
    }
  }

  /** Starts so many, and waits until they listen. */
  GremlinServers(Path directory, GraphMetaConfig cluster, int count) {
    for (int number = 1; number <= count; number++) {
      processes.add(
          ChildProcess.start(
              "gremlin" + number,
              directory,
              StartedJvm.with("-Xmx384m"),
              SIGN,
              List.of(
                  "server",
                  "--zookeeper",
                  cluster.get(Setting.ZOOKEEPER),
                  "--cluster",
                  cluster.get(Setting.CLUSTER),
                  "--cluster-settings",
                  cluster.get(Setting.CLUSTER_SETTINGS),
                  "--no-log-in",
                  "--port",
                  "0",
                  "--admin-port",
                  "0",
                  "--set",
                  "server.audit-file=none")));
    }
    for (ChildProcess process : processes) {
      String line = process.awaitBegun();
      add(Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
    }
  }

  private void add(int port) {
    addresses.add(URI.create("http://127.0.0.1:" + port + "/gremlin"));
  }

  int count() {
    return addresses.size();
  }

  /** Runs a query at a server, which has seen by then what a token stands for. */
  Answer ask(int server, String query, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(addresses.get(server))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("Accept", "application/vnd.gremlin-v3.0+json")
            .header("GraphMeta-Session", token)
            .POST(HttpRequest.BodyPublishers.ofString("{\"gremlin\": \"" + query + "\"}"))
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      String told = response.headers().firstValue("GraphMeta-Session").orElse(token);
      return new Answer(response.statusCode(), response.body(), told);
    } catch (IOException e) {
      return new Answer(NONE, e.toString(), token);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts tests
    }
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
