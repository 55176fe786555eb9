package io.graphmeta.server.gremlin.wire;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Answers of the view in fewer bytes, for clients that take them. */
final class Gzip {
  /** Below this, nothing is gained. */
  private static final int LEAST_BYTES = 1024;

  private Gzip() {}

  /** Whether a client says that it takes them. */
  static boolean isAccepted(HttpHeaders request) {
    for (String coding :
        request.get(HttpHeaderNames.ACCEPT_ENCODING, "").toLowerCase(Locale.ROOT).split(",")) {
      String plain = coding.strip().replace(" ", "");
      if (plain.equals("gzip") || plain.startsWith("gzip;") && !plain.matches("gzip;q=0(\\.0*)?")) {
        return true;
      }
    }
    return false;
  }

  static boolean isWorth(byte[] bytes) {
    return bytes.length >= LEAST_BYTES;
  }

  static byte[] of(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
