package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.time.SessionToken;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.junit.jupiter.api.Test;

/**
 * What an answer says that its session has seen: not less than the snapshot that was read, also
 * where nothing was found and nobody has ever committed, and not less than what was committed.
 */
class SessionTokensOfAnswersTest {
  private static final List<String> READS = List.of("g.V()", "g.V().count()");

  private static long now() {
    return Stamp.startOf(Instant.now());
  }

  private static long seen(Object token) {
    return SessionToken.of(String.valueOf(token)).stamp();
  }

  @Test
  void overHttp() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      for (String read : READS) {
        long before = now();
        assertThat(overHttp(served, read)).as(read).isGreaterThanOrEqualTo(before);
      }
      long before = now();
      long written = overHttp(served, "g.addV('file')");
      assertThat(written).isGreaterThanOrEqualTo(before);
      assertThat(overHttp(served, "g.V().count()")).isGreaterThanOrEqualTo(written);
      assertThat(overHttp(served, "g.V().drop()")).isGreaterThan(written);
    }
  }

  private static long overHttp(ServedGraph served, String script) throws Exception {
    return seen(
        served
            .post("{\"gremlin\": \"" + script + "\"}")
            .headers()
            .firstValue("GraphMeta-Session")
            .orElseThrow());
  }

  @Test
  void overWebSocket() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      Cluster cluster = served.cluster().create();
      try {
        Client client = cluster.connect();
        for (String read : READS) {
          long before = now();
          assertThat(overWebSocket(client, read)).as(read).isGreaterThanOrEqualTo(before);
        }
        long written = overWebSocket(client, "g.addV('file').property('name', 'a')");
        assertThat(overWebSocket(client, "g.V().hasLabel('none')")).isGreaterThanOrEqualTo(written);
        assertThat(overWebSocket(client, "g.V().drop()")).isGreaterThan(written);
      } finally {
        cluster.close();
      }
    }
  }

  private static long overWebSocket(Client client, String script) throws Exception {
    ResultSet answer = client.submit(script);
    answer.all().get();
    return seen(answer.statusAttributes().get().get("graphmeta.session"));
  }
}
