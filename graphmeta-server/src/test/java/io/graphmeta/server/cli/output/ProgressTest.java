package io.graphmeta.server.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter written = new StringWriter();

  @Test
  void tellsRateAndRemainingTime() {
    try (Progress progress = new Progress(new PrintWriter(written), 0, "Loading logs", 8_000)) {
      progress.update(2_000);
      assertThat(progress.line(TimeUnit.MILLISECONDS.toNanos(900), 100))
          .isEqualTo("Loading logs [#######.......................] 2,000 of 8,000");
      assertThat(progress.line(TimeUnit.SECONDS.toNanos(100), 80))
          .isEqualTo("Loading logs 2,000 of 8,000, 20/s, 5 min 0 s left");
      assertThat(progress.line(TimeUnit.SECONDS.toNanos(4_000), 80))
          .endsWith("0.5/s, 3 h 20 min left");
      progress.update(8_000);
      assertThat(progress.line(TimeUnit.SECONDS.toNanos(100), 80)).endsWith(", 80/s");
    }
    assertThat(written.toString()).isEmpty();
  }

  /** A database that holds nothing is read up to no row. */
  @Test
  void takesNothingDoneMoreThanOnce() {
    try (Progress progress = new Progress(new PrintWriter(written), 0, "Rows checked:", 0)) {
      progress.update(0);
      progress.update(0);
    }
    assertThat(written.toString()).isEmpty();
  }

  @Test
  void staysWithinItsTerminalAndLeavesNothing() {
    try (Progress progress = new Progress(new PrintWriter(written), 20, "Loading lines", 0)) {
      progress.update(1_000_000_000);
    }
    assertThat(written.toString()).isEqualTo("\rLoading lines 1,000" + "\u001b[K" + "\r\u001b[K");
  }
}
