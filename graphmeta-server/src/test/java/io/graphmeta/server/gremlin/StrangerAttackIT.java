package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.users.Token;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What somebody who cannot log in sends to a server with 512 MB of memory: before a log-in
 * everything is small. It is one process for all attempts, and must be the same at the end.
 */
final class StrangerAttackIT {
  private static final int CONNECTIONS = 16;
  private static final String UPGRADE =
      "GET /gremlin HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
          + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          + "Sec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n";

  @TempDir private static Path directory;
  private static ServerProcess server;
  private static Driver driver;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.withLogIn(directory, "-Xmx512m");
    Path file = directory.resolve(".graphmeta").resolve(Token.file(server.port).getFileName());
    driver = new Driver(server.cluster().credentials(Token.USER, Files.readString(file).strip()));
    assertThat(driver.g.V().count().next()).isZero();
  }

  @AfterAll
  static void stop() throws Exception {
    driver.close();
    server.close();
  }

  @AfterEach
  void servesOn() throws Exception {
    assertThat(server.process.isAlive()).as("alive; it said: %s", server.errors()).isTrue();
    assertThat(server.admin("/ready").statusCode()).isEqualTo(200);
    assertThat(driver.g.V().count().next()).isZero();
  }

  @Test
  void framesThatUnfoldAreNotUnfolded() throws Exception {
    byte[] bomb = frame(0xc1, unfoldsTo(1 << 30));
    assertThat(bomb.length).isLessThan(2 << 20);
    List<CompletableFuture<Void>> attempts = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      attempts.add(
          attempt(
              () -> {
                try (Socket socket = upgraded()) {
                  send(socket, bomb);
                }
              }));
    }
    await(attempts);
  }

  /** Nothing of them becomes objects, of which lists of lists would be many. */
  @Test
  void largeMessagesBeforeALogInStayBytes() throws Exception {
    byte[] large = text("[" + "[],".repeat(1_300_000) + "1]");
    List<CompletableFuture<Void>> attempts = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      attempts.add(
          attempt(
              () -> {
                try (Socket socket = upgraded()) {
                  for (int sent = 0; sent < 4; sent++) {
                    send(socket, large);
                  }
                }
              }));
    }
    await(attempts);
  }

  /** A message in many frames of a byte. */
  @Test
  void messagesInPiecesEnd() throws Exception {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    pieces.writeBytes(frame(0x01, new byte[] {'{'}));
    byte[] piece = frame(0x00, new byte[] {' '});
    for (int i = 0; i < 300_000; i++) {
      pieces.writeBytes(piece);
    }
    List<CompletableFuture<Void>> attempts = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      attempts.add(
          attempt(
              () -> {
                try (Socket socket = upgraded()) {
                  send(socket, pieces.toByteArray());
                }
              }));
    }
    await(attempts);
  }

  /** The head decides; the body is not waited for. */
  @Test
  void bodiesOverHttpAreNotGathered() throws Exception {
    byte[] body = new byte[4 << 20];
    List<CompletableFuture<Void>> attempts = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      String logIn = i % 2 == 0 ? "" : "Authorization: Basic dG9rZW46d3Jvbmc=\r\n";
      attempts.add(
          attempt(
              () -> {
                try (Socket socket = new Socket("127.0.0.1", server.port)) {
                  socket.setSoTimeout(20_000);
                  send(
                      socket,
                      ("POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                              + logIn
                              + "Content-Length: "
                              + body.length
                              + "\r\n\r\n{")
                          .getBytes(StandardCharsets.US_ASCII));
                  byte[] said = socket.getInputStream().readNBytes("HTTP/1.1 401".length());
                  assertThat(new String(said, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
                  send(socket, body);
                }
              }));
    }
    await(attempts);
  }

  @Test
  void noRequestPassesWithoutALogIn() throws Exception {
    String write = "{\"gremlin\":\"g.addV('stranger')\"}";
    for (String more :
        new String[] {
          "",
          "Upgrade: websocket\r\n",
          "Connection: Upgrade\r\n",
          "Upgrade: websocket\r\nConnection: Upgrade\r\n",
          "Upgrade: websocket, x\r\n",
          "Upgrade: x\r\nUpgrade: websocket\r\n",
          "Upgrade: WebSocket\r\nSec-WebSocket-Key: x\r\n"
        }) {
      for (String path : new String[] {"/gremlin", "/", "/gremlin/", "/other"}) {
        for (String head :
            new String[] {"POST %s HTTP/1.1", "GET %s?gremlin=g.addV('x') HTTP/1.1"}) {
          try (Socket socket = new Socket("127.0.0.1", server.port)) {
            socket.setSoTimeout(300);
            send(
                socket,
                (head.formatted(path)
                        + "\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + more
                        + "Content-Length: "
                        + write.length()
                        + "\r\n\r\n"
                        + write)
                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(answer(socket)).as(more + head).doesNotContain(" 200 ");
          }
        }
      }
    }
    try (RawSocket socket = new RawSocket(server.port)) {
      for (int i = 0; i < 40; i++) {
        socket.send(
            "{\"requestId\":\""
                + UUID.randomUUID()
                + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\"g.addV('x')\"}}");
      }
      assertThat(socket.next()).contains("\"code\":407");
      assertThat(socket.next()).contains("\"code\":401");
    }
  }

  private static String answer(Socket socket) {
    try {
      byte[] said = new byte[1024];
      int length = socket.getInputStream().read(said);
      return new String(said, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  // How it is sent

  private interface Attempt {
    void make() throws Exception;
  }

  private static CompletableFuture<Void> attempt(Attempt attempt) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            attempt.make();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  private static void await(List<CompletableFuture<Void>> attempts) throws Exception {
    for (CompletableFuture<Void> attempt : attempts) {
      attempt.get(60, TimeUnit.SECONDS);
    }
  }

  /** A connection that is a WebSocket, without compression. */
  private static Socket upgraded() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        break;
      }
      head.append((char) c);
    }
    assertThat(head.toString()).contains(" 101 ").doesNotContainIgnoringCase("permessage-deflate");
    return socket;
  }

  /** That the server hangs up is an answer. */
  private static void send(Socket socket, byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (SocketException closed) {
      assertThat(closed).hasMessageMatching(".*(reset|Broken pipe|closed).*");
    }
  }

  private static byte[] text(String argument) {
    return frame(
        0x81,
        ("{\"requestId\":\""
                + UUID.randomUUID()
                + "\",\"op\":\"eval\",\"processor\":\"\",\"args\":{\"gremlin\":\"g.V()\",\"bindings\":"
                + argument
                + "}}")
            .getBytes(StandardCharsets.UTF_8));
  }

  /** A frame, masked by zeros. */
  private static byte[] frame(int head, byte[] payload) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.write(head);
      if (payload.length < 126) {
        out.write(0x80 | payload.length);
      } else if (payload.length < 65_536) {
        out.write(0x80 | 126);
        out.writeShort(payload.length);
      } else {
        out.write(0x80 | 127);
        out.writeLong(payload.length);
      }
      out.writeInt(0);
      out.write(payload);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Blocks that each unfold to a megabyte of blanks. */
  private static byte[] unfoldsTo(int bytes) {
    byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
    byte[] block = new byte[65_536];
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(blanks);
    int length = deflater.deflate(block, 0, block.length, Deflater.FULL_FLUSH);
    deflater.end();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < bytes >> 20; i++) {
      all.write(block, 0, length);
    }
    return all.toByteArray();
  }
}
