package io.graphmeta.server.gremlin.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may have a server write backups, and where it writes. */
class BackupPlaceTest {
  @TempDir private Path directory;

  private BackupPlace place(Map<ServerSetting, Object> changes) {
    ServerSettings settings =
        ServerSettings.defaults().with(ServerSetting.BACKUP_DIRECTORY, directory.resolve("b"));
    for (Map.Entry<ServerSetting, Object> change : changes.entrySet()) {
      settings = settings.with(change.getKey(), change.getValue());
    }
    return BackupPlace.of(settings);
  }

  private static void assertRefused(BackupPlace place, String user, String words) {
    assertThatThrownBy(() -> place.requireAdministrator(user)).hasMessageContaining(words);
  }

  @Test
  void targetsLieBelowTheDirectory() throws Exception {
    BackupPlace place = place(Map.of());
    Path below = directory.resolve("b");
    assertThat(place.target("")).isEqualTo(below);
    assertThat(place.target("nightly")).isEqualTo(below.resolve("nightly"));
    assertThat(place.target("a/b/../c")).isEqualTo(below.resolve("a/c"));
    assertThat(place.target(below.resolve("x").toString())).isEqualTo(below.resolve("x"));
    Files.createDirectories(below);
    Files.createDirectories(directory.resolve("elsewhere"));
    Files.createSymbolicLink(below.resolve("link"), directory.resolve("elsewhere"));
    Files.createSymbolicLink(below.resolve("within"), below);
    assertThat(place.target("within/x")).isEqualTo(below.resolve("within/x"));
    for (String outside :
        List.of(
            "..",
            "../b2",
            "x/../../y",
            "/etc",
            directory.toString(),
            below + "2",
            "link",
            "link/x",
            "link/../link/y")) {
      assertThatThrownBy(() -> place.target(outside))
          .as(outside)
          .hasMessageContaining("is not below " + below);
    }
    assertThatThrownBy(() -> place.target("a\0b")).hasMessageContaining("cannot be taken");
  }

  @Test
  void aDirectoryThatIsReachedByALinkIsOne() throws Exception {
    Files.createDirectories(directory.resolve("real"));
    Files.createSymbolicLink(directory.resolve("b"), directory.resolve("real"));
    assertThat(place(Map.of()).target("x")).isEqualTo(directory.resolve("b/x"));
  }

  @Test
  void withoutADirectoryThereIsNone() {
    assertRefused(
        BackupPlace.of(ServerSettings.defaults()),
        "token",
        "start it with server.backup-directory");
  }

  @Test
  void whoKnowsTheTokenMayAsk() {
    place(Map.of()).requireAdministrator("token");
    assertRefused(place(Map.of()), "anonymous", "may not have backups taken");
  }

  @Test
  void ofUsersThoseMayAskWhoAreNamed() {
    BackupPlace nobody = place(Map.of(ServerSetting.USERS_FILE, "users"));
    assertRefused(nobody, "amira", "'amira' may not");
    assertRefused(nobody, "token", "'token' may not");
    BackupPlace two =
        place(
            Map.of(
                ServerSetting.USERS_FILE, "users", ServerSetting.ADMINISTRATORS, "ben, amira,,"));
    two.requireAdministrator("amira");
    two.requireAdministrator("ben");
    assertRefused(two, "", "may not");
    assertRefused(two, "carla", "may not");
  }

  @Test
  void whereNobodyLogsInNobodyMayAsk() {
    BackupPlace open =
        place(Map.of(ServerSetting.LOG_IN, "none", ServerSetting.ADMINISTRATORS, "anonymous"));
    assertRefused(open, "anonymous", "may not");
  }
}
