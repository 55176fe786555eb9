package io.graphmeta.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a file holds, in short.
 *
 * @param bytes its size
 * @param sha256 the SHA-256 of its bytes, in hexadecimal digits
 */
public record FileDigest(long bytes, String sha256) {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int SHA256_DIGITS = 64;

  /** Whether a text has the form of a SHA-256. */
  public static boolean isSha256(String text) {
    return text.length() == SHA256_DIGITS && text.matches("[0-9a-f]+");
  }

  /** That of a file. */
  public static FileDigest of(Path file) throws IOException {
    Builder digest = new Builder();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.add(buffer, read);
      }
    }
    return digest.build();
  }

  /** That of a text, or of what it says of itself. */
  public static FileDigest of(byte[] content) {
    Builder digest = new Builder();
    digest.add(content, content.length);
    return digest.build();
  }

  /** Takes in the bytes of a file, one part after the other. */
  static final class Builder {
    private final MessageDigest digest;
    private long bytes;

    Builder() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    void add(byte[] buffer, int length) {
      digest.update(buffer, 0, length);
      bytes += length;
    }

    FileDigest build() {
      return new FileDigest(bytes, HexFormat.of().formatHex(digest.digest()));
    }
  }
}
