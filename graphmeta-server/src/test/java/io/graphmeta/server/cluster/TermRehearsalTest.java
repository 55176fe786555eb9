package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TermRehearsalTest {
  @Test
  void opensShardsAndLeavesNothing() throws IOException {
    Set<Path> before = directories();
    assertThat(TermRehearsal.run(60_000)).isGreaterThan(1);
    assertThat(TermRehearsal.run(1)).isEqualTo(1);
    assertThat(directories()).isSubsetOf(before);
  }

  @Test
  void doesNothingWhereItIsGivenNoTime() {
    assertThat(TermRehearsal.run(0)).isZero();
  }

  private static Set<Path> directories() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(each -> each.getFileName().toString().startsWith("graphmeta-term"))
          .collect(Collectors.toSet());
    }
  }
}
