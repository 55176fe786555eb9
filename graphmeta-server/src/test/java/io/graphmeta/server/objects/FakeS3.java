package io.graphmeta.server.objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that speaks as much of S3 as backups need, over HTTP on this machine: lists in pages of
 * three, compares what it is sent with its MD5, knows one key, and fails when it is told to.
 */
public final class FakeS3 implements AutoCloseable {
  /** The only bucket. */
  public static final String BUCKET = "backups";

  /** Who may ask, by the environment of this process. */
  static final String KEY = "AKIDEXAMPLE";

  private static final int PAGE = 3;

  final SortedMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
  final AtomicInteger requests = new AtomicInteger();

  /** How many of the next requests are told that the service is busy. */
  final AtomicInteger busy = new AtomicInteger();

  /** Whether objects are sent in half, or what comes is changed on the way. */
  volatile boolean cuts;

  volatile boolean changes;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, String> before = new HashMap<>();

  /** Begins to listen, with credentials for the clients of this process. */
  public FakeS3() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    property("aws.accessKeyId", KEY);
    property("aws.secretAccessKey", "secret");
  }

  private void property(String name, String value) {
    before.put(name, System.getProperty(name, ""));
    System.setProperty(name, value);
  }

  /** Where it is asked. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.incrementAndGet();
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        fail(exchange, 503, "SlowDown", "Reduce your request rate");
      } else if (!header(exchange, "Authorization")
          .startsWith("AWS4-HMAC-SHA256 Credential=" + KEY + "/")) {
        fail(exchange, 403, "InvalidAccessKeyId", "The key is not known");
      } else {
        answer(exchange, body);
      }
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(1);
    int slash = path.indexOf('/');
    String bucket = slash < 0 ? path : path.substring(0, slash);
    String key = slash < 0 ? "" : path.substring(slash + 1);
    if (!bucket.equals(BUCKET)) {
      fail(exchange, 404, "NoSuchBucket", "The bucket does not exist");
      return;
    }
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        if (key.isEmpty()) {
          list(exchange);
        } else {
          get(exchange, key);
        }
      }
      case "PUT" -> put(exchange, key, body);
      case "DELETE" -> {
        objects.remove(key);
        exchange.sendResponseHeaders(204, -1);
      }
      default -> fail(exchange, 405, "MethodNotAllowed", exchange.getRequestMethod());
    }
  }

  private void list(HttpExchange exchange) throws IOException {
    Map<String, String> asked = new HashMap<>();
    for (String each : exchange.getRequestURI().getRawQuery().split("&")) {
      String[] parts = each.split("=", 2);
      asked.put(
          parts[0], parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    String prefix = asked.getOrDefault("prefix", "");
    String after = asked.getOrDefault("continuation-token", "");
    List<String> all =
        objects.keySet().stream()
            .filter(name -> name.startsWith(prefix) && name.compareTo(after) > 0)
            .toList();
    List<String> page = all.subList(0, Math.min(PAGE, all.size()));
    StringBuilder xml = new StringBuilder("<ListBucketResult>");
    for (String name : page) {
      xml.append("<Contents><Key>" + name + "</Key>")
          .append("<Size>" + objects.get(name).length + "</Size></Contents>");
    }
    boolean more = all.size() > page.size();
    xml.append("<IsTruncated>" + more + "</IsTruncated>");
    if (more) {
      xml.append("<NextContinuationToken>" + page.get(PAGE - 1) + "</NextContinuationToken>");
    }
    send(exchange, 200, xml.append("</ListBucketResult>").toString());
  }

  private void get(HttpExchange exchange, String key) throws IOException {
    byte[] content = objects.get(key);
    if (content == null) {
      fail(exchange, 404, "NoSuchKey", "The key does not exist");
      return;
    }
    exchange.sendResponseHeaders(200, content.length);
    exchange.getResponseBody().write(content, 0, cuts ? content.length / 2 : content.length);
  }

  private void put(HttpExchange exchange, String key, byte[] body) throws IOException {
    byte[] content =
        header(exchange, "x-amz-content-sha256").startsWith("STREAMING") ? unchunked(body) : body;
    if (changes && content.length > 0) {
      content[content.length / 2] ^= 1;
    }
    if (!md5(content).equals(header(exchange, "Content-MD5"))) {
      fail(exchange, 400, "BadDigest", "The Content-MD5 does not match what was received");
      return;
    }
    objects.put(key, content);
    exchange.sendResponseHeaders(200, -1);
  }

  private static String md5(byte[] content) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The content of signed chunks: their length in hexadecimal digits, a signature, a line end. */
  private static byte[] unchunked(byte[] body) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int at = 0;
    while (at < body.length) {
      int end = at;
      while (body[end] != '\r') {
        end++;
      }
      String head = new String(body, at, end - at, StandardCharsets.US_ASCII);
      int length = Integer.parseInt(head.split(";")[0], 16);
      if (length == 0) {
        break;
      }
      content.writeBytes(Arrays.copyOfRange(body, end + 2, end + 2 + length));
      at = end + 2 + length + 2;
    }
    return content.toByteArray();
  }

  private static void fail(HttpExchange exchange, int status, String code, String message)
      throws IOException {
    send(
        exchange,
        status,
        "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>");
  }

  private static void send(HttpExchange exchange, int status, String xml) throws IOException {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
    before.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }
}
