package io.graphmeta.server.users;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users in a file: a line for each, {@code name:hash}; lines that begin with {@code #} are
 * notes. It is replaced as a whole, readable by its owner only. Immutable: a change gives another.
 */
public final class UserFile {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
  private static final int MIN_PASSWORD = 8;
  private static final int MAX_PASSWORD = 1024;
  private static final long MAX_FILE_BYTES = 16 << 20;

  private final Map<String, PasswordHash> users;

  private UserFile(Map<String, PasswordHash> users) {
    this.users = users;
  }

  /** No users. */
  public static UserFile empty() {
    return new UserFile(new TreeMap<>());
  }

  /**
   * The users of a file.
   *
   * @throws GraphMetaException if it is not a file of users, or others than its owner can read it
   */
  public static UserFile read(Path file) throws IOException {
    PrivateFile.require(file, "The file of users");
    if (Files.size(file) > MAX_FILE_BYTES) {
      throw invalid(file, "it is larger than " + MAX_FILE_BYTES + " bytes");
    }
    TreeMap<String, PasswordHash> users = new TreeMap<>();
    int number = 0;
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(':');
      try {
        if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
          throw new IllegalArgumentException("expected name:hash");
        }
        users.put(line.substring(0, colon), PasswordHash.parse(line.substring(colon + 1).strip()));
      } catch (IllegalArgumentException e) {
        throw invalid(file, "line " + number + " is not a user (" + e.getMessage() + ")");
      }
    }
    return new UserFile(users);
  }

  private static GraphMetaException invalid(Path file, String why) {
    return new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION, "The file of users " + file + " cannot be taken: " + why);
  }

  /** These users and one more, or one with another password. */
  public UserFile with(String name, char[] password) {
    if (!NAME.matcher(name).matches()) {
      throw GraphMetaException.invalid(
          "The name '"
              + name
              + "' cannot be taken; expected 1 to 64 letters, digits or any of . _ @ -");
    }
    if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
      throw GraphMetaException.invalid(
          "The password has "
              + password.length
              + " characters; expected "
              + MIN_PASSWORD
              + " to "
              + MAX_PASSWORD);
    }
    TreeMap<String, PasswordHash> changed = new TreeMap<>(users);
    changed.put(name, PasswordHash.of(password));
    return new UserFile(changed);
  }

  /** These users without one. */
  public UserFile without(String name) {
    if (!users.containsKey(name)) {
      throw GraphMetaException.invalid(
          "There is no user '" + name + "'; expected one of " + String.join(", ", names()));
    }
    TreeMap<String, PasswordHash> changed = new TreeMap<>(users);
    changed.remove(name);
    return new UserFile(changed);
  }

  /** All names, sorted. */
  public List<String> names() {
    return List.copyOf(users.keySet());
  }

  @Nullable PasswordHash hash(String name) {
    return users.get(name);
  }

  /** Replaces a file; a reader sees the old one or the new one. */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Users of a GraphMeta server; change it with 'graphmeta user'.");
    users.forEach((name, hash) -> lines.add(name + ":" + hash.text()));
    PrivateFile.write(file, lines);
  }
}
