package io.graphmeta.server.users;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A salted hash of a password by PBKDF2 with HMAC-SHA-512 (RFC 8018), with the number of rounds
 * that OWASP recommends for it. As text: {@code pbkdf2-sha512:rounds:salt:hash}, the last two in
 * Base64. Immutable.
 */
record PasswordHash(int rounds, byte[] salt, byte[] hash) {
  private static final String METHOD = "pbkdf2-sha512";
  private static final int ROUNDS = 210_000;
  private static final int MAX_ROUNDS = 10_000_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 64;
  private static final SecureRandom RANDOM = new SecureRandom();

  static PasswordHash of(char[] password) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return new PasswordHash(ROUNDS, salt, derive(password, salt, ROUNDS, HASH_BYTES));
  }

  /** True for the password that the hash was made of; takes as long for any other. */
  boolean matches(char[] password) {
    return MessageDigest.isEqual(hash, derive(password, salt, rounds, hash.length));
  }

  private static byte[] derive(char[] password, byte[] salt, int rounds, int bytes) {
    PBEKeySpec spec = new PBEKeySpec(password, salt, rounds, bytes * Byte.SIZE);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "This Java cannot derive keys by PBKDF2WithHmacSHA512", e);
    } finally {
      spec.clearPassword();
    }
  }

  String text() {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return METHOD
        + ":"
        + rounds
        + ":"
        + base64.encodeToString(salt)
        + ":"
        + base64.encodeToString(hash);
  }

  /** Reads {@link #text}; throws IllegalArgumentException for anything else. */
  static PasswordHash parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 4 || !parts[0].equals(METHOD)) {
      throw new IllegalArgumentException("expected " + METHOD + ":rounds:salt:hash");
    }
    int rounds = Integer.parseInt(parts[1]);
    byte[] salt = Base64.getDecoder().decode(parts[2]);
    byte[] hash = Base64.getDecoder().decode(parts[3]);
    if (rounds < 1000 || rounds > MAX_ROUNDS || salt.length < 8 || hash.length < 32) {
      throw new IllegalArgumentException("rounds, salt or hash out of range");
    }
    return new PasswordHash(rounds, salt, hash);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PasswordHash that
        && rounds == that.rounds
        && MessageDigest.isEqual(salt, that.salt)
        && MessageDigest.isEqual(hash, that.hash);
  }

  @Override
  public int hashCode() {
    return Integer.hashCode(rounds);
  }

  /** Without what it holds. */
  @Override
  public String toString() {
    return METHOD;
  }
}
