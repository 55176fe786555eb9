package io.graphmeta.server.gremlin;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket that sends what no driver would. What comes back is kept as text. */
final class RawSocket implements WebSocket.Listener, AutoCloseable {
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final StringBuilder text = new StringBuilder();
  private final WebSocket socket;

  RawSocket(int port) {
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/gremlin"), this)
            .join();
  }

  void send(String message) {
    socket.sendText(message, true).join();
  }

  void send(byte[] message) {
    socket.sendBinary(ByteBuffer.wrap(message), true).join();
  }

  /** The next answer, or {@code closed} with the reason. */
  String next() throws InterruptedException {
    String next = received.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no answer within 30 seconds");
    }
    return next;
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      received.add(text.toString());
      text.setLength(0);
    }
    webSocket.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
    received.add(StandardCharsets.ISO_8859_1.decode(data).toString());
    webSocket.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
    received.add("closed " + statusCode + " " + reason);
    return null;
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    received.add("closed " + error);
  }

  @Override
  public void close() {
    socket.abort();
  }
}
