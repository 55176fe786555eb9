package io.graphmeta.server.gremlin;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Requests written by hand, for what no client of a library would send. */
final class RawHttp {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  /** What a server says to a text until it closes the connection. */
  static String say(int port, String text) throws IOException {
    return say(port, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static String say(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** What a server says to a text, up to the end that is waited for. */
  static String sayUntil(int port, String text, String end) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      StringBuilder said = new StringBuilder();
      InputStream in = socket.getInputStream();
      while (said.indexOf(end) < 0) {
        int next = in.read();
        if (next < 0) {
          throw new AssertionError("closed after " + said);
        }
        said.append((char) next);
      }
      return said.toString();
    }
  }

  /** The first line of the answer; nothing if the connection was closed without one. */
  static String firstLine(int port, String text) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
        line.append((char) c);
      }
      return line.toString();
    } catch (SocketTimeoutException e) {
      throw new AssertionError("no answer to " + text, e);
    }
  }
}
