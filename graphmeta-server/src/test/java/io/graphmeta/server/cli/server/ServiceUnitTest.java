package io.graphmeta.server.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The unit for systemd starts a command that there is, and knows how it ends. */
final class ServiceUnitTest {
  private static final Path UNIT = Path.of("../docs/operate/graphmeta-darshan.service");

  @Test
  void theUnitStartsACommandAsItIs() throws IOException {
    List<String> lines = Files.readAllLines(UNIT);
    String started =
        lines.stream()
            .filter(line -> line.startsWith("ExecStart="))
            .map(line -> line.substring(line.indexOf('=') + 1))
            .findFirst()
            .orElseThrow();
    List<String> words = Arrays.asList(started.split(" "));
    assertThat(words.get(0)).endsWith("/bin/graphmeta");
    // With a mistake added, the mistake is the only one.
    String[] asked = words.subList(1, words.size()).toArray(String[]::new);
    asked[words.indexOf("--interval")] = "0";
    Cli answer = Cli.run(asked);
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("--interval 0; expected seconds, 1 or more");
    // FollowIT: ended by SIGTERM it exits with this.
    assertThat(lines).contains("SuccessExitStatus=143");
  }
}
