package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Gremlin Console on a running server. */
final class RemoteConsoleIT {
  @TempDir private Path directory;

  @Test
  void theConsoleWritesReadsAndTravelsInTime() throws Exception {
    Path script =
        Files.writeString(
            directory.resolve("remote.groovy"),
            """
            g.addV('note').property(id, 'note:1').property('text', 'a').iterate()
            println g.V('note:1').values('text').next()
            println asOf(g, ago('1h')).V().count().next()
            tx = g.tx(); gtx = tx.begin()
            gtx.V('note:1').drop().iterate()
            tx.rollback()
            println g.V().count().next()
            println g.call('graphmeta.history').with('id', 'note:1').toList().size() > 0
            """);
    try (ServerProcess server = ServerProcess.withLogIn(directory, "")) {
      // The console finds the token of a server of the same user by itself.
      Outcome outcome =
          new Launcher(directory)
              .run(
                  Launcher.FILE,
                  Map.of("HOME", directory.toString()),
                  "",
                  "console",
                  "--connect",
                  "127.0.0.1:" + server.port,
                  "-e",
                  script.toString());
      assertThat(outcome.errors()).isEmpty();
      assertThat(outcome.output()).isEqualTo("a\n0\n1\ntrue\n");
      assertThat(outcome.exitCode()).isZero();
      assertThat(server.terminate()).isEqualTo(143);
    }
  }
}
