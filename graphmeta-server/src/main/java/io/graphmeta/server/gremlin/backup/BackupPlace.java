package io.graphmeta.server.gremlin.backup;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.server.users.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may have backups written by a server, and where. Immutable.
 *
 * @param directory below which they lie; null if the server takes none
 * @param administrators the names of users who may ask
 */
record BackupPlace(@Nullable Path directory, List<String> administrators) {
  /**
   * What settings say. Where users log in by name, some are named; who knows the token of the
   * server has started it.
   */
  static BackupPlace of(ServerSettings settings) {
    String given = settings.get(ServerSetting.BACKUP_DIRECTORY);
    boolean byToken =
        settings.get(ServerSetting.LOG_IN).equals("required")
            && !settings.has(ServerSetting.USERS_FILE);
    List<String> named =
        Arrays.stream(settings.get(ServerSetting.ADMINISTRATORS).split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    return new BackupPlace(
        given.isBlank() ? null : Path.of(given).toAbsolutePath().normalize(),
        settings.get(ServerSetting.LOG_IN).equals("none")
            ? List.of()
            : byToken ? List.of(Token.USER) : named);
  }

  /** Fails if a user may not ask for backups. */
  void requireAdministrator(String user) {
    if (directory == null) {
      throw Refusal.forbidden(
          "This server takes no backups; start it with "
              + ServerSetting.BACKUP_DIRECTORY.key()
              + ", the directory below which it may write them");
    }
    if (!administrators.contains(user)) {
      throw Refusal.forbidden(
          "User '"
              + Excerpt.of(user)
              + "' may not have backups taken; expected one who logs in with the token of the server, or a user named in "
              + ServerSetting.ADMINISTRATORS.key());
    }
  }

  /** The directory of backups that a client names. */
  Path target(String given) {
    Path below = directory;
    if (below == null) {
      throw new IllegalStateException("it was not asked whether backups may be taken");
    }
    try {
      Path target = below.resolve(given).normalize();
      if (!target.startsWith(below) || !real(target).startsWith(real(below))) {
        throw Refusal.forbidden(
            "'"
                + Excerpt.of(given)
                + "' is not below "
                + below
                + " ("
                + ServerSetting.BACKUP_DIRECTORY.key()
                + "); name a directory there, relative to it");
      }
      return target;
    } catch (InvalidPathException | IOException e) {
      throw Refusal.invalid(
          "'" + Excerpt.of(given) + "' cannot be taken as a directory: " + e.getMessage());
    }
  }

  /** Where a path leads, whatever links are on the way; what is not there yet is none. */
  private static Path real(Path path) throws IOException {
    Path there = path;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return there.toRealPath().resolve(there.relativize(path)).normalize();
  }
}
