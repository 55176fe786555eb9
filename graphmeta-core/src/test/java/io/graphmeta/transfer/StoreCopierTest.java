package io.graphmeta.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copier refuses, and when it gives up. */
class StoreCopierTest {
  @TempDir private Path directory;

  /** A store with one file, of bytes that are all 7. */
  private static class Seven implements CheckpointFiles {
    final AtomicInteger asked = new AtomicInteger();
    private final FileEntry file;

    Seven(FileEntry file) {
      this.file = file;
    }

    @Override
    public List<FileEntry> take() {
      return List.of(file);
    }

    @Override
    public long checkpoint() {
      return 9;
    }

    @Override
    public Supplier<FileRange> read(String name, long offset, int length) {
      asked.incrementAndGet();
      byte[] bytes = new byte[length];
      java.util.Arrays.fill(bytes, (byte) 7);
      return () -> new FileRange(offset, FileRange.checksum(9, name, offset, bytes), bytes);
    }

    @Override
    public byte[] sum(String name, long offset, int length) {
      throw new AssertionError("nothing is there to be compared");
    }
  }

  private void copy(CheckpointFiles from) {
    Pace pace = new Pace(0, () -> 0, micros -> {});
    new StoreCopier(from, pace, directory.resolve("copy"), bytes -> {}).run();
  }

  private ErrorCode refusal(CheckpointFiles from) throws Exception {
    Files.createDirectories(directory.resolve("copy"));
    try {
      copy(from);
    } catch (GraphMetaException e) {
      return e.code();
    }
    throw new AssertionError("It was copied");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../escaped",
        "a/b",
        "/etc/x",
        "a\\b",
        "a b",
        "a\nb",
        "x.part",
        ".x"
      })
  void noNameLeadsOutOfTheDirectory(String name) throws Exception {
    assertThat(refusal(new Seven(new FileEntry(name, 3, "-")))).isEqualTo(ErrorCode.CORRUPTION);
    try (var all = Files.walk(directory)) {
      assertThat(all.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void aFileIsNotListedTwice() throws Exception {
    Seven twice =
        new Seven(new FileEntry("1.sst", 3, "-")) {
          @Override
          public List<FileEntry> take() {
            return List.of(new FileEntry("1.sst", 3, "-"), new FileEntry("1.sst", 4, "-"));
          }
        };
    assertThat(refusal(twice)).isEqualTo(ErrorCode.CORRUPTION);
  }

  @Test
  void whatAlwaysArrivesDamagedIsGivenUp() throws Exception {
    Seven damaged =
        new Seven(new FileEntry("1.sst", 3, "5@5")) {
          @Override
          public Supplier<FileRange> read(String name, long offset, int length) {
            FileRange right = super.read(name, offset, length).get();
            return () -> new FileRange(offset, right.checksum() + 1, right.bytes());
          }
        };
    assertThat(refusal(damaged)).isEqualTo(ErrorCode.CORRUPTION);
    assertThat(damaged.asked).hasValueBetween(2, 20);
    assertThat(directory.resolve("copy/1.sst")).doesNotExist();
  }

  @Test
  void aCheckpointThatIsAlwaysLostIsGivenUp() throws Exception {
    Seven lost =
        new Seven(new FileEntry("1.sst", 3, "5@5")) {
          @Override
          public Supplier<FileRange> read(String name, long offset, int length) {
            super.read(name, offset, length);
            return () -> {
              throw new GraphMetaException(ErrorCode.CHECKPOINT_LOST, "gone");
            };
          }
        };
    assertThat(refusal(lost)).isEqualTo(ErrorCode.CHECKPOINT_LOST);
    assertThat(lost.asked).hasValueBetween(2, 20);
  }

  @Test
  void filesLongerThanARangeComeWhole() throws Exception {
    Files.createDirectories(directory.resolve("copy"));
    int bytes = 2 * FileRange.MAX_BYTES + 5;
    copy(new Seven(new FileEntry("1.sst", bytes, "5@5")));
    assertThat(Files.readAllBytes(directory.resolve("copy/1.sst"))).hasSize(bytes).containsOnly(7);
  }

  /** A way there and back for each range would take most of the time; all at once most memory. */
  @Test
  void someRangesAreOnTheirWayAtATime() throws Exception {
    Files.createDirectories(directory.resolve("copy"));
    AtomicInteger onTheirWay = new AtomicInteger();
    List<Integer> seen = new ArrayList<>();
    copy(
        new Seven(new FileEntry("1.sst", 5L * FileRange.MAX_BYTES, "5@5")) {
          @Override
          public Supplier<FileRange> read(String name, long offset, int length) {
            Supplier<FileRange> range = super.read(name, offset, length);
            onTheirWay.incrementAndGet();
            return () -> {
              seen.add(onTheirWay.getAndDecrement());
              return range.get();
            };
          }
        });
    assertThat(seen).startsWith(16, 16, 16, 16, 16, 15).endsWith(2, 1).hasSize(20);
  }

  @Test
  void aRateIsNotTooLow() {
    assertThatThrownBy(() -> new Pace(5, () -> 0, micros -> {})).hasMessageContaining("5 bytes");
  }
}
