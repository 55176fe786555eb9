package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a server asks itself before it listens. */
final class RehearsalTest {
  private static Set<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("graphmeta-rehearsal"))
          .collect(Collectors.toSet());
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("rehearsal"))
        .collect(Collectors.toSet());
  }

  @Test
  void allQuestionsAreAnsweredInEachRoundAndNothingIsLeft() throws Exception {
    Set<Path> before = directories();
    int answered =
        Rehearsal.run(ServerSettings.defaults().with(ServerSetting.REHEARSAL_MILLIS, 60_000));
    assertThat(answered).isPositive();
    assertThat(answered % Rehearsal.ROUNDS).isZero();
    assertThat(directories()).isEqualTo(before);
    assertThat(threads()).isEmpty();
  }

  @Test
  void withoutTimeNothingIsAsked() {
    assertThat(Rehearsal.run(ServerSettings.defaults().with(ServerSetting.REHEARSAL_MILLIS, 0)))
        .isZero();
  }
}
