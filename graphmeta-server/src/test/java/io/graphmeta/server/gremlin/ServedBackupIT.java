package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that a server takes of what it serves, asked for by commands. */
final class ServedBackupIT {
  @TempDir private Path directory;

  private Outcome run(int exitCode, String... arguments) throws Exception {
    Outcome outcome =
        new Launcher(directory)
            .run(Launcher.FILE, Map.of("HOME", directory.toString()), "", arguments);
    assertThat(outcome.exitCode())
        .as("%s %s", String.join(" ", arguments), outcome.errors())
        .isEqualTo(exitCode);
    return outcome;
  }

  private void write(String address, String id) throws Exception {
    run(
        0,
        "query",
        "--write",
        "--connect",
        address,
        "g.addV('file').property(id, '" + id + "').id()");
  }

  @Test
  void aServerTakesBackupsBelowItsDirectory() throws Exception {
    Path backups = directory.resolve("backups");
    String db = directory.resolve("db").toString();
    try (ServerProcess server =
        ServerProcess.withLogIn(
            directory, "", "--set", "server.backup-directory=" + backups, "--shards", "2")) {
      String address = "127.0.0.1:" + server.port;
      write(address, "first");
      JsonNode first =
          new ObjectMapper()
              .readTree(run(0, "backup", "--connect", address, "nightly", "--json").output());
      assertThat(first.get("shards").asInt()).isEqualTo(2);
      assertThat(first.get("newFiles").asInt()).isBetween(4, first.get("files").asInt());
      write(address, "second");
      Outcome second = run(0, "backup", "--connect", address, "nightly");
      assertThat(second.output()).contains("2 shards, ", "new and copied: ");
      assertThat(run(1, "backup", "--db", db, "nightly").errors())
          .contains("ask it: graphmeta backup --connect " + address + " nightly");
      assertThat(run(1, "backup", "--connect", address, "../outside").errors())
          .contains("is not below " + backups);
      assertThat(directory.resolve("outside")).doesNotExist();
      Files.createDirectories(backups.resolve("other"));
      Files.writeString(backups.resolve("other/thing"), "x");
      assertThat(run(1, "backup", "--connect", address, "other").errors())
          .contains("holds other things than backups");
      assertThat(run(1, "backup", "--connect", address, "nightly", "--rate", "5").errors())
          .contains("5 bytes a second is too low");
      server.terminate();
    }
    String target = backups.resolve("nightly").toString();
    assertThat(run(0, "backup", "verify", target).output()).endsWith("whole: 2 backups\n");
    String restored = directory.resolve("restored").toString();
    run(0, "restore", target, restored);
    assertThat(run(0, "query", "--db", restored, "g.V().id().order()").output())
        .isEqualTo("first\nsecond\n");
  }

  @Test
  void othersAreRefused() throws Exception {
    Path users = directory.resolve("users");
    for (String name : List.of("amira", "ben")) {
      Outcome added =
          new Launcher(directory)
              .run(
                  Launcher.FILE,
                  Map.of(),
                  "secret-" + name + "\n",
                  "user",
                  "add",
                  name,
                  "--users",
                  users.toString());
      assertThat(added.exitCode()).as(added.errors()).isZero();
    }
    String backups = "server.backup-directory=" + directory.resolve("backups");
    List<String> settings =
        List.of(
            "--users", users.toString(), "--set", backups, "--set", "server.administrators=amira");
    try (ServerProcess server =
        ServerProcess.withLogIn(directory, "", settings.toArray(String[]::new))) {
      for (String name : List.of("ben", "amira")) {
        List<String> line = new ArrayList<>(List.of("backup", "--user", name, "--connect"));
        line.addAll(List.of("127.0.0.1:" + server.port, "x"));
        Outcome asked =
            new Launcher(directory)
                .run(
                    Launcher.FILE,
                    Map.of("GRAPHMETA_PASSWORD", "secret-" + name),
                    "",
                    line.toArray(String[]::new));
        assertThat(asked.exitCode()).as(asked.errors()).isEqualTo(name.equals("ben") ? 1 : 0);
        if (name.equals("ben")) {
          assertThat(asked.errors()).contains("User 'ben' may not have backups taken");
        }
      }
    }
  }
}
