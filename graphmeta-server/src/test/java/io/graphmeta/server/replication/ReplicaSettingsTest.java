package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the logs of a node may take of its heap, and what its operator is told of it. */
class ReplicaSettingsTest {
  private static final long HEAP_BYTES = 192L << 20;
  private static final ReplicaSettings SETTINGS =
      ReplicaSettings.of("c", new ReplicaAddress("n1", "127.0.0.1", 8192), Path.of("logs"));

  @Test
  void aLogTakesThirtyMegabytesAsOperatorsAreTold() {
    assertThat(SETTINGS.heapBytesOfLog()).isBetween(29_000_000L, 30_000_000L);
  }

  @Test
  void moreEntriesTakeMore() {
    assertThat(SETTINGS.withKeptEntries(1_100_000).heapBytesOfLog())
        .isEqualTo(SETTINGS.heapBytesOfLog() + 130_000_000);
  }

  @Test
  void whoeverGivesANodeTooLittleHeapIsToldWhatItNeeds() {
    assertThat(SETTINGS.heapWarning(8, HEAP_BYTES))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .contains("8 shards", "227 MiB", "heap has 192", "-Xmx455m", "fewer shards"));
    assertThat(SETTINGS.heapWarning(8, 454L << 20)).isPresent();
    assertThat(SETTINGS.heapWarning(8, 455L << 20)).isEmpty();
  }

  @Test
  void halfOfTheHeapIsEnough() {
    assertThat(SETTINGS.heapWarning(3, HEAP_BYTES)).isEmpty();
    assertThat(SETTINGS.heapWarning(4, HEAP_BYTES)).isPresent();
  }
}
