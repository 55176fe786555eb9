package io.graphmeta.server.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands server and user refuse, and what user writes. */
final class ServerCommandTest {
  @TempDir private Path directory;

  private Cli server(String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "server";
    arguments[1] = "--db";
    arguments[2] = directory.resolve("db").toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Cli.run(arguments);
  }

  @Test
  void refusesSettingsThatItDoesNotKnow() throws Exception {
    Cli unknown = server("--set", "server.prot=1");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("'server.prot' is unknown", "server.port");
    Path file = Files.writeString(directory.resolve("conf"), "server.evaluation-timeout=1\n");
    assertThat(server("--config", file.toString()).err())
        .contains("'server.evaluation-timeout' is unknown");
    assertThat(server("--port", "70000").err()).contains("'70000'; expected 0 to 65535");
    assertThat(server("--set", "server.read-only=perhaps").err()).contains("'perhaps'");
    assertThat(directory.resolve("db")).doesNotExist();
  }

  @Test
  void refusesToBeOpenToOthersWithoutLogInAndTls() {
    Cli open = server("--host", "0.0.0.0", "--port", "0", "--admin-port", "-1");
    assertThat(open.exitCode()).isEqualTo(1);
    assertThat(open.err()).contains("0.0.0.0 can be reached", "--users", "--tls-cert");
    assertThat(open.out()).isEmpty();
  }

  @Test
  void writesUsersWithoutTheirPasswords() throws Exception {
    String file = directory.resolve("users").toString();
    InputStream in = System.in;
    try {
      System.setIn(new ByteArrayInputStream("correct horse\n".getBytes(StandardCharsets.UTF_8)));
      assertThat(Cli.run("user", "add", "ada", "--users", file).err()).isEmpty();
      System.setIn(new ByteArrayInputStream("short\n".getBytes(StandardCharsets.UTF_8)));
      assertThat(Cli.run("user", "add", "eve", "--users", file).err()).contains("5 characters");
      System.setIn(InputStream.nullInputStream());
      assertThat(Cli.run("user", "add", "eve", "--users", file).err()).contains("standard input");
    } finally {
      System.setIn(in);
    }
    assertThat(Files.readString(Path.of(file))).contains("ada:pbkdf2").doesNotContain("horse");
    assertThat(Cli.run("user", "list", "--users", file).lines()).containsExactly("ada");
    assertThat(Cli.run("user", "remove", "eve", "--users", file).err()).contains("'eve'");
    assertThat(Cli.run("user", "remove", "ada", "--users", file).exitCode()).isZero();
    assertThat(Cli.run("user", "list", "--users", file).out()).isEmpty();
    assertThat(Cli.run("user", "list").err()).contains("--users");
  }
}
