package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.server.RunsAlone;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What someone with bad intentions sends to a server with little memory, as it is by default but
 * for shorter times. Each attempt must end with an error that says why, and the server must serve
 * on; it is one process for all of them, and must be the same at the end.
 */
@RunsAlone
final class AttackIT {
  private static final String BELOW_JAVA = "java.lang.Runtime";

  @TempDir private static Path directory;
  private static ServerProcess server;
  private static Driver driver;
  private static GraphTraversalSource g;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ServerProcess(
            directory,
            "-Xmx256m",
            "--set",
            "server.evaluation-timeout-millis=3000",
            "--set",
            "server.first-request-timeout-millis=1500",
            "--set",
            "server.idle-timeout-millis=6000",
            "--set",
            "server.max-connections=60",
            "--set",
            "server.max-sessions=8");
    driver = server.driver();
    g = driver.g;
    g.addV("job")
        .property("name", "a".repeat(40) + "!")
        .as("j")
        .addE("self")
        .from("j")
        .to("j")
        .iterate();
  }

  @AfterAll
  static void stop() throws Exception {
    driver.close();
    server.close();
  }

  /** After every attempt: the same process, ready, answering what it should. */
  @AfterEach
  void servesOn() throws Exception {
    assertThat(server.process.isAlive()).as("alive; it said: %s", server.errors()).isTrue();
    assertThat(server.admin("/ready").statusCode()).isEqualTo(200);
    HttpResponse<String> answer = server.post("{\"gremlin\":\"g.V().hasLabel('job').count()\"}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"@value\":1");
    assertThat(g.V().hasLabel("job").count().next()).isEqualTo(1L);
  }

  // Code

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.getProperty('user.name')",
        "'id'.execute().text",
        "Runtime.getRuntime().exec('id')",
        "g.V().map{it.get().id()}",
        "g.V().filter{true}",
        "[1,2].collect{it*2}",
        "1+1",
        "def x = 1; x",
        "new File('/etc/passwd').text",
        "graph.traversal().V()",
        "g.getClass()",
        "g.V().toList().getClass().forName('java.lang.Runtime')",
        "@groovy.transform.ASTTest(value={assert false}) def x; g.V()",
        "import java.lang.Runtime; g.V()"
      })
  void groovyIsNotEvaluatedByAnyLanguageName(String script) throws Exception {
    for (String language : new String[] {"gremlin-groovy", "gremlin-lang", ""}) {
      HttpResponse<String> overHttp = server.post(json("gremlin", script, "language", language));
      assertThat(overHttp.statusCode()).isEqualTo(400);
      assertThat(overHttp.body()).contains("not understood as gremlin-lang");
    }
    assertThatThrownBy(() -> driver.client.submit(script).all().get())
        .hasMessageContaining("not understood as gremlin-lang");
    Client session = driver.cluster.connect(UUID.randomUUID().toString());
    try {
      assertThatThrownBy(() -> session.submit(script).all().get())
          .hasMessageContaining("not understood as gremlin-lang");
    } finally {
      session.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"groovy", "nashorn", "javascript", "js", "gremlin-java", "python"})
  void otherLanguagesAreNotServed(String language) throws Exception {
    HttpResponse<String> answer = server.post(json("gremlin", "g.V()", "language", language));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("is not served; expected gremlin-lang");
  }

  @Test
  void lambdasInBytecodeAreRefused() {
    assertThatThrownBy(() -> g.V().map(Lambda.function("it.get().id()")).toList())
        .hasMessageContaining("lambda");
    assertThatThrownBy(() -> g.V().filter(Lambda.predicate("true", "gremlin-groovy")).toList())
        .hasMessageContaining("lambda");
    assertThatThrownBy(() -> g.V().where(__.map(Lambda.function("x", "gremlin-python"))).toList())
        .hasMessageContaining("lambda");
    assertThatThrownBy(() -> g.withSideEffect("a", Lambda.supplier("[]")).V().toList())
        .hasMessageContaining("lambda");
    assertThatThrownBy(() -> g.V().order().by(Lambda.comparator("a <=> b")).toList())
        .hasMessageContaining("lambda");
  }

  @Test
  void lambdasInGraphSonAreRefused() throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      String id = UUID.randomUUID().toString();
      socket.send(
          bytecodeJson(
              id,
              "[[\"V\"],[\"map\",{\"@type\":\"g:Lambda\",\"@value\":{\"script\":\"it\","
                  + "\"language\":\"gremlin-groovy\",\"arguments\":1}}]]",
              "[]"));
      assertThat(socket.next()).contains(id, "lambda");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "write"})
  void filesOfTheServerStayClosed(String way) throws Exception {
    Path file = directory.resolve("stolen-" + way + ".kryo");
    String script = "g.io('" + file + "')." + way + "().iterate()";
    assertThatThrownBy(() -> driver.client.submit(script).all().get()).hasMessageContaining("io()");
    assertThat(server.post(json("gremlin", script)).statusCode()).isEqualTo(403);
    assertThatThrownBy(
            () ->
                (way.equals("read") ? g.io(file.toString()).read() : g.io(file.toString()).write())
                    .iterate())
        .hasMessageContaining("io()");
    assertThat(Files.exists(file)).isFalse();
  }

  // Classes and strategies

  @Test
  void classesOfGraphBinaryAreNotLoaded() throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      UUID id = UUID.randomUUID();
      socket.send(bytecodeWithStrategy(id, BELOW_JAVA));
      assertThat(socket.next()).contains(BELOW_JAVA, "cannot be used here").contains(bytes(id));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.Runtime",
        "org.apache.tinkerpop.gremlin.process.remote.traversal.strategy.decoration.RemoteStrategy",
        "org.apache.tinkerpop.gremlin.process.computer.traversal.strategy.decoration.VertexProgramStrategy",
        "evil.ReadOnlyStrategy",
        "no.such.Thing"
      })
  void strategiesOfGraphSonAreThoseOnTheList(String type) throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      String id = UUID.randomUUID().toString();
      socket.send(
          bytecodeJson(
              id,
              "[[\"V\"]]",
              "[[\"withStrategies\",{\"@type\":\"g:TraversalStrategy\",\"@value\":"
                  + "{\"fqcn\":\""
                  + type
                  + "\",\"conf\":{}}}]]"));
      assertThat(socket.next()).contains(id, "cannot be used here");
      String other = UUID.randomUUID().toString();
      socket.send(
          bytecodeJson(
              other,
              "[[\"V\"]]",
              "[[\"withoutStrategies\",{\"@type\":\"g:Class\",\"@value\":\"" + type + "\"}]]"));
      assertThat(socket.next()).contains(other, "cannot be used here");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.withStrategies(RemoteStrategy).V()",
        "g.withStrategies(new EventStrategy()).V()",
        "g.withStrategies(VertexProgramStrategy()).V()",
        "g.withoutStrategies(ReadOnlyStrategy).V()",
        "g.withoutStrategies(NoFilesStrategy).V()",
        "g.withoutStrategies(LazyBarrierStrategy, LimitStrategy).V()",
        "g.withoutStrategies(GraphMetaStepStrategy).V()"
      })
  void strategiesOfScriptsAreThoseOnTheList(String script) throws Exception {
    HttpResponse<String> answer = server.post(json("gremlin", script));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("cannot be");
  }

  @Test
  void methodsThatAreNoStepsCannotBeCalled() {
    for (String method : new String[] {"asAdmin", "iterate", "clone", "program", "hashCode"}) {
      Bytecode bytecode = new Bytecode();
      bytecode.addStep("V");
      bytecode.addStep(method);
      assertThatThrownBy(() -> driver.submit(bytecode))
          .hasMessageContaining("is not a step that is served");
    }
    Bytecode remote = new Bytecode();
    remote.addSource("withRemote", "/etc/passwd");
    remote.addStep("V");
    assertThatThrownBy(() -> driver.submit(remote)).hasMessageContaining("cannot be set on g");
  }

  // Size and depth

  @Test
  void anOversizedMessageIsCutOff() throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      catchThrowable(() -> socket.send("x".repeat(8 << 20)));
      assertThat(socket.next()).startsWith("closed");
    }
    HttpResponse<String> overHttp = server.post(json("gremlin", "g.V(" + "1".repeat(8 << 20)));
    assertThat(overHttp.statusCode()).isEqualTo(413);
  }

  @Test
  void anOversizedScriptIsRefused() throws Exception {
    HttpResponse<String> answer =
        server.post(json("gremlin", "g.V(" + "1,".repeat(100_000) + "1)"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("server.max-script-chars");
  }

  @Test
  void deepNestingOfScriptsIsRefused() throws Exception {
    String nested = "__.not(".repeat(5000) + "__.out()" + ")".repeat(5000);
    HttpResponse<String> answer = server.post(json("gremlin", "g.V().where(" + nested + ")"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("server.max-nesting");
    String lists = "[".repeat(30_000) + "]".repeat(30_000);
    assertThat(server.post(json("gremlin", "g.inject(" + lists + ")")).body())
        .contains("server.max-nesting");
  }

  @Test
  void deepNestingOfBytecodeIsRefused() {
    Bytecode nested = new Bytecode();
    nested.addStep("out");
    for (int i = 0; i < 300; i++) {
      Bytecode outer = new Bytecode();
      outer.addStep("not", nested);
      nested = outer;
    }
    Bytecode whole = new Bytecode();
    whole.addStep("V");
    whole.addStep("where", nested);
    assertThatThrownBy(() -> driver.submit(whole)).hasMessageContaining("server.max-nesting");
  }

  @Test
  void deepNestingOfGraphBinaryThatNoDriverCouldWriteIsRefused() throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      UUID id = UUID.randomUUID();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = begin(bytes, id, "bytecode", "traversal");
      out.writeInt(1);
      typed(out, "gremlin");
      for (int i = 0; i < 200_000; i++) {
        out.write(new byte[] {0x09, 0x00, 0, 0, 0, 1});
      }
      socket.send(bytes.toByteArray());
      assertThat(socket.next()).contains(bytes(id), "server.max-nesting");
    }
  }

  @Test
  void deepNestingOfGraphSonIsRefused() throws Exception {
    try (RawSocket socket = new RawSocket(server.port)) {
      String id = UUID.randomUUID().toString();
      socket.send(
          "{\"requestId\":\""
              + id
              + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\"g.V()\",\"bindings\":{\"x\":"
              + "[".repeat(100_000)
              + "]".repeat(100_000)
              + "}}}");
      assertThat(socket.next()).contains(id, "nest");
    }
    HttpResponse<String> overHttp =
        server.post("{\"gremlin\":\"g.V()\",\"bindings\":" + "{\"a\":".repeat(100_000));
    assertThat(overHttp.statusCode()).isEqualTo(400);
  }

  @Test
  void lengthsThatLieTakeNoMemory() throws Exception {
    for (byte[] lie :
        List.of(
            new byte[] {0x09, 0x00, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xf0},
            new byte[] {0x03, 0x00, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xf0},
            new byte[] {0x25, 0x00, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xf0},
            new byte[] {0x0a, 0x00, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff})) {
      try (RawSocket socket = new RawSocket(server.port)) {
        UUID id = UUID.randomUUID();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = begin(bytes, id, "eval", "");
        out.writeInt(1);
        typed(out, "gremlin");
        out.write(lie);
        socket.send(bytes.toByteArray());
        assertThat(socket.next()).contains(bytes(id), "says that it has");
      }
    }
  }

  // Time

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.V().repeat(out()).until(is(1)).iterate()",
        "g.V().repeat(out()).emit().path().iterate()",
        "g.V().repeat(identity()).until(constant(false).is(true))",
        "g.inject(1).repeat(map(constant(1))).until(is(2))",
        "g.V().out().out().repeat(out().in()).times(1000000000)",
        "g.V().repeat(out('self').as('x').select('x')).until(is(0)).count()"
      })
  void endlessTraversalsEnd(String script) throws Exception {
    assertThatThrownBy(() -> driver.client.submit(script).all().get())
        .message()
        .containsAnyOf("3000 ms allowed", "server.max-loops", "memory ran short");
    assertThat(server.post(json("gremlin", script)).statusCode()).isIn(400, 500, 504);
  }

  @Test
  void aClientCannotAskForMoreTime() {
    for (String asked : new String[] {"0", "-1", "999999999", "9223372036854775807L"}) {
      assertThatThrownBy(
              () ->
                  driver
                      .client
                      .submit(
                          "g.with('evaluationTimeout',"
                              + asked
                              + ").V().repeat(out()).until(is(1))")
                      .all()
                      .get())
          .message()
          .containsAnyOf("3000 ms allowed", "server.max-loops");
    }
  }

  @Test
  void regularExpressionsThatBacktrackForeverEnd() {
    assertThatThrownBy(() -> g.V().has("name", TextP.regex("^(a+)+(\\1)?b")).toList())
        .hasMessageContaining("3000 ms allowed");
    assertThatThrownBy(() -> g.V().values("name").is(P.not(TextP.regex("(?:(a+)\\1?)+b"))).toList())
        .hasMessageContaining("3000 ms allowed");
    assertThatThrownBy(
            () ->
                driver
                    .client
                    .submit("g.V().where(__.values('name').is(TextP.regex('(a{1,10}){1,30}b')))")
                    .all()
                    .get())
        .hasMessageContaining("3000 ms allowed");
  }

  // Memory

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.inject('aaaaaaaa').repeat(concat(identity())).times(60)",
        "g.inject('aaaaaaaa').repeat(as('x').concat(select('x'),select('x'),select('x'))).times(60)",
        "g.inject('a').repeat(replace('a','aaaaaaaaaaaaaaaa')).times(30)",
        "g.inject('a').repeat(as('s').format('%{s}%{s}%{s}%{s}')).times(60)",
        "g.inject([1,2,3,4]).repeat(as('l').combine(select('l'))).times(60)",
        "g.inject([1,2,3,4]).repeat(as('l').product(select('l'))).times(60)",
        "g.withSack(3n).inject(1).repeat(sack(mult).by(sack())).times(60).sack()",
        "g.inject(1).repeat(union(identity(),identity())).times(40).fold()",
        "g.inject(1,2).repeat(flatMap(union(identity(),constant(7)).fold().unfold())).times(40).order()",
        "g.inject(1).repeat(union(identity(),identity())).times(40).path().fold()",
        "g.inject(1).repeat(union(identity(),identity())).times(40).aggregate('x').cap('x')",
        "g.inject(1E999999999M, 1M).sum()",
        "g.V().repeat(aggregate('x').by('name').union(out(),out())).until(is(0)).cap('x')"
      })
  void bombsAreCutOff(String script) throws Exception {
    assertThatThrownBy(() -> driver.client.submit(script).all().get())
        .message()
        .containsAnyOf(
            "server.max-", "memory ran short", "3000 ms allowed", "exponent", "a long can count");
    assertThat(server.post(json("gremlin", script)).statusCode()).isIn(400, 500, 504);
  }

  @Test
  void manyBombsAtOnceAreCutOff() {
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      answers.add(
          driver
              .client
              .submitAsync(
                  "g.inject('"
                      + i
                      + "').repeat(union(identity(),identity())).times(40).group().by(__.path().count(local))")
              .thenCompose(results -> results.all()));
    }
    for (CompletableFuture<?> answer : answers) {
      assertThatThrownBy(answer::get)
          .message()
          .containsAnyOf("server.max-", "memory ran short", "3000 ms allowed");
    }
  }

  @Test
  void hugeResultsAreStreamedAndThoseOverHttpRefused() throws Exception {
    String script = "g.inject(1).repeat(union(identity(),identity())).times(17)";
    assertThat(driver.client.submit(script).all().get()).hasSize(131_072);
    HttpResponse<String> overHttp = server.post(json("gremlin", script));
    assertThat(overHttp.statusCode()).isEqualTo(400);
    assertThat(overHttp.body()).contains("over HTTP");
  }

  @Test
  void aTransactionThatNeverEndsIsRefusedMore() throws Exception {
    GraphTraversalSource tx = g.tx().begin();
    String large = "x".repeat(1 << 20);
    Throwable thrown =
        catchThrowable(
            () -> {
              for (int i = 0; i < 500; i++) {
                tx.addV("heavy").property("p", large).iterate();
              }
            });
    assertThat(thrown).isNotNull();
    assertThat(thrown.getMessage())
        .containsAnyOf("max-transaction-bytes", "memory ran short", "more than");
    catchThrowable(() -> tx.tx().rollback());
    assertThat(g.V().hasLabel("heavy").count().next()).isZero();
  }

  // Connections

  @Test
  void sessionsHaveANumber() throws Exception {
    List<Client> sessions = new ArrayList<>();
    try {
      Throwable thrown = null;
      for (int i = 0; i < 12 && thrown == null; i++) {
        Client session = driver.cluster.connect(UUID.randomUUID().toString());
        sessions.add(session);
        thrown = catchThrowable(() -> session.submit("g.V().count()").all().get());
      }
      assertThat(thrown).hasMessageContaining("server.max-sessions");
    } finally {
      sessions.forEach(Client::close);
    }
    Await.until(() -> server.metric("graphmeta_sessions") == 0);
  }

  @Test
  void aSessionIsOfItsConnection() throws Exception {
    String name = UUID.randomUUID().toString();
    Client session = driver.cluster.connect(name);
    try {
      session.submit("g.addV('secret')").all().get();
      try (RawSocket thief = new RawSocket(server.port)) {
        String id = UUID.randomUUID().toString();
        thief.send(
            "{\"requestId\":\""
                + id
                + "\",\"op\":\"eval\",\"processor\":\"session\",\"args\":{\"session\":\""
                + name
                + "\",\"gremlin\":\"g.V().hasLabel('secret')\"}}");
        assertThat(thief.next()).contains(id, "belongs to another connection");
      }
    } finally {
      session.close();
    }
  }

  @Test
  void halfOpenAndSlowConnectionsAreClosed() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      Socket silent = new Socket("127.0.0.1", server.port);
      Socket slow = new Socket("127.0.0.1", server.port);
      Socket slowBody = new Socket("127.0.0.1", server.port);
      sockets.addAll(List.of(silent, slow, slowBody));
      slow.getOutputStream().write("GET /gremlin HTTP/1.1\r\nHost: localhost\r\nX-A: ".getBytes());
      slowBody
          .getOutputStream()
          .write(
              "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
                  .getBytes(StandardCharsets.US_ASCII));
      for (Socket socket : sockets) {
        socket.setSoTimeout(10_000);
        String said = readAll(socket);
        assertThat(said).contains("408", "did not arrive within");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void connectionsHaveANumber() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      String refused = "";
      for (int i = 0; i < 80 && refused.isEmpty(); i++) {
        Socket socket = new Socket("127.0.0.1", server.port);
        sockets.add(socket);
        socket.setSoTimeout(5);
        try {
          refused = readAll(socket);
        } catch (java.net.SocketTimeoutException taken) {
          refused = "";
        }
      }
      assertThat(refused).contains("503", "as many connections as it may");
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    Await.until(() -> server.metric("graphmeta_connections") < 40);
  }

  @Test
  void garbageGetsAnAnswerOrAnEnd() throws Exception {
    for (byte[] garbage :
        List.of(
            new byte[] {},
            new byte[] {0},
            new byte[] {(byte) 200, 1, 2},
            "hello".getBytes(StandardCharsets.US_ASCII),
            "!application/vnd.graphbinary-v1.0\0\0\0".getBytes(StandardCharsets.US_ASCII))) {
      try (RawSocket socket = new RawSocket(server.port)) {
        socket.send(garbage);
        assertThat(socket.next()).contains("cannot be read");
      }
    }
    try (RawSocket socket = new RawSocket(server.port)) {
      byte[] mime = "\u0015application/x-unknown!".getBytes(StandardCharsets.US_ASCII);
      mime[0] = (byte) (mime.length - 1);
      socket.send(mime);
      assertThat(socket.next()).contains("is not served");
    }
    try (RawSocket socket = new RawSocket(server.port)) {
      socket.send("{\"requestId\":42");
      assertThat(socket.next()).contains("cannot be read");
    }
    try (Socket socket = new Socket("127.0.0.1", server.port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(new byte[] {0x16, 3, 1, 0, (byte) 200, 1, 0, 10, 13, 10, 13, 10});
      assertThat(readAll(socket)).contains("400");
    }
    assertThat(server.post("not json").statusCode()).isEqualTo(400);
    assertThat(server.post("null").statusCode()).isEqualTo(400);
    assertThat(
            server
                .post("{\"gremlin\":{}}", "Content-Type", "application/vnd.graphbinary-v1.0")
                .statusCode())
        .isEqualTo(400);
    assertThat(server.post(json("gremlin", "g.V()"), "Accept", "image/png").statusCode())
        .isEqualTo(400);
  }

  @Test
  void textThatIsNotUtf8ClosesTheConnection() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", server.port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              ("GET /gremlin HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                      + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      + "Sec-WebSocket-Version: 13\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] switched = socket.getInputStream().readNBytes("HTTP/1.1 101 Switching".length());
      assertThat(new String(switched, StandardCharsets.US_ASCII)).endsWith("101 Switching");
      // A text frame of two bytes, masked by zeros: half of a character.
      socket
          .getOutputStream()
          .write(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, (byte) 0xc3, (byte) 0x28});
      String said = readAll(socket);
      assertThat(said).containsIgnoringCase("utf");
    }
  }

  @Test
  void pagesOfOthersInABrowserAreTurnedAway() throws Exception {
    HttpResponse<String> page =
        server.post(json("gremlin", "g.V()"), "Origin", "https://evil.example");
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.body()).contains("may not use the server");
    try (Socket socket = new Socket("127.0.0.1", server.port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET /gremlin?gremlin=g.V() HTTP/1.1\r\nHost: rebound.example:8182\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(readAll(socket)).contains("403", "does not go by the name");
    }
  }

  // How they are written

  private static String json(String... namesAndValues) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      json.append(i == 0 ? "" : ",")
          .append('"')
          .append(namesAndValues[i])
          .append("\":\"")
          .append(namesAndValues[i + 1].replace("\\", "\\\\").replace("\"", "\\\""))
          .append('"');
    }
    return json.append('}').toString();
  }

  private static String bytecodeJson(String id, String steps, String sources) {
    return "{\"requestId\":\""
        + id
        + "\",\"op\":\"bytecode\",\"processor\":\"traversal\",\"args\":{\"@type\":\"g:Map\",\"@value\":[\"gremlin\","
        + "{\"@type\":\"g:Bytecode\",\"@value\":{\"source\":"
        + sources
        + ",\"step\":"
        + steps
        + "}},\"aliases\",{\"@type\":\"g:Map\",\"@value\":[\"g\",\"g\"]}]}}";
  }

  /** The head of a message in GraphBinary, up to its arguments. */
  private static DataOutputStream begin(
      ByteArrayOutputStream bytes, UUID id, String op, String processor) throws IOException {
    DataOutputStream out = new DataOutputStream(bytes);
    byte[] mime = "application/vnd.graphbinary-v1.0".getBytes(StandardCharsets.US_ASCII);
    out.write(mime.length);
    out.write(mime);
    out.write(0x81);
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
    text(out, op);
    text(out, processor);
    return out;
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void typed(DataOutputStream out, String text) throws IOException {
    out.write(new byte[] {0x03, 0x00});
    text(out, text);
  }

  private static byte[] bytecodeWithStrategy(UUID id, String type) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = begin(bytes, id, "bytecode", "traversal");
    out.writeInt(1);
    typed(out, "gremlin");
    out.write(new byte[] {0x15, 0x00});
    out.writeInt(1);
    text(out, "V");
    out.writeInt(0);
    out.writeInt(1);
    text(out, "withStrategies");
    out.writeInt(1);
    out.write(new byte[] {0x29, 0x00});
    text(out, type);
    out.writeInt(0);
    return bytes.toByteArray();
  }

  private static String bytes(UUID id) {
    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(16);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return new String(bytes.array(), StandardCharsets.ISO_8859_1);
  }

  private static String readAll(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }
}
