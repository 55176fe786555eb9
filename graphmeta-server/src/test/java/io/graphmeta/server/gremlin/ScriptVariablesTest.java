package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Variables of scripts where gremlin-lang itself takes literals only. */
final class ScriptVariablesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VALUES = 200;
  private static final String HOSTILE =
      "a\"b'c\\d\n\r\t$${x}\u0000é日\ud83d\ude00\"]).V().drop().inject([\"";

  @ParameterizedTest
  @EnumSource(
      value = Serializers.class,
      names = {"GRAPHBINARY_V1", "GRAPHSON_V3"})
  void everyValueComesBackAsItIs(Serializers serializer) throws Exception {
    long seed = Long.getLong("graphmeta.seed", 17);
    SplittableRandom random = new SplittableRandom(seed);
    try (ServedGraph served = new ServedGraph(Map.of())) {
      served.graph.addVertex(T.id, "stays");
      served.graph.tx().commit();
      Cluster cluster = served.cluster().serializer(serializer).create();
      try {
        Client client = cluster.connect();
        for (int i = 0; i < VALUES; i++) {
          Object value = value(random, 3);
          Map<String, Object> bindings = Map.of("x", value, "k", "never");
          // A key of a map is no variable, whatever its name is.
          List<Result> list = client.submit("g.inject([k, [k: x], [x]])", bindings).all().get();
          assertThat(list.get(0).getObject())
              .as("replay with -Dgraphmeta.seed=%s", seed)
              .isEqualTo(List.of("never", Map.of("k", value), List.of(value)));
        }
        assertThat(client.submit("g.V().count()").one().getLong()).isEqualTo(1);
      } finally {
        cluster.close();
      }
    }
  }

  private static Object value(SplittableRandom random, int depth) {
    int most = depth == 0 ? 9 : 12;
    return switch (random.nextInt(most)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextLong();
      case 2 -> random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble() * 1e12;
      case 3 -> random.nextBoolean();
      case 4 -> hostile(random);
      case 5 ->
          OffsetDateTime.of(2026, 1 + random.nextInt(12), 5, 3, 4, 5, 678_000_000, ZoneOffset.UTC);
      case 6 -> new UUID(random.nextLong(), random.nextLong());
      case 7 -> BigInteger.valueOf(random.nextLong()).pow(2).negate();
      case 8 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(20));
      case 9 -> {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
      case 10 -> {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          map.put(hostile(random), value(random, depth - 1));
        }
        yield map;
      }
      default -> {
        Set<Object> set = new LinkedHashSet<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          set.add(random.nextInt());
        }
        yield set;
      }
    };
  }

  private static String hostile(SplittableRandom random) {
    int codePoints = HOSTILE.codePointCount(0, HOSTILE.length());
    return HOSTILE.substring(HOSTILE.offsetByCodePoints(0, random.nextInt(codePoints)));
  }

  private record Asked(String script, String bindings, int status, String told) {}

  @Test
  void settingsAndParametersOfServicesTakeVariablesOverHttp() throws Exception {
    List<Asked> all =
        List.of(
            new Asked("g.with('asOf', t).V().count()", "{\"t\": \"1999-01-01\"}", 200, ":0}"),
            new Asked("g.with('asOf', t).V().count()", "{\"t\": 946684800000}", 200, ":0}"),
            new Asked("g.with('knownAt' , t ).V().count()", "{\"t\": \"2000-01-01\"}", 200, ":0}"),
            new Asked("g.with('asOf', t).V()", "{\"t\": \"nonsense\"}", 499, "'nonsense'"),
            new Asked("g.with('asOf', t).V()", "{}", 498, "not understood"),
            new Asked(
                "g.call('graphmeta.history', ['id': f]).count()", "{\"f\": \"a b\"}", 200, ":1}"),
            new Asked(
                "g.call('graphmeta.history', [id: f, limit: n]).values('operation')",
                "{\"f\": \"a b\", \"n\": 0}",
                499,
                "limit"),
            new Asked(
                "g.call('graphmeta.history').with('id', f).count()",
                "{\"f\": \"a b\"}",
                200,
                ":1}"),
            new Asked("g.V(f).count()", "{\"f\": \"a b\"}", 200, ":1}"),
            new Asked(
                "g.with('evaluationTimeout', 9000).call('graphmeta.history', [id: f]).count()",
                "{\"f\": \"a b\"}",
                200,
                ":1}"),
            new Asked(
                "g.with( 'evaluationTimeout' , t ).V().count()",
                "{\"t\": 10}",
                499,
                "written in the script"),
            new Asked(
                "g.with('evaluationTimeout', t).V().count()",
                "{\"t\": 10}",
                499,
                "written in the script"));
    try (ServedGraph served = new ServedGraph(Map.of())) {
      served.graph.addVertex(T.id, "a b");
      served.graph.tx().commit();
      for (Asked asked : all) {
        JsonNode bindings = JSON.readTree(asked.bindings);
        String body =
            JSON.createObjectNode()
                .put("gremlin", asked.script)
                .set("bindings", bindings)
                .toString();
        HttpResponse<String> answer = served.post(body);
        assertThat(answer.body().replace("\"@value\"", "")).as(asked.script).contains(asked.told);
        int code = JSON.readTree(answer.body()).path("code").asInt(answer.statusCode());
        assertThat(code).as("%s: %s", asked.script, answer.body()).isEqualTo(asked.status);
      }
    }
  }
}
