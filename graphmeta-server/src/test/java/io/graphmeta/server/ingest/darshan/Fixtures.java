package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the logs for tests lie. */
final class Fixtures {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "."));

  private Fixtures() {}

  /** The campaign that belongs to the project. */
  static Path campaign() {
    return existing(MODULE.resolve("src/main/sample/campaign"));
  }

  /** A resource of these tests. */
  static Path resource(String name) {
    return existing(MODULE.resolve("src/test/resources/darshan").resolve(name));
  }

  /**
   * Logs from elsewhere, which are not part of the project; the calling test is skipped if they are
   * absent.
   */
  static Path sharedLogs() {
    String shared = System.getProperty("graphmeta.shared", "");
    Path logs = Path.of(shared, "data", "darshan");
    assumeTrue(
        !shared.isEmpty() && Files.isDirectory(logs),
        "no logs in " + logs.toAbsolutePath() + " (set the system property graphmeta.shared)");
    return logs;
  }

  /**
   * Logs of Darshan 2 from elsewhere; the calling test is skipped if they are absent. What lies
   * there tells {@code src/test/resources/darshan/streams-real.tsv.gz}.
   */
  static Path realStreamLogs() {
    String folder = System.getProperty("graphmeta.darshan2", "");
    Path logs = folder.isEmpty() ? sharedLogs().resolve("anl-2.x") : Path.of(folder);
    assumeTrue(
        Files.isDirectory(logs),
        "no logs of Darshan 2 in "
            + logs.toAbsolutePath()
            + " (set the system property graphmeta.darshan2)");
    return logs;
  }

  /** All logs below a folder, sorted. */
  static List<Path> logsBelow(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.toString().endsWith(".darshan")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path existing(Path path) {
    assertThat(path).as("part of the project").exists();
    return path;
  }
}
