package io.graphmeta.server.ingest;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests of contents. */
final class Digests {
  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "This Java has no SHA-256, which every Java must have", e);
    }
  }
}
