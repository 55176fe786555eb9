package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** What a server puts into a traversal to limit it does not come between it and its profile. */
final class ServedProfileTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int QUERIES = 60;

  /** Steps after vertices that a server limits, or that are carried out as a plan. */
  private static final List<String> TO_VERTICES =
      List.of(
          ".out()",
          ".order().by(id)",
          ".barrier()",
          ".tail(2)",
          ".sample(2)",
          ".dedup()",
          ".aggregate('x')",
          ".sack(assign).by(constant(1)).sack(sum).by(constant(2))",
          ".repeat(both()).times(2)",
          ".subgraph('s').inV()");

  private static final List<String> ENDS =
      List.of(
          "",
          ".count()",
          ".fold()",
          ".tree()",
          ".path()",
          ".values('p')",
          ".values('p').concat('a')",
          ".values('p').asString()",
          ".values('p').fold().conjoin(',')",
          ".aggregate('y').cap('y')",
          ".group().by(label)",
          ".fold().combine(['a'])",
          ".id().fold().product(['a'])",
          ".limit(1)");

  @Test
  void whateverAServerLimitsCanBeProfiled() throws Exception {
    long seed = Long.getLong("graphmeta.seed", 16);
    SplittableRandom random = new SplittableRandom(seed);
    try (ServedGraph served = new ServedGraph(Map.of())) {
      Vertex one = served.graph.addVertex(T.id, "one", "p", "text");
      Vertex other = served.graph.addVertex(T.id, "other", "p", "text");
      one.addEdge("to", other);
      other.addEdge("to", one);
      served.graph.tx().commit();
      List<String> failed = new ArrayList<>();
      for (int i = 0; i < QUERIES; i++) {
        String query = query(random);
        if (status(served, query) != 200) {
          failed.add("refused without a profile: " + query);
        } else if (status(served, query + ".profile()") != 200) {
          failed.add("refused: " + query + ".profile()");
        }
      }
      assertThat(failed).as("replay with -Dgraphmeta.seed=%s", seed).isEmpty();
    }
  }

  private static String query(SplittableRandom random) {
    StringBuilder query = new StringBuilder("g.withSack(1).V()");
    for (int steps = random.nextInt(4); steps > 0; steps--) {
      String step = TO_VERTICES.get(random.nextInt(TO_VERTICES.size()));
      query.append(step.startsWith(".subgraph") ? ".outE()" + step : step);
    }
    return query.append(ENDS.get(random.nextInt(ENDS.size()))).toString();
  }

  private static int status(ServedGraph served, String query) throws Exception {
    HttpResponse<String> answer =
        served.post(JSON.createObjectNode().put("gremlin", query).toString());
    return answer.statusCode();
  }
}
