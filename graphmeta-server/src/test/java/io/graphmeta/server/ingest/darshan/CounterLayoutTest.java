package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pins the record sizes, which the format fixes for each version. */
class CounterLayoutTest {

  @Test
  void recordSizesAreThoseOfTheFormat() {
    assertThat(CounterLayout.versions(FileModule.POSIX)).containsExactly(1, 2, 3, 4);
    assertThat(CounterLayout.versions(FileModule.STDIO)).containsExactly(1, 2);
    assertThat(recordBytes(FileModule.POSIX, 1)).isEqualTo(680);
    assertThat(recordBytes(FileModule.POSIX, 2)).isEqualTo(648);
    assertThat(recordBytes(FileModule.POSIX, 3)).isEqualTo(664);
    assertThat(recordBytes(FileModule.POSIX, 4)).isEqualTo(704);
    assertThat(recordBytes(FileModule.STDIO, 1)).isEqualTo(240);
    assertThat(recordBytes(FileModule.STDIO, 2)).isEqualTo(248);
    assertThat(CounterLayout.of(FileModule.POSIX, 5)).isEmpty();
    assertThat(CounterLayout.of(FileModule.STDIO, 0)).isEmpty();
  }

  private static int recordBytes(FileModule module, int version) {
    return CounterLayout.of(module, version).orElseThrow().recordBytes();
  }
}
