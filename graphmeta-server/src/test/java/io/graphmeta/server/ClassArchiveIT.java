package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.Launcher.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of classes that a first command makes in the cache of its user, from a distribution
 * that was unpacked elsewhere.
 */
final class ClassArchiveIT {
  private static final Duration LIMIT = Duration.ofSeconds(200);

  @TempDir private Path elsewhere;
  private Path launcher;
  private Path caches;

  @BeforeEach
  void unpack() throws Exception {
    Path home = elsewhere.resolve("moved");
    try (Stream<Path> files = Files.walk(Launcher.HOME)) {
      for (Path file : files.toList()) {
        Path copy = home.resolve(Launcher.HOME.relativize(file));
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    launcher = home.resolve("bin/graphmeta");
    caches = elsewhere.resolve("caches");
  }

  @Test
  void firstCommandsAtOnceMakeOneArchiveThatLaterOnesBeginFrom() throws Exception {
    List<Process> first = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      Path printed = elsewhere.resolve("printed-" + number);
      first.add(
          new Launcher(elsewhere)
              .builder(launcher, environment(), "--version")
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start());
    }
    for (int number = 0; number < first.size(); number++) {
      assertThat(first.get(number).waitFor()).isZero();
      assertThat(elsewhere.resolve("printed-" + number)).content().hasLineCount(1);
    }
    Path archive = awaitArchive();
    assertThat(archive).isRegularFile();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
        .endsWith("------");
    assertThat(isFromArchive()).isTrue();

    // An archive holds for its libraries alone; one of another library counts as none.
    Path jar;
    try (Stream<Path> jars = Files.list(elsewhere.resolve("moved/lib"))) {
      jar =
          jars.filter(each -> each.toString().contains("graphmeta-core-")).findAny().orElseThrow();
    }
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(100)));
    assertThat(isFromArchive()).isFalse();
    awaitNothingMade();
    assertThat(isFromArchive()).isTrue();
  }

  @Test
  void anAttemptThatFailedIsMadeAgainAfterADayOnly() throws Exception {
    assertThat(version(Map.of("GRAPHMETA_CLASS_ARCHIVE", "off"))).isZero();
    assertThat(caches).doesNotExist();
    assertThat(version(Map.of("GRAPHMETA_CLASS_ARCHIVE", "on"))).isZero();
    Path archive = awaitArchive();
    Path failed =
        archive.resolveSibling(archive.getFileName().toString().replace(".jsa", ".making"));
    Files.delete(archive);
    Files.createDirectory(failed);
    Files.writeString(failed.resolve("left"), "by one that was killed");
    assertThat(version(Map.of("GRAPHMETA_CLASS_ARCHIVE", "on"))).isZero();
    assertThat(failed.resolve("left")).exists();
    Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    assertThat(version(Map.of("GRAPHMETA_CLASS_ARCHIVE", "on"))).isZero();
    assertThat(failed.resolve("left")).doesNotExist();
    assertThat(awaitArchive()).isEqualTo(archive);
  }

  @Test
  void aUserWithoutACacheSeesNothingOfIt() throws Exception {
    Path file = Files.writeString(elsewhere.resolve("file"), "");
    assertThat(version(Map.of("XDG_CACHE_HOME", file.toString()))).isZero();
    assertThat(version(Map.of("XDG_CACHE_HOME", "/proc/no-such"))).isZero();
    assertThat(version(Map.of("XDG_CACHE_HOME", "", "HOME", ""))).isZero();
    assertThat(caches).doesNotExist();
  }

  private Map<String, String> environment() {
    return Map.of("GRAPHMETA_CLASS_ARCHIVE", "on", "XDG_CACHE_HOME", caches.toString());
  }

  private int version(Map<String, String> variables) throws Exception {
    Map<String, String> environment = new HashMap<>(environment());
    environment.putAll(variables);
    Outcome outcome = new Launcher(elsewhere).run(launcher, environment, "", "--version");
    assertThat(outcome.errors()).isEmpty();
    return outcome.exitCode();
  }

  private boolean isFromArchive() throws Exception {
    Path log = Files.createTempFile(elsewhere, "classes", ".log");
    Map<String, String> environment = new HashMap<>(environment());
    environment.put("GRAPHMETA_JAVA_OPTS", "-Xlog:class+load:file=" + log);
    assertThat(new Launcher(elsewhere).run(launcher, environment, "", "--version").exitCode())
        .isZero();
    return Files.readAllLines(log).stream().anyMatch(LauncherIT::isFromArchive);
  }

  /** The one archive, when nothing is being made any more. */
  private Path awaitArchive() throws Exception {
    awaitNothingMade();
    try (Stream<Path> files = Files.list(caches.resolve("graphmeta"))) {
      List<Path> found = files.toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private void awaitNothingMade() throws Exception {
    Instant end = Instant.now().plus(LIMIT);
    while (isMaking()) {
      assertThat(Instant.now()).as("still making an archive after %s", LIMIT).isBefore(end);
      Thread.sleep(100);
    }
  }

  private boolean isMaking() throws Exception {
    try (Stream<Path> files = Files.list(caches.resolve("graphmeta"))) {
      return files.anyMatch(file -> file.toString().endsWith(".making"));
    }
  }
}
