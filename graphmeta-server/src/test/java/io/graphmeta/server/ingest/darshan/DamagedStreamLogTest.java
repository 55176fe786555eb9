package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever is done to a log of format 2, reading it ends in a log or in a {@link
 * DarshanFormatException} that names file and offset; in nothing else, not slowly, and not with
 * more memory than the limits allow. The seed is printed with a failure; {@code -Dgraphmeta.seed=N}
 * replays it. {@code -Dgraphmeta.darshan.rounds=N} makes it longer.
 */
class DamagedStreamLogTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 20261122);
  private static final int ROUNDS = Integer.getInteger("graphmeta.darshan.rounds", 200);
  private static final Duration AT_MOST = Duration.ofSeconds(20 + ROUNDS / 20);
  private static final DarshanLimits SMALL = new DarshanLimits(1 << 20, 700);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void isALogOrAFormatException(LogDamage damage) throws IOException {
    List<byte[]> logs = new ArrayList<>(StreamLogs.all().values());
    Path file = folder.resolve("damaged.darshan.gz");
    damage.requireRefusedOrRead(logs, file, SMALL, SEED, ROUNDS, AT_MOST, ROUNDS / 3);
  }

  @Test
  void aCutAnywhereIsNoticed() throws IOException {
    StreamLogWriter writer = StreamLogs.log("2.02", ByteOrder.BIG_ENDIAN);
    for (Compression compression : List.of(Compression.GZIP, Compression.BZIP2)) {
      byte[] log = writer.toByteArray(compression);
      for (int length = 0; length < log.length; length++) {
        Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(log, length));
        assertThatThrownBy(() -> DarshanReader.read(file))
            .as("%s cut to %d bytes", compression, length)
            .isInstanceOf(DarshanFormatException.class);
      }
    }
  }

  @Test
  void aDamagedSecondPartIsNotTakenForTheEnd() throws IOException {
    StreamLogWriter writer = StreamLogs.log("2.06", ByteOrder.LITTLE_ENDIAN).members(3);
    byte[] log = writer.toByteArray(Compression.GZIP);
    int second = 10;
    while (log[second] != 0x1f || log[second + 1] != (byte) 0x8b) {
      second++;
    }
    log[second] ^= 1;
    Path file = Files.write(folder.resolve("parts"), log);
    assertThatThrownBy(() -> DarshanReader.read(file)).isInstanceOf(DarshanFormatException.class);
  }

  @Test
  void aSmallFileCannotFillTheMemory() throws IOException {
    for (boolean gzip : List.of(true, false)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStream out =
          gzip ? new GZIPOutputStream(bytes) : new BZip2CompressorOutputStream(bytes)) {
        out.write(StreamLogs.log("2.06", ByteOrder.LITTLE_ENDIAN).stored());
        byte[] zeros = new byte[1 << 20];
        for (int i = 0; i < 64; i++) {
          out.write(zeros);
        }
      }
      Path file = Files.write(folder.resolve("bomb"), bytes.toByteArray());

      assertThatThrownBy(() -> DarshanReader.read(file, SMALL))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContainingAll("1048576", "maxRegionBytes");
    }
  }

  @Test
  void limitsTheNumberOfRecords() throws IOException {
    Path file =
        StreamLogs.log("2.06", ByteOrder.LITTLE_ENDIAN)
            .write(folder.resolve("records"), Compression.GZIP);

    assertThat(DarshanReader.read(file, new DarshanLimits(1 << 20, 3)).files()).hasSize(3);
    assertThatThrownBy(() -> DarshanReader.read(file, new DarshanLimits(1 << 20, 2)))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContainingAll("3 records", "at most 2", "maxRecords");
  }
}
