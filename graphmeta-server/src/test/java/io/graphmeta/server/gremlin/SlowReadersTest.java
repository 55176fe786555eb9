package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.settings.ServerSetting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.junit.jupiter.api.Test;

/**
 * Browsers that read their answers a byte at a time, while clients of Gremlin are served. A
 * thousand of them with {@code -Dgraphmeta.slow-readers=1000}.
 */
final class SlowReadersTest {
  private static final int READERS = Integer.getInteger("graphmeta.slow-readers", 150);
  private static final int QUERIES = 300;
  private static final int SMALL_BUFFER = 2_048;
  private static final int PATIENCE_MILLIS = 120_000;
  private static final String QUESTION =
      "{\"gremlin\": \"g.V().hasLabel('file').limit(1000)\", \"limit\": 1000}";

  @Test
  void gremlinIsServedWhileManyReadSlowly() throws Exception {
    Map<ServerSetting, Object> settings =
        Map.of(
            ServerSetting.MAX_CONNECTIONS,
            READERS + 100,
            ServerSetting.IDLE_TIMEOUT_MILLIS,
            600_000);
    List<Socket> readers = new ArrayList<>();
    ExecutorService pool = Executors.newCachedThreadPool();
    AtomicBoolean ended = new AtomicBoolean();
    try (ServedGraph served = new ServedGraph(settings)) {
      SampleGraph.load(served.database);
      for (int i = 0; i < READERS; i++) {
        readers.add(reader(served.port()));
      }
      Future<Long> reading = pool.submit(() -> readSlowly(readers, ended));
      List<Long> micros = ask(served);
      ended.set(true);
      long read = reading.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(read).isPositive();
      micros.sort(null);
      System.out.printf(
          "%,d slow readers, %,d bytes read meanwhile; queries in microseconds: median %,d, longest %,d%n",
          READERS, read, micros.get(micros.size() / 2), micros.get(micros.size() - 1));
      // Whoever reads on gets the whole answer.
      assertThat(rest(readers.get(0))).endsWith("}");
      for (Socket reader : readers) {
        reader.close();
      }
      // And when all are gone there is room for the next.
      Socket last = reader(served.port());
      readers.add(last);
      assertThat(rest(last)).contains("\"results\"").endsWith("}");
    } finally {
      ended.set(true);
      pool.shutdownNow();
      for (Socket reader : readers) {
        reader.close();
      }
    }
  }

  /** Asks, and returns when the answer has begun, so that it waits to be read. */
  private static Socket reader(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    String request =
        "POST /ui/api/gremlin HTTP/1.1\r\nHost: 127.0.0.1:"
            + port
            + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
            + QUESTION.length()
            + "\r\n\r\n"
            + QUESTION;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    assertThat(new String(begin, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    return socket;
  }

  private static long readSlowly(List<Socket> readers, AtomicBoolean ended) throws Exception {
    long read = 0;
    while (!ended.get()) {
      for (Socket reader : readers) {
        read += reader.getInputStream().read() < 0 ? 0 : 1;
      }
      Thread.sleep(100);
    }
    return read;
  }

  /** How long each of the queries took; all are answered rightly. */
  private static List<Long> ask(ServedGraph served) throws Exception {
    List<Long> micros = new ArrayList<>();
    Cluster cluster = served.cluster().create();
    try {
      Client client = cluster.connect();
      for (int i = 0; i < QUERIES; i++) {
        long began = System.nanoTime();
        long count =
            client
                .submit("g.V().hasLabel('user').count()")
                .all()
                .get(60, TimeUnit.SECONDS)
                .get(0)
                .getLong();
        assertThat(count).isEqualTo(3);
        micros.add((System.nanoTime() - began) / 1_000);
      }
    } finally {
      cluster.close();
    }
    return micros;
  }

  private static String rest(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    in.transferTo(all);
    return all.toString(StandardCharsets.UTF_8);
  }
}
