package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes text of a log. */
final class RegionText {
  private RegionText() {}

  /**
   * UTF-8 text. Paths are arbitrary bytes on Linux: text that isn't UTF-8 keeps its ASCII, and each
   * other byte becomes {@code \xNN}, so that two such paths stay apart.
   */
  static String decode(byte[] bytes, int from, int to) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      StringBuilder text = new StringBuilder(to - from);
      for (int i = from; i < to; i++) {
        if (bytes[i] >= 0) {
          text.append((char) bytes[i]);
        } else {
          text.append(String.format("\\x%02x", bytes[i]));
        }
      }
      return text.toString();
    }
  }

  /** Index of the first zero byte in [from, to), or {@code to} if there is none. */
  static int zeroByte(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != 0) {
      at++;
    }
    return at;
  }
}
