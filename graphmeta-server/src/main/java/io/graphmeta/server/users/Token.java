package io.graphmeta.server.users;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The password that a server makes for itself when it starts, and writes into a file that only the
 * user who started the server can read. It is the log-in of a server for one user on a machine of
 * many. A token ends with its server: if a client sends it to a server that another user starts on
 * the same port later, that user cannot do anything with it. Its name is {@value #USER}. Immutable.
 *
 * <p>It has 256 random bits: nobody guesses it, so failures need no pause.
 */
public final class Token implements PasswordCheck {
  /** The name to log in with. */
  public static final String USER = "token";

  private static final int BYTES = 32;
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final String secret;

  private Token(String secret) {
    this.secret = secret;
  }

  /** A new one. */
  public static Token create() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new Token(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /**
   * Where a server on a port of this machine keeps its token, and its owner's programs look for it.
   * Machines can share the home directory, so the name of the machine is part of it.
   */
  public static Path file(int port) {
    String home =
        Objects.requireNonNullElse(System.getenv("HOME"), System.getProperty("user.home"));
    return Path.of(home, ".graphmeta", hostName() + "-" + port + ".token");
  }

  private static String hostName() {
    try {
      return Files.isReadable(HOST_NAME)
          ? Files.readString(HOST_NAME).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "localhost";
    }
  }

  /**
   * Writes it into a file that only its owner reads; a directory that is missing is made.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if the file cannot be written
   */
  public void write(Path file) {
    try {
      Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
      if (!Files.isDirectory(directory)) {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createDirectories(Objects.requireNonNull(directory.getParent()));
        if (posix) {
          Files.createDirectory(
              directory,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
          Files.createDirectory(directory);
        }
      }
      PrivateFile.write(file, List.of(secret));
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The token cannot be written to "
              + file
              + " ("
              + e
              + "); name another file by server.token-file, or give users by --users",
          e);
    }
  }

  /** Removes a file that holds it, and leaves one that holds another. */
  public void remove(Path file) throws IOException {
    if (secret.equals(read(file))) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * The token in a file; null if there is no such file.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if others can use the file
   */
  public static @Nullable String read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    PrivateFile.require(file, "The token in");
    return Files.readString(file).strip();
  }

  @Override
  public Outcome check(String name, char[] password, String address) {
    boolean same =
        MessageDigest.isEqual(
            secret.getBytes(StandardCharsets.UTF_8),
            new String(password).getBytes(StandardCharsets.UTF_8));
    return same && name.equals(USER) ? Outcome.WELCOME : Outcome.WRONG;
  }

  /** Without what it holds. */
  @Override
  public String toString() {
    return USER;
  }
}
