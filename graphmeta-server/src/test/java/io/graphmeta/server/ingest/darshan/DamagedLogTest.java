package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damaged logs end in a log or in a {@link DarshanFormatException} that names file and offset; in
 * nothing else, not slowly, and not with more memory than the limits allow. The seed is printed
 * with a failure; {@code -Dgraphmeta.seed=N} replays it.
 */
class DamagedLogTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 20261121);
  private static final Duration AT_MOST = Duration.ofSeconds(120);
  private static final DarshanLimits SMALL = new DarshanLimits(4 << 20, 10_000);
  private static final int ROUNDS = 1_000;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void isALogOrAFormatException(LogDamage damage) throws IOException {
    List<byte[]> logs = sampleLogs();
    Path file = folder.resolve("damaged.darshan");
    damage.requireRefusedOrRead(logs, file, SMALL, SEED, ROUNDS, AT_MOST, ROUNDS / 10);
  }

  @Test
  void aCutAnywhereInARegionThatIsReadIsNoticed() throws IOException {
    byte[] log =
        new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
            .name(1, "/x")
            .module(1, 4, SyntheticLogs.records(69, 17, -1))
            .toByteArray();
    for (int length = 0; length < log.length; length++) {
      Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(log, length));
      assertThatThrownBy(() -> DarshanReader.read(file))
          .as("cut to %d bytes", length)
          .isInstanceOf(DarshanFormatException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "GZIP", mode = EnumSource.Mode.EXCLUDE)
  void aSmallFileCannotFillTheMemory(Compression compression) throws IOException {
    int contentBytes = compression == Compression.STORED ? 5 << 20 : 64 << 20;
    byte[] zeros = new byte[contentBytes];
    for (int slot : new int[] {1, 9}) {
      Path file =
          new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
              .compression(compression.ordinal())
              .module(slot, 2, zeros)
              .write(folder.resolve("bomb"));

      assertThatThrownBy(() -> DarshanReader.read(file, SMALL))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContainingAll("4194304", "maxRegionBytes");
    }
  }

  @Test
  void limitsTheNumberOfRecordsAndNames() throws IOException {
    DarshanLimits three = new DarshanLimits(1 << 20, 3);
    DarshanLimits two = new DarshanLimits(1 << 20, 2);
    Path records =
        new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
            .module(9, 2, SyntheticLogs.records(14, 15, -1))
            .write(folder.resolve("records"));
    Path names =
        new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
            .name(1, "a")
            .name(2, "b")
            .name(3, "c")
            .write(folder.resolve("names"));

    assertThat(DarshanReader.read(records, three).files()).hasSize(3);
    assertThat(DarshanReader.read(names, three).names()).hasSize(3);
    assertThatThrownBy(() -> DarshanReader.read(records, two))
        .hasMessageContainingAll("3 records", "at most 2", "maxRecords");
    assertThatThrownBy(() -> DarshanReader.read(names, two))
        .hasMessageContainingAll("more than 2 names", "maxRecords");
  }

  @Test
  void refusesANameThatReachesBeyondItsRegion() throws IOException {
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    name.writeBytes(
        ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(5).putInt(-1).array());
    for (String format : List.of("3.00", "3.10")) {
      byte[] log =
          new DarshanLogWriter(format, ByteOrder.LITTLE_ENDIAN)
              .name(1, "long enough")
              .toByteArray();
      byte[] region = deflated(name.toByteArray());
      ByteBuffer.wrap(log)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(24, log.length)
          .putLong(32, region.length);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.writeBytes(log);
      bytes.writeBytes(region);
      Path file = Files.write(folder.resolve("names"), bytes.toByteArray());

      assertThatThrownBy(() -> DarshanReader.read(file))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContainingAll("names region", "expected");
    }
  }

  private static byte[] deflated(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(content);
    }
    return out.toByteArray();
  }

  /** Real logs of moderate size, and synthetic ones in the other forms. */
  private static List<byte[]> sampleLogs() throws IOException {
    List<byte[]> logs = new ArrayList<>();
    List<Path> campaign = Fixtures.logsBelow(Fixtures.campaign());
    for (int i = 0; i < campaign.size(); i += 19) {
      logs.add(Files.readAllBytes(campaign.get(i)));
    }
    for (Path path : Fixtures.logsBelow(Fixtures.resource("synthetic"))) {
      logs.add(Files.readAllBytes(path));
    }
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      logs.add(
          new DarshanLogWriter("3.21", order)
              .compression(1)
              .streamsPerRegion(2)
              .name(1, "/bzip2")
              .module(1, 4, SyntheticLogs.records(69, 17, -1))
              .toByteArray());
    }
    return logs;
  }
}
