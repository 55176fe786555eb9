package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a server process: start, health, connections that drop, and its end. */
final class ServerIT {
  @TempDir private Path directory;

  @Test
  void tellsItsHealthAndItsMetrics() throws Exception {
    try (ServerProcess server = new ServerProcess(directory, "-Xmx256m");
        Driver driver = server.driver()) {
      driver.g.addV("job").iterate();
      catchThrowable(() -> driver.client.submit("1+1").all().get());
      assertThat(server.admin("/live").body()).isEqualTo("live\n");
      assertThat(server.admin("/ready").body()).isEqualTo("ready\n");
      assertThat(server.admin("/nothing").statusCode()).isEqualTo(404);
      assertThat(server.admin("/metrics").body())
          .contains(
              "graphmeta_queries_seconds_bucket{kind=\"bytecode\",outcome=\"done\"",
              "graphmeta_queries_seconds_count{kind=\"script\",outcome=\"invalid\"",
              "graphmeta_connections",
              "graphmeta_sessions",
              "graphmeta_database_bytes",
              "jvm_memory_used_bytes");
    }
    assertThat(Files.readString(directory.resolve("db.audit.log")))
        .contains(
            "user=anonymous address=127.0.0.1:",
            "kind=bytecode session=- outcome=\"done\"",
            "addV(job)",
            "kind=script session=- outcome=\"invalid\"",
            "request=\"1+1\"");
  }

  @Test
  void onSigtermCancelsRollsBackAndKeepsWhatItAcknowledged() throws Exception {
    AtomicInteger acknowledged = new AtomicInteger();
    List<CompletableFuture<?>> running = new ArrayList<>();
    try (ServerProcess server =
        new ServerProcess(directory, "-Xmx256m", "--set", "server.max-loops=2147483647")) {
      Driver driver = server.driver();
      GraphTraversalSource open = driver.g.tx().begin();
      open.addV("uncommitted").iterate();
      driver.g.addV("loop").as("a").addE("self").from("a").to("a").iterate();
      for (int i = 0; i < 3; i++) {
        running.add(
            driver
                .client
                .submitAsync("g.V().hasLabel('loop').repeat(out()).until(is(1)).addV('late')")
                .thenCompose(results -> results.all()));
      }
      Await.until(() -> server.metric("graphmeta_queries_under_way") >= 1);
      Thread writer =
          new Thread(
              () ->
                  catchThrowable(
                      () -> {
                        while (true) {
                          driver.g.addV("acknowledged").iterate();
                          acknowledged.incrementAndGet();
                        }
                      }));
      writer.start();
      Await.until(() -> acknowledged.get() > 20);
      long begun = System.nanoTime();
      assertThat(server.terminate()).isEqualTo(143);
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).isLessThan(20);
      for (CompletableFuture<?> each : running) {
        assertThat(catchThrowable(each::get)).hasMessageContaining("shutting down");
      }
      writer.join(10_000);
      driver.close();
    }
    try (ServerProcess again = new ServerProcess(directory, "-Xmx256m");
        Driver driver = again.driver()) {
      assertThat(driver.g.V().hasLabel("uncommitted", "late").count().next()).isZero();
      // The answer to the last one may have been lost, but never the other way round.
      assertThat(driver.g.V().hasLabel("acknowledged").count().next())
          .isBetween((long) acknowledged.get(), acknowledged.get() + 1L);
    }
  }

  @Test
  void aConnectionThatDropsTakesItsTransactionWithIt() throws Exception {
    try (ServerProcess server =
            new ServerProcess(directory, "-Xmx256m", "--set", "server.max-loops=2147483647");
        Driver driver = server.driver()) {
      for (boolean whileRunning : new boolean[] {false, true}) {
        RawSocket doomed = new RawSocket(server.port);
        doomed.send(inSession("doomed" + whileRunning, "g.addV('doomed').property(id,'d')"));
        assertThat(doomed.next()).contains("\"code\":200");
        if (whileRunning) {
          doomed.send(inSession("doomed" + whileRunning, "g.V().repeat(identity()).until(is(1))"));
          Await.until(() -> server.metric("graphmeta_queries_under_way") >= 1);
        }
        doomed.close();
        Await.until(
            () ->
                server.metric("graphmeta_sessions") == 0
                    && server.metric("graphmeta_queries_under_way") == 0);
        assertThat(driver.g.V("d").count().next()).isZero();
      }
      driver.g.addV("free").property(org.apache.tinkerpop.gremlin.structure.T.id, "d").iterate();
      assertThat(driver.g.V("d").label().next()).isEqualTo("free");
    }
  }

  @Test
  void aClientThatHasGoneSilentIsGivenUp() throws Exception {
    try (ServerProcess server =
            new ServerProcess(directory, "-Xmx256m", "--set", "server.idle-timeout-millis=3000");
        Driver driver = server.driver();
        Socket silent = new Socket("127.0.0.1", server.port)) {
      silent
          .getOutputStream()
          .write(
              ("GET /gremlin HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                      + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      + "Sec-WebSocket-Version: 13\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      silent.getInputStream().readNBytes("HTTP/1.1 101 Switching".length());
      silent.getOutputStream().write(frame(inSession("silent", "g.addV('silent')")));
      Await.until(() -> server.metric("graphmeta_sessions") == 1);
      // It answers no ping, as if its cable were cut; a driver beside it does, and stays.
      assertThat(driver.g.V().count().next()).isZero();
      Await.until(() -> server.metric("graphmeta_sessions") == 0);
      assertThat(driver.g.V().hasLabel("silent").count().next()).isZero();
    }
  }

  @Test
  void aSessionThatIsForgottenEnds() throws Exception {
    try (ServerProcess server =
            new ServerProcess(directory, "-Xmx256m", "--set", "server.session-timeout-millis=500");
        Driver driver = server.driver()) {
      GraphTraversalSource tx = driver.g.tx().begin();
      tx.addV("forgotten").iterate();
      Await.until(() -> server.metric("graphmeta_sessions") == 0);
      assertThat(driver.g.V().count().next()).isZero();
    }
  }

  private static String inSession(String session, String script) {
    return "{\"requestId\":\""
        + UUID.randomUUID()
        + "\",\"op\":\"eval\",\"processor\":\"session\",\"args\":{\"session\":\""
        + session
        + "\",\"gremlin\":\""
        + script
        + "\"}}";
  }

  /** A text frame of more than 125 and less than 65,536 bytes, masked by zeros. */
  private static byte[] frame(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(0x81);
    frame.write(0x80 | 126);
    frame.write(bytes.length >> 8);
    frame.write(bytes.length);
    frame.writeBytes(new byte[4]);
    frame.writeBytes(bytes);
    return frame.toByteArray();
  }
}
