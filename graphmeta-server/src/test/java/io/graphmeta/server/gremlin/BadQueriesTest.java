package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.run.Failure;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** What a query did wrong is called a bad request, and what the server did wrong is not. */
final class BadQueriesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BAD_REQUEST = 400;
  private static final int INVALID_ARGUMENTS = 499;

  /** A query that cannot be evaluated, and what tells of it. */
  private record Bad(String query, String told) {}

  private static final List<Bad> BAD =
      List.of(
          // Arguments of steps.
          new Bad("g.V().limit(-5)", "Not a legal range: [0, -5]"),
          new Bad("g.V().range(5,2)", "Not a legal range: [5, 2]"),
          new Bad("g.V().tail(2000000000)", "server.max-frontier"),
          new Bad("g.inject(1).math('1/')", "Invalid number of operands"),
          new Bad("g.V().has('p', regex('('))", "Unclosed group"),
          new Bad("g.addV('')", "Label can not be empty"),
          new Bad("g.V('here').property('', 1)", "Property key can not be the empty string"),
          new Bad("g.V('here').valueMap().by('p').by('q')", "only have one by modulator"),
          new Bad("g.V('here').emit()", "repeat()-traversal was not defined"),
          new Bad("g.V().shortestPath()", "must be executed with a GraphComputer"),
          new Bad("g.E().limit(2).to('x')", "The to() step cannot follow RangeGlobalStep"),
          // What steps are given.
          new Bad("g.inject('a').math('_+1')", "must resolve to a Number"),
          new Bad("g.inject('a').sum()", "of the type String; expected Number"),
          new Bad("g.V('here').values('p').out()", "of the type String; expected Vertex"),
          new Bad(
              "g.V('here').replace('a','b')",
              "can only take string as argument, encountered Vertex"),
          new Bad("g.inject('x').asNumber()", "Can't parse string 'x' as number"),
          new Bad("g.inject('2026-13-45').asDate()", "Can't parse 2026-13-45"),
          new Bad("g.inject('x').dateAdd(second, 1)", "accept only OffsetDateTime"),
          new Bad("g.V('here').path().from('x')", "Could not locate path from-label: x"),
          new Bad("g.V('here').addE('to').to('nobody')", "does not map to a value"),
          new Bad("g.V().cap('q')", "does not exist in the side-effects: q"),
          new Bad("g.V('nobody').next()", "There is no result"),
          // Numbers and times that are too large.
          new Bad(
              "g.inject(9223372036854775807L, 1).sum()", "expected one in the range of the type"),
          new Bad("g.inject(300).asNumber(GType.BYTE)", "overflow"),
          new Bad(
              "g.inject(datetime('2026-01-01T00:00:00Z')).dateAdd(day, 9999999999999)", "expected"),
          new Bad("g.V('here').repeat(both()).times(70).count()", "more than a long can count"),
          // What the engine refuses.
          new Bad("g.addV('x').property(id,'here')", "expected an id that is free"),
          new Bad("g.with('asOf','nonsense').V()", "'nonsense' (String) is not a time"),
          new Bad("g.with('asOf','1901-01-01').V()", "expected 1970-01-01 to 2255-06-05"),
          new Bad("g.with('asOf','1999-12-31').addV()", "expected reads only"),
          new Bad("g.call('nothing')", "Unrecognized service: nothing; expected one of"),
          new Bad("g.call('graphmeta.lineage')", "Parameter 'id' of graphmeta.lineage is missing"));

  @Test
  void badQueriesAreBadRequests() throws Exception {
    List<String> failures = new ArrayList<>();
    try (ServedGraph served = new ServedGraph(Map.of());
        RawSocket socket = new RawSocket(served.port())) {
      Vertex here = served.graph.addVertex(T.id, "here", "p", "text");
      here.addEdge("to", here);
      served.graph.tx().commit();
      for (Bad bad : BAD) {
        String script = JSON.createObjectNode().put("gremlin", bad.query).toString();
        HttpResponse<String> overHttp = served.post(script);
        String told = JSON.readTree(overHttp.body()).path("message").asText();
        socket.send(
            "{\"requestId\":\""
                + UUID.randomUUID()
                + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":"
                + script
                + "}");
        JsonNode status = JSON.readTree(socket.next()).path("status");
        String where = bad.query + ": ";
        if (overHttp.statusCode() != BAD_REQUEST) {
          failures.add(where + overHttp.statusCode() + " over HTTP");
        }
        if (status.path("code").asInt() != INVALID_ARGUMENTS) {
          failures.add(where + status.path("code") + " over WebSocket");
        }
        if (!told.contains(bad.told) || !told.equals(status.path("message").asText())) {
          failures.add(where + "told '" + told + "' and '" + status.path("message") + "'");
        }
        if (overHttp.body().matches("(?s).*(java|apache|graphmeta)\\.[\\w.$]*[A-Z].*")
            || status.toString().matches("(?s).*(java|apache|graphmeta)\\.[\\w.$]*[A-Z].*")) {
          failures.add(where + "names a class: " + status);
        }
      }
      assertThat(served.graph.traversal().V().count().next()).isEqualTo(1);
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void badBytecodeIsABadRequest() throws Exception {
    Bytecode below = new Bytecode();
    below.addStep("V");
    below.addStep("limit", -5L);
    try (ServedGraph served = new ServedGraph(Map.of());
        Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      assertThatThrownBy(() -> driver.submit(below))
          .hasRootCauseInstanceOf(ResponseException.class)
          .rootCause()
          .hasMessageContaining("Not a legal range: [0, -5]")
          .extracting(thrown -> ((ResponseException) thrown).getResponseStatusCode())
          .isEqualTo(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS);
    }
  }

  @Test
  void defectsOfTheServerAreNotBadRequests() {
    for (RuntimeException defect :
        List.of(
            new IllegalArgumentException("thrown by the server itself"),
            new ArithmeticException("overflow"),
            new ClassCastException("class a cannot be cast to class b"),
            new NullPointerException(),
            new GraphMetaException(ErrorCode.INTERNAL, "a defect"),
            new GraphMetaException(ErrorCode.STORAGE_FAILURE, "no disk"),
            new IllegalArgumentException(
                "of TinkerPop", new GraphMetaException(ErrorCode.CORRUPTION, "damaged")))) {
      assertThat(Failure.of(defect).code())
          .as(defect.toString())
          .isEqualTo(ResponseStatusCode.SERVER_ERROR_EVALUATION);
    }
  }
}
