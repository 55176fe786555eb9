package io.graphmeta.server.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.access.PageRules;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@code /live} (the process answers), {@code /ready} (requests are taken and a read of the
 * database works) and {@code /metrics} over plain HTTP. Safe for use by many threads.
 */
public final class AdminEndpoint implements AutoCloseable {
  private static final long READ_WITHIN_MILLIS = 2000;
  private static final int THREADS = 2;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService threads;
  private final ExecutorService reader;
  private final PageRules pages;
  private final Check check;
  private volatile boolean stopping;

  @GuardedBy("this")
  private @Nullable Future<?> reading;

  /** Reads something of the database; throws if that does not work. */
  public interface Check {
    void read();
  }

  private AdminEndpoint(HttpServer server, PageRules pages, ServerMetrics metrics, Check check) {
    this.server = server;
    this.pages = pages;
    this.check = check;
    this.threads = Executors.newFixedThreadPool(THREADS, AdminEndpoint::thread);
    this.reader = Executors.newSingleThreadExecutor(AdminEndpoint::thread);
    server.setExecutor(threads);
    server.createContext("/live", exchange -> answer(exchange, "/live", 200, TEXT, "live\n"));
    server.createContext("/ready", this::ready);
    server.createContext(
        "/metrics", exchange -> answer(exchange, "/metrics", 200, PROMETHEUS, metrics.text()));
    server.createContext("/", exchange -> answer(exchange, "", 404, TEXT, "not found\n"));
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "graphmeta-admin");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Listens and answers.
   *
   * @throws GraphMetaException if the address cannot be taken
   */
  public static AdminEndpoint start(ServerSettings settings, ServerMetrics metrics, Check check) {
    String host = settings.get(ServerSetting.ADMIN_HOST);
    return start(
        host,
        settings.integer(ServerSetting.ADMIN_PORT),
        PageRules.of(settings, host, false),
        metrics,
        check);
  }

  /**
   * As above, at an address.
   *
   * @param port 0 for a free one
   */
  public static AdminEndpoint start(String host, int port, ServerMetrics metrics, Check check) {
    return start(host, port, PageRules.of(ServerSettings.defaults(), host, false), metrics, check);
  }

  private static AdminEndpoint start(
      String host, int port, PageRules pages, ServerMetrics metrics, Check check) {
    try {
      AdminEndpoint endpoint =
          new AdminEndpoint(
              HttpServer.create(new InetSocketAddress(host, port), 0), pages, metrics, check);
      endpoint.server.start();
      return endpoint;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Cannot listen on "
              + host
              + ":"
              + port
              + " ("
              + e.getMessage()
              + "); choose another --admin-port, or -1 for none",
          e);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** From now on it is not ready. */
  public void stopping() {
    stopping = true;
  }

  private void ready(HttpExchange exchange) throws IOException {
    String fault = fault();
    if (fault == null) {
      answer(exchange, "/ready", 200, TEXT, "ready\n");
    } else {
      answer(exchange, "/ready", 503, TEXT, fault + "\n");
    }
  }

  private @Nullable String fault() {
    if (stopping) {
      return "not ready: it is shutting down";
    }
    try {
      read().get(READ_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return "not ready: the database cannot be read: " + e.getMessage();
    } catch (TimeoutException e) {
      return "not ready: a read of the database takes longer than " + READ_WITHIN_MILLIS + " ms";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "not ready: interrupted";
    }
  }

  /** One read at a time: a database that hangs must not take a thread for each question. */
  private synchronized Future<?> read() {
    if (reading == null || reading.isDone()) {
      reading = reader.submit(check::read);
    }
    return reading;
  }

  private void answer(HttpExchange exchange, String path, int status, String mimeType, String text)
      throws IOException {
    try (exchange) {
      boolean known = path.isEmpty() || exchange.getRequestURI().getPath().equals(path);
      String fault = fault(exchange.getRequestHeaders());
      if (fault != null) {
        send(exchange, 403, TEXT, fault + "\n");
      } else if (known) {
        send(exchange, status, mimeType, text);
      } else {
        send(exchange, 404, TEXT, "not found\n");
      }
    }
  }

  private @Nullable String fault(Headers headers) {
    return pages.fault(
        headers.getOrDefault("Host", List.of()),
        headers.getOrDefault("Origin", List.of()),
        headers.getOrDefault("Sec-fetch-site", List.of()));
  }

  private static void send(HttpExchange exchange, int status, String mimeType, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", mimeType);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  @Override
  public void close() {
    stopping = true;
    server.stop(0);
    threads.shutdownNow();
    reader.shutdownNow();
  }
}
