package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.RunsAlone;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries that hold more than there is room for, on a server with a small heap. With {@code
 * -Dgraphmeta.heap=512m -Dgraphmeta.vertices=1000000} on a large graph.
 */
@RunsAlone
class SmallHeapServerIT {
  private static final String HEAP = System.getProperty("graphmeta.heap", "128m");
  private static final int VERTICES = Integer.getInteger("graphmeta.vertices", 300_000);
  private static final int COUNTS = 8;

  private static final List<String> HOLDING =
      List.of(
          "g.V().group().by('s')",
          "g.V().order().by('s')",
          "g.V().valueMap().fold()",
          "g.V().aggregate('x').cap('x')",
          "g.V().as('a').select('a').by('s').fold()",
          "g.V().path().fold()",
          "g.V().tail(2000000000)");

  private static void fill(Path directory) {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inDirectory(directory));
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      for (int i = 0; i < VERTICES; i++) {
        graph.addVertex(T.id, "v" + i, "s", "a text of some length, as paths have, number " + i);
        if (i % 10_000 == 9_999) {
          graph.tx().commit();
        }
      }
      graph.tx().commit();
    }
  }

  @Test
  void whatHasNoRoomIsRefusedAndWhatOnlyLooksGoesOn(@TempDir Path directory) throws Exception {
    fill(directory.resolve("db"));
    try (ServerProcess server = new ServerProcess(directory, "-Xmx" + HEAP)) {
      Cluster cluster = server.cluster().create();
      Client client = cluster.connect();
      int refusals = 0;
      for (String holding : HOLDING) {
        Throwable refused =
            catchThrowable(
                () -> assertThat(elements(client, holding)).as(holding).isEqualTo(VERTICES));
        System.out.println(holding + ": " + (refused == null ? "answered" : refused.getMessage()));
        if (refused != null) {
          refusals++;
          assertThat(refused)
              .as(holding)
              .hasMessageMatching("(?s).*(emory is short|emory ran short|gathers more|max-).*");
        }
        for (int i = 0; i < COUNTS; i++) {
          assertThatCode(
                  () ->
                      assertThat(client.submit("g.V().count()").one().getLong())
                          .isEqualTo(VERTICES))
              .as("count %d after %s: %s", i, holding, server.errors())
              .doesNotThrowAnyException();
        }
      }
      cluster.close();
      assertThat(refusals).as("refused of %d", HOLDING.size()).isGreaterThan(HOLDING.size() / 2);
      assertThat(server.errors()).doesNotContain("OutOfMemoryError");
      assertThat(server.process.isAlive()).isTrue();
    }
  }

  /** How many elements are in all results of a query together. */
  private static long elements(Client client, String query) {
    long elements = 0;
    for (Result result : client.submit(query)) {
      Object object = result.getObject();
      elements +=
          object instanceof Map<?, ?> map
              ? map.size()
              : object instanceof Collection<?> members ? members.size() : 1;
    }
    return elements;
  }
}
