package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.settings.ServerSetting;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a request costs the threads of the network, which all clients share, grows no faster than
 * the request: shapes of requests are made larger, and the processor time of those threads is
 * compared. Random shapes of scripts find what nobody thought of. And each is answered.
 */
final class NetworkThreadTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 14);
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 40);
  private static final int GROWTH = 8;

  /** Less than this is not told apart from nothing. */
  private static final double LEAST_MILLIS = 4;

  /** Linear growth comes to 1, quadratic to {@value #GROWTH}. */
  private static final double MOST = 4;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static ServedGraph served;

  /** Makes a request of about so many bytes. */
  private interface Maker {
    byte[] make(int bytes) throws IOException;
  }

  /**
   * @param text whether it is sent as text over a WebSocket; otherwise as bytes
   */
  private record Shape(String name, int bytes, boolean text, Maker maker) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    served =
        new ServedGraph(
            Map.of(
                ServerSetting.EVALUATION_TIMEOUT_MILLIS, 200,
                ServerSetting.QUERY_THREADS, 32,
                ServerSetting.MAX_SCRIPT_CHARS, 1 << 22));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  // Scripts

  private static final String[] UNITS = {
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "\t",
    "'",
    "\"",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    ";",
    ":",
    "a",
    "1",
    "9L",
    "1e9",
    "-",
    "+",
    "g",
    "g.V()",
    ".out()",
    ".with(",
    ".with('evaluationTimeout',",
    ".with('evaluationTimeout',1)",
    ".with('materializeProperties','",
    ".with('materializeProperties','tokens')",
    ".with('requestId','",
    "__.not(",
    "null",
    "P.gt(1).or(",
    "\"a\"",
    "\u00e4",
    "\ud83d\ude00",
    "$",
    "`",
    "with",
    "Tokens.",
    "ARGS_EVAL_TIMEOUT,"
  };

  private static String script(Random random, int chars) {
    StringBuilder script = new StringBuilder();
    int parts = 1 + random.nextInt(3);
    boolean trigger = random.nextBoolean();
    if (trigger) {
      script.append("g.with('evaluationTimeout',100)");
    }
    for (int part = 0; part < parts; part++) {
      StringBuilder unit = new StringBuilder();
      for (int i = 0; i <= random.nextInt(3); i++) {
        unit.append(UNITS[random.nextInt(UNITS.length)]);
      }
      script.append(unit.toString().repeat(Math.max(1, chars / parts / unit.length())));
    }
    return script
        .append(random.nextBoolean() ? UNITS[random.nextInt(UNITS.length)] : "")
        .toString();
  }

  @Test
  void scriptsOfRandomShapesCostNoMoreThanTheirLength() throws Exception {
    for (int i = 0; i < SEQUENCES; i++) {
      long seed = SEED + i;
      Shape shape =
          new Shape(
              "random script",
              1 << 16,
              true,
              bytes -> json(script(new Random(seed), bytes)).getBytes(StandardCharsets.UTF_8));
      compare(shape, "seed " + seed);
    }
  }

  // Messages

  static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (String unit : UNITS) {
      shapes.add(
          new Shape(
              "with " + unit,
              1 << 16,
              true,
              n -> text(json("g.with('evaluationTimeout',1)" + unit.repeat(n / unit.length())))));
    }
    shapes.add(argument("big integer", "{\"@type\":\"gx:BigInteger\",\"@value\":%s}", "9"));
    shapes.add(
        argument("big integer in quotes", "{\"@type\":\"gx:BigInteger\",\"@value\":\"%s\"}", "9"));
    shapes.add(argument("big decimal", "{\"@type\":\"gx:BigDecimal\",\"@value\":\"1.%s\"}", "9"));
    shapes.add(
        argument("big decimal number", "{\"@type\":\"gx:BigDecimal\",\"@value\":1.%s}", "9"));
    shapes.add(argument("plain number", "%s", "9"));
    shapes.add(argument("plain decimal", "0.%s", "9"));
    shapes.add(argument("long", "{\"@type\":\"g:Int64\",\"@value\":%s}", "9"));
    shapes.add(argument("double", "{\"@type\":\"g:Double\",\"@value\":\"%s\"}", "9"));
    shapes.add(argument("text", "\"%s\"", "\\u0041"));
    shapes.add(argument("lists", "[%s 1]", "[],"));
    shapes.add(argument("typed lists", "[%s 1]", "{\"@type\":\"g:List\",\"@value\":[]},"));
    shapes.add(argument("date", "{\"@type\":\"gx:OffsetDateTime\",\"@value\":\"%s\"}", "1"));
    shapes.add(argument("duration", "{\"@type\":\"gx:Duration\",\"@value\":\"P%sD\"}", "9"));
    shapes.add(argument("uuid", "{\"@type\":\"g:UUID\",\"@value\":\"%s\"}", "1-"));
    shapes.add(
        new Shape("request ids", 1 << 18, true, n -> text("{" + "\"requestId\" ".repeat(n / 12))));
    shapes.add(new Shape("blanks", 1 << 18, true, n -> text("{\"requestId\"" + " ".repeat(n))));
    shapes.add(new Shape("keys that collide", 1 << 20, true, n -> text(collidingKeys(n / 100))));
    shapes.add(
        new Shape(
            "set that collides",
            1 << 20,
            true,
            n -> text(collidingKeys(n / 100).replace("g:Map", "g:Set"))));
    shapes.add(
        new Shape("text keys that collide", 1 << 20, true, n -> text(collidingTexts(n / 37))));
    shapes.add(new Shape("nested lists", 1 << 18, true, n -> text(nestedLists(n))));
    shapes.add(
        new Shape("colliding set in GraphBinary", 1 << 18, false, n -> collidingSet(n / 22)));
    shapes.add(
        new Shape("big integer in GraphBinary", 1 << 18, false, NetworkThreadTest::bigInteger));
    return shapes;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void messagesCostNoMoreThanTheirLength(Shape shape) throws Exception {
    compare(shape, shape.name());
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String json(String script) {
    StringBuilder escaped = new StringBuilder();
    for (char c : script.toCharArray()) {
      switch (c) {
        case '"', '\\' -> escaped.append('\\').append(c);
        case '\n' -> escaped.append("\\n");
        case '\t' -> escaped.append("\\t");
        default -> escaped.append(c);
      }
    }
    return message("eval", "\"gremlin\":\"" + escaped + "\"");
  }

  private static String message(String op, String arguments) {
    return "{\"requestId\":\""
        + UUID.randomUUID()
        + "\",\"op\":\""
        + op
        + "\",\"processor\":\"\",\"args\":{"
        + arguments
        + "}}";
  }

  private static Shape argument(String name, String value, String unit) {
    return new Shape(
        name,
        1 << 18,
        true,
        n ->
            text(
                message(
                    "eval",
                    "\"gremlin\":\"g.V()\",\"bindings\":{\"@type\":\"g:Map\",\"@value\":[\"x\","
                        + value.formatted(unit.repeat(n / unit.length()))
                        + "]}")));
  }

  /** Lists of two numbers with one hash: 31 * (31 + a) + b. */
  private static String collidingKeys(int keys) {
    StringBuilder pairs = new StringBuilder();
    for (int a = 0; a < keys; a++) {
      pairs
          .append(a == 0 ? "" : ",")
          .append("{\"@type\":\"g:List\",\"@value\":[{\"@type\":\"g:Int32\",\"@value\":")
          .append(a)
          .append("},{\"@type\":\"g:Int32\",\"@value\":")
          .append(31 * (keys - a))
          .append("}]},1");
    }
    return message(
        "eval",
        "\"gremlin\":\"g.V()\",\"bindings\":{\"@type\":\"g:Map\",\"@value\":[" + pairs + "]}");
  }

  /** Texts of the letters Aa and BB, which have one hash. */
  private static String collidingTexts(int keys) {
    StringBuilder pairs = new StringBuilder();
    for (int i = 0; i < keys; i++) {
      pairs.append(i == 0 ? "\"" : ",\"");
      for (int bit = 0; bit < 16; bit++) {
        pairs.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      pairs.append("\":1");
    }
    return message("eval", "\"gremlin\":\"g.V()\",\"bindings\":{" + pairs + "}");
  }

  /** As deep as lists may lie, and each with many members. */
  private static String nestedLists(int bytes) {
    int depth = 60;
    String begin = "{\"@type\":\"g:List\",\"@value\":[" + "1,".repeat(bytes / depth / 2);
    return message(
        "eval",
        "\"gremlin\":\"g.V()\",\"bindings\":{\"x\":"
            + begin.repeat(depth)
            + "1"
            + "]}".repeat(depth)
            + "}");
  }

  private static DataOutputStream binary(ByteArrayOutputStream bytes) throws IOException {
    DataOutputStream out = new DataOutputStream(bytes);
    byte[] mime = "application/vnd.graphbinary-v1.0".getBytes(StandardCharsets.US_ASCII);
    out.write(mime.length);
    out.write(mime);
    out.write(0x81);
    out.writeLong(1);
    out.writeLong(2);
    out.writeInt(4);
    out.write("eval".getBytes(StandardCharsets.US_ASCII));
    out.writeInt(0);
    out.writeInt(1);
    out.write(new byte[] {0x03, 0x00});
    out.writeInt(8);
    out.write("bindings".getBytes(StandardCharsets.US_ASCII));
    return out;
  }

  private static byte[] collidingSet(int members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = binary(bytes);
    out.write(new byte[] {0x0b, 0x00});
    out.writeInt(members);
    for (int a = 0; a < members; a++) {
      out.write(new byte[] {0x09, 0x00});
      out.writeInt(2);
      out.write(new byte[] {0x01, 0x00});
      out.writeInt(a);
      out.write(new byte[] {0x01, 0x00});
      out.writeInt(31 * (members - a));
    }
    return bytes.toByteArray();
  }

  private static byte[] bigInteger(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = binary(bytes);
    out.write(new byte[] {0x23, 0x00});
    out.writeInt(length);
    byte[] digits = new byte[length];
    new Random(SEED).nextBytes(digits);
    out.write(digits);
    return bytes.toByteArray();
  }

  // Measure

  private static void compare(Shape shape, String as) throws Exception {
    try (RawSocket socket = new RawSocket(served.port())) {
      cost(socket, shape, shape.bytes() / GROWTH);
      double small = cost(socket, shape, shape.bytes() / GROWTH);
      double large = cost(socket, shape, shape.bytes());
      if (tooMuch(small, large)) {
        // Of several rounds the least counts: other work and the compiler only add.
        for (int round = 0; round < 3; round++) {
          small = Math.min(small, cost(socket, shape, shape.bytes() / GROWTH));
          large = Math.min(large, cost(socket, shape, shape.bytes()));
        }
      }
      if (Boolean.getBoolean("graphmeta.print")) {
        System.out.printf("%-40s %8.1f %8.1f ms%n", as, small, large);
      }
      assertThat(tooMuch(small, large))
          .as(
              "%s: %.1f ms of the network's threads, and %.1f ms for %d times the bytes",
              as, small, large, GROWTH)
          .isFalse();
    }
  }

  private static boolean tooMuch(double small, double large) {
    return large > MOST * GROWTH * Math.max(small, LEAST_MILLIS);
  }

  private static double cost(RawSocket socket, Shape shape, int bytes) throws Exception {
    byte[] message = shape.maker().make(bytes);
    double before = networkMillis();
    if (shape.text()) {
      socket.send(new String(message, StandardCharsets.UTF_8));
    } else {
      socket.send(message);
    }
    assertThat(socket.next()).doesNotStartWith("closed");
    return networkMillis() - before;
  }

  private static double networkMillis() {
    long nanos = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("graphmeta-network-")) {
        nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
      }
    }
    return nanos / 1e6;
  }
}
