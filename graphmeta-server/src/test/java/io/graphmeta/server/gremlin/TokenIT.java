package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.server.users.Token;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on a machine of many users, as it is by default: who finds its token comes in. */
final class TokenIT {
  private static final String QUERY = "{\"gremlin\":\"g.inject(42)\"}";

  @TempDir private Path directory;

  @Test
  void onlyWhoHasTheTokenComesIn() throws Exception {
    Path file;
    String token;
    try (ServerProcess server = ServerProcess.withLogIn(directory, "")) {
      file = directory.resolve(".graphmeta").resolve(tokenFile(server));
      assertThat(server.errors()).contains("log in as token; the password is in " + file);
      token = Files.readString(file).strip();
      assertThat(server.errors()).doesNotContain(token);
      assertThat(server.post(QUERY).statusCode()).isEqualTo(401);
      assertThat(server.post(QUERY, "Authorization", basic("token:wrong")).statusCode())
          .isEqualTo(401);
      assertThat(server.post(QUERY, "Authorization", basic("ada:" + token)).statusCode())
          .isEqualTo(401);
      assertThat(server.post(QUERY, "Authorization", basic("token:" + token)).body())
          .contains("42");
      try (Driver nobody = server.driver()) {
        assertThatThrownBy(() -> nobody.g.V().count().next()).isInstanceOf(Exception.class);
      }
      try (Driver driver = new Driver(server.cluster().credentials(Token.USER, token))) {
        driver.g.addV("job").property("heavy", "x".repeat(1 << 20)).iterate();
        assertThat(driver.g.V().count().next()).isEqualTo(1L);
      }
      Outcome printed = graphmeta("token", "--port", String.valueOf(server.port));
      assertThat(printed.output()).isEqualTo(token + "\n");
      Outcome other = graphmeta("token", "--port", "1");
      assertThat(other.exitCode()).isEqualTo(1);
      assertThat(other.errors()).contains("There is no", "port 1 ");
      assertThat(server.terminate()).isEqualTo(143);
    }
    assertThat(file).doesNotExist();
    try (ServerProcess again = ServerProcess.withLogIn(directory, "")) {
      assertThat(again.post(QUERY, "Authorization", basic("token:" + token)).statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void whatAServerWritesIsForItsOwnerOnly() throws Exception {
    try (ServerProcess server = ServerProcess.withLogIn(directory, "")) {
      String token =
          Files.readString(directory.resolve(".graphmeta").resolve(tokenFile(server))).strip();
      String body = "{\"gremlin\":\"g.addV('job')\"}";
      assertThat(server.post(body, "Authorization", basic("token:" + token)).statusCode())
          .isEqualTo(200);
      Await.until(() -> Files.exists(directory.resolve("db.audit.log")));
      for (String written : List.of("db", "db.audit.log", ".graphmeta")) {
        try (Stream<Path> files = Files.walk(directory.resolve(written))) {
          for (Path each : files.toList()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                .as("%s", each)
                .isIn("rwx------", "rw-------");
          }
        }
      }
    }
  }

  @Test
  void withoutLogInItSaysWhoComesIn() throws Exception {
    try (ServerProcess server = new ServerProcess(directory, "")) {
      assertThat(server.errors())
          .contains("no log-in: every user of this machine can read and change the database");
      assertThat(server.post(QUERY).statusCode()).isEqualTo(200);
      assertThat(directory.resolve(".graphmeta")).doesNotExist();
    }
  }

  private static String tokenFile(ServerProcess server) {
    return Token.file(server.port).getFileName().toString();
  }

  private Outcome graphmeta(String... arguments) throws Exception {
    return new Launcher(directory)
        .run(Launcher.FILE, Map.of("HOME", directory.toString()), "", arguments);
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }
}
