package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.settings.ServerSetting;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of the driver and of HTTP ask for, and get. */
final class GremlinEndpointTest {
  private static ServedGraph served;

  @BeforeAll
  static void start() throws Exception {
    served = new ServedGraph(Map.of());
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @AfterEach
  void clear() {
    served.database.clear();
  }

  @ParameterizedTest
  @EnumSource(names = {"GRAPHBINARY_V1", "GRAPHSON_V3", "GRAPHSON_V2"})
  void bytecodeWritesAndReads(Serializers serializer) {
    try (Driver driver = served.driver(serializer)) {
      GraphTraversalSource g = driver.g;
      g.addV("job")
          .property("id", 1)
          .property("name", "first")
          .as("j")
          .addV("file")
          .addE("wrote")
          .from("j")
          .iterate();
      assertThat(g.V().hasLabel("job").values("name").toList()).containsExactly("first");
      assertThat(g.V().hasLabel("job").out("wrote").count().next()).isEqualTo(1L);
      assertThat(g.V().both().both().path().count().next()).isEqualTo(2L);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GRAPHBINARY_V1", "GRAPHSON_V3"})
  void aTransactionShowsItsWritesToItselfAndOnCommitToAll(Serializers serializer) {
    try (Driver driver = served.driver(serializer)) {
      GraphTraversalSource g = driver.g;
      GraphTraversalSource tx = g.tx().begin();
      tx.addV("job").iterate();
      assertThat(tx.V().count().next()).isEqualTo(1L);
      assertThat(g.V().count().next()).isZero();
      tx.tx().commit();
      assertThat(g.V().count().next()).isEqualTo(1L);

      GraphTraversalSource other = g.tx().begin();
      other.addV("job").iterate();
      other.tx().rollback();
      assertThat(g.V().count().next()).isEqualTo(1L);
    }
  }

  @Test
  void scriptsTakeParametersAndAreGremlinLang() throws Exception {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      Client client = driver.client;
      client
          .submit("g.addV('job').property('name', n)", Map.of("n", "from a parameter"))
          .all()
          .get();
      assertThat(client.submit("g.V().values('name')").one().getString())
          .isEqualTo("from a parameter");
      assertThat(client.submit("g.V().none()").all().get()).isEmpty();
      assertThatThrownBy(() -> client.submit("[1,2,3].sum()").all().get())
          .hasMessageContaining("gremlin-lang");
    }
  }

  @Test
  void aFailedRequestLeavesNothingBehind() {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      GraphTraversalSource g = driver.g;
      assertThatThrownBy(() -> g.addV("job").fail("on purpose").iterate())
          .hasMessageContaining("on purpose");
      assertThat(g.V().count().next()).isZero();
    }
  }

  @Test
  void largeResultsCome() throws Exception {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      Client client = driver.client;
      List<?> all =
          client
              .submit(
                  "g.inject(1).repeat(union(identity(),identity())).times(16)",
                  RequestOptions.build().batchSize(1000).create())
              .all()
              .get();
      assertThat(all).hasSize(65_536);
    }
  }

  @Test
  void timesOut() {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      GraphTraversalSource g = driver.g;
      g.addV("job").as("a").addE("self").from("a").to("a").iterate();
      // A loop in a loop, so that no limit of rounds comes before the end of time.
      GraphTraversal<Vertex, Vertex> round = __.<Vertex>repeat(__.out()).until(__.loops().is(5000));
      assertThatThrownBy(
              () -> g.with("evaluationTimeout", 200L).V().repeat(round).until(__.is(1)).iterate())
          .hasMessageContaining("200 ms");
      assertThat(g.V().count().next()).isEqualTo(1L);
    }
  }

  @Test
  void httpAnswersInEachForm() throws Exception {
    served.post("{\"gremlin\":\"g.addV('job').property(id,'j1').property('name','x')\"}");
    HttpResponse<String> typed = served.post("{\"gremlin\":\"g.V()\"}");
    assertThat(typed.statusCode()).isEqualTo(200);
    assertThat(typed.body()).contains("\"@type\":\"g:Vertex\"", "\"j1\"");
    HttpResponse<String> plain =
        served.post(
            "{\"gremlin\":\"g.V().values('name')\"}",
            "Accept",
            "application/vnd.gremlin-v3.0+json;types=false");
    assertThat(plain.body()).contains("\"data\":[\"x\"]");
    assertThat(served.post("{\"gremlin\":\"g.V(\"}").statusCode()).isEqualTo(400);
  }

  @Test
  void elementsComeWithTheirProperties() {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      GraphTraversalSource g = driver.g;
      g.addV("job").property("name", "x").iterate();
      Vertex vertex = g.V().next();
      assertThat(vertex.<String>value("name")).isEqualTo("x");
      assertThat(g.with("materializeProperties", "tokens").V().next().properties()).isExhausted();
    }
  }

  @Test
  void bytecodeOfOlderDriversIsUnderstood() throws Exception {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      Bytecode iterated = new Bytecode();
      iterated.addStep("addV", "job");
      iterated.addStep("none");
      assertThat(driver.submit(iterated)).isEmpty();
      assertThat(driver.g.V().count().next()).isEqualTo(1L);
    }
  }

  @Test
  void sessionsKeepTheirOrderAndEndWhenTheyAreClosed() throws Exception {
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      Client session = driver.cluster.connect(UUID.randomUUID().toString());
      for (int i = 0; i < 5; i++) {
        session.submitAsync("g.addV('job').property('n'," + i + ")");
      }
      assertThat(session.submit("g.V().values('n')").all().get()).hasSize(5);
      session.submit("g.tx().commit()").all().get();
      session.submit("g.addV('job')").all().get();
      session.close();
      Await.until(() -> served.endpoint.openSessions() == 0);
      assertThat(driver.g.V().count().next()).isEqualTo(5L);
    }
  }

  /** All the ways in which a script can bring an expression. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.V().has('name', regex('END'))",
        "g.V().has('name', regex('END')).toList()",
        "g.V().has('name', regex('END')).hasNext().toString()",
        "g.V().has('name', x)",
        "g.V().values('name').is(neq('b').and(regex('END')))",
        "g.V().filter(__.values('name').is(not(notRegex('END')))).count().next()",
        "g.withSideEffect('s', 1).with('evaluationTimeout', 300).V().values('name').is(regex('END'))",
        "g.withStrategies(ReadOnlyStrategy).withSack(1).V().values('name').choose(regex('END'), sack())",
        "g.V().values('name').fold().any(regex('END'))",
        "g.V().values('name').choose(identity()).option(regex('END'), constant(1))",
        "g.V().limit(1); g.V().has('name', regex('END'))",
        "g.withStrategies(new SubgraphStrategy(vertices: __.has('name', regex('END')))).V()",
        "g.withStrategies(new SubgraphStrategy(vertices: __.has('name', regex('END')))).E()",
        "g.withStrategies(new SubgraphStrategy(vertices: __.has('name', regex('END')),"
            + " edges: __.hasLabel('self'))).E()"
      })
  void expressionsWithoutEndAreStopped(String script) throws Exception {
    String endless = "^(a+)+(\\1)?b";
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      driver
          .g
          .addV("job")
          .property("name", "a".repeat(40))
          .as("j")
          .addE("self")
          .from("j")
          .to("j")
          .iterate();
      assertThatThrownBy(
              () ->
                  driver
                      .client
                      .submit(
                          script.replace("END", endless.replace("\\", "\\\\")),
                          RequestOptions.build()
                              .timeout(300)
                              .addParameter("x", TextP.regex(endless))
                              .create())
                      .all()
                      .get(10, TimeUnit.SECONDS))
          .hasMessageContaining("300 ms");
      assertThat(
              driver
                  .client
                  .submit("g.V().has('name', regex('^a+$')).count().next()")
                  .one()
                  .getLong())
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GRAPHBINARY_V1", "GRAPHSON_V3"})
  void expressionsWithoutEndAreStoppedInStrategiesOfBytecode(Serializers serializer) {
    try (Driver driver = served.driver(serializer)) {
      driver.g.addV("job").property("name", "a".repeat(40)).iterate();
      GraphTraversalSource part =
          driver
              .g
              .with("evaluationTimeout", 300L)
              .withStrategies(
                  SubgraphStrategy.build()
                      .vertices(__.has("name", TextP.regex("^(a+)+(\\1)?b")))
                      .create());
      assertThatThrownBy(() -> part.V().promise(Traversal::toList).get(10, TimeUnit.SECONDS))
          .hasMessageContaining("300 ms");
      GraphTraversalSource all =
          driver.g.withStrategies(
              SubgraphStrategy.build().vertices(__.has("name", TextP.regex("^a+$"))).create());
      assertThat(all.V().count().next()).isEqualTo(1L);
    }
  }

  /** The head of a request that opens a WebSocket at a path. */
  private static String opening(String path) {
    return "GET "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  }

  @Test
  void idleConnectionsAreClosedAndWebSocketsAskedBefore() throws Exception {
    try (ServedGraph idle = new ServedGraph(Map.of(ServerSetting.IDLE_TIMEOUT_MILLIS, 3000))) {
      assertThat(
              RawHttp.say(
                  idle.port(),
                  "GET /gremlin?gremlin=g.inject(1) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 200 OK")
          .doesNotContain("\u0089");
      String ping = "\u0089\u0000";
      String normalEnd = "\u0088\u0005\u0003\u00e8Bye";
      assertThat(RawHttp.say(idle.port(), opening("/gremlin")))
          .startsWith("HTTP/1.1 101 Switching Protocols")
          .containsSubsequence(ping, ping)
          .endsWith(normalEnd);
    }
  }

  @Test
  void aWebSocketIsOpenedAtOnePathAndAfterOtherRequestsToo() throws Exception {
    assertThat(RawHttp.firstLine(served.port(), opening("/gremlin")))
        .isEqualTo("HTTP/1.1 101 Switching Protocols");
    assertThat(RawHttp.firstLine(served.port(), opening("/elsewhere")))
        .isEqualTo("HTTP/1.1 400 Bad Request");
    String request = "GET /gremlin?gremlin=g.inject(1) HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(
            RawHttp.sayUntil(
                served.port(), request + opening("/gremlin"), "101 Switching Protocols"))
        .startsWith("HTTP/1.1 200 OK");
  }

  /** What the proxy of AWS Graph Explorer sends, each kind of its questions. */
  @Test
  void graphExplorerIsAnswered() throws Exception {
    served.post(
        "{\"gremlin\":\"g.addV('job').property(id,'j1').property('name','sim').as('j')"
            + ".addV('file').property(id,'/a').addE('wrote').from('j')\"}");
    String[] questions = {
      "g.V().groupCount().by(label)",
      "g.E().label().dedup()",
      "g.V().limit(1).project('job','file').by(V().hasLabel('job').limit(1)).by(V().hasLabel('file').limit(1))",
      "g.V().hasLabel('job').or(has(id,containing('j')),has('name',containing('s'))).range(0,10)",
      "g.V('j1').as('start').both().filter(__.not(__.hasId('x'))).dedup().range(0,10).as('neighbor')"
          + ".project('vertex','edges').by().by(__.select('start').bothE()"
          + ".where(otherV().where(eq('neighbor'))).dedup().fold())",
      "g.V('j1').both().dedup().group().by(label).by(count())"
    };
    String[] expected = {"job", "wrote", "sim", "j1", "/a", "file"};
    for (int i = 0; i < questions.length; i++) {
      HttpResponse<String> answer =
          served.post(
              "{\"gremlin\":\"" + questions[i] + "\",\"queryId\":\"" + UUID.randomUUID() + "\"}",
              "Content-Type",
              "application/json",
              "Accept",
              "application/vnd.gremlin-v3.0+json");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains(expected[i], "\"@type\":\"g:List\"");
    }
  }

  @Test
  void aScanThatTakesTooLongLeavesItsThread() {
    for (int i = 0; i < 20_000; i++) {
      served.graph.addVertex("label", "row", "n", i);
    }
    served.graph.tx().commit();
    try (Driver driver = served.driver(Serializers.GRAPHBINARY_V1)) {
      // Twenty thousand scans of twenty thousand rows; what ends them is looked for in the store.
      assertThatThrownBy(
              () -> driver.g.with("evaluationTimeout", 300L).V().V().has("n", -1).iterate())
          .hasMessageContaining("300 ms");
      assertThatCode(() -> Await.until(() -> served.endpoint.queriesUnderWay() == 0))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.with('evaluationTimeout',).V()",
        "g.with('evaluationTimeout',99999999999999999999999999999999).V(",
        "g.with('evaluationTimeout',1000).V()/*LONG*/",
        "g.with('requestId','1').V()/*LONG",
        "g.with('evaluationTimeout',1000)LONG",
        "g.V()LONG"
      })
  void eachScriptGetsAnAnswer(String shape) throws Exception {
    for (String unit : new String[] {"x", "\\n", ".with('materializeProperties','", "("}) {
      String script = shape.replace("LONG", unit.repeat(60_000 / unit.length()));
      assertThat(served.post("{\"gremlin\":\"" + script + "\"}").statusCode()).isIn(200, 400);
      try (RawSocket socket = new RawSocket(served.port())) {
        socket.send(
            "{\"requestId\":\""
                + UUID.randomUUID()
                + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\""
                + script
                + "\"}}");
        assertThat(socket.next()).contains("\"requestId\"", "\"message\"");
      }
    }
  }
}
