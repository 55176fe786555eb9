package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which logs are told, look by look. */
class ArrivingLogsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir private Path directory;

  private Path log(String name, String text, int secondsOld) throws IOException {
    Path log = directory.resolve(name);
    Files.createDirectories(log.getParent());
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(log, FileTime.from(NOW.minusSeconds(secondsOld)));
    return log;
  }

  @Test
  void aLogIsToldOnceWhenItHasStoppedGrowing() throws IOException {
    ArrivingLogs logs = new ArrivingLogs(List.of(directory), Clock.fixed(NOW, ZoneOffset.UTC));
    assertThat(logs.look()).isEmpty();
    Path grows = log("2026/11/a.darshan", "x", 5);
    Path old = log("2026/10/b.darshan", "x", 700);
    log("2026/11/c.darshan_partial", "x", 700);
    assertThat(logs.look()).containsExactly(old);
    log("2026/11/a.darshan", "y", 5);
    assertThat(logs.look()).isEmpty();
    // The same size, and another time.
    Files.setLastModifiedTime(grows, FileTime.from(NOW.minusSeconds(3)));
    assertThat(logs.look()).isEmpty();
    assertThat(logs.look()).containsExactly(grows);
    assertThat(logs.look()).isEmpty();
    // What was left for others' reasons comes again; what changed, as a new one.
    logs.tellAgain(List.of(grows));
    assertThat(logs.look()).containsExactly(grows);
    log("2026/11/a.darshan", "z", 1);
    assertThat(logs.look()).isEmpty();
    assertThat(logs.look()).containsExactly(grows);
    // Gone and back.
    Files.delete(old);
    assertThat(logs.look()).isEmpty();
    log("2026/10/b.darshan", "x", 700);
    assertThat(logs.look()).containsExactly(old);
    ArrivingLogs gone =
        new ArrivingLogs(List.of(directory.resolve("no")), Clock.fixed(NOW, ZoneOffset.UTC));
    assertThatThrownBy(gone::look).isInstanceOf(NoSuchFileException.class);
  }
}
