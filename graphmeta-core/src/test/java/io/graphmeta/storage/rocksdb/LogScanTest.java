package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of which every record is whole, but not every record is there. */
class LogScanTest {
  private static final int ENTRIES = 12;

  @TempDir private Path directory;

  /** The records of a log, in their order. Each entry has one row, and a block holds them all. */
  private final List<byte[]> records = new ArrayList<>();

  @BeforeEach
  void writeLog() throws IOException {
    Path store = directory.resolve("store");
    try (RocksDbStorage storage = RocksDbStorage.open(store, RocksDbSettings.defaults())) {
      for (int i = 0; i < ENTRIES; i++) {
        RowBatch batch = new RowBatch(64);
        batch.put(Family.META, new byte[] {(byte) i}, new byte[] {1});
        storage.write(batch, Durability.BACKGROUND);
      }
      String log = LoggedStore.LogFiles.sizes(store).lastKey();
      split(Files.readAllBytes(store.resolve(log)));
    }
    assertThat(records).hasSizeGreaterThanOrEqualTo(ENTRIES);
  }

  private void split(byte[] log) {
    assertThat(log.length).isLessThan(LogFileReader.BLOCK_BYTES);
    for (int at = 0; at + LogFileReader.HEADER_BYTES <= log.length; ) {
      int payload = (log[at + 4] & 0xff) | (log[at + 5] & 0xff) << 8;
      int next = at + LogFileReader.HEADER_BYTES + payload;
      records.add(Arrays.copyOfRange(log, at, next));
      at = next;
    }
  }

  /** Reads two files, of which the second begins at a record. */
  private LogScan scan(int secondFrom, Set<Integer> without) throws IOException {
    TreeMap<Long, Path> logs = new TreeMap<>();
    logs.put(1L, write("1", 0, secondFrom, without));
    logs.put(2L, write("2", secondFrom, records.size(), without));
    return LogScan.of(logs, 0, LogRecovery.ALL);
  }

  private Path write(String name, int from, int to, Set<Integer> without) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = from; i < to; i++) {
      if (!without.contains(i)) {
        bytes.write(records.get(i));
      }
    }
    return Files.write(directory.resolve(name), bytes.toByteArray());
  }

  @Test
  void aWholeLogDoesNotBreakWhereverFilesEnd() throws IOException {
    long newest = scan(records.size(), Set.of()).newest();
    for (int secondFrom = 1; secondFrom <= records.size(); secondFrom++) {
      LogScan scan = scan(secondFrom, Set.of());
      assertThat(scan.broken()).as("second file from record %d", secondFrom).isNull();
      assertThat(scan.reached()).isEqualTo(newest);
    }
  }

  /** Whether the record is missing within a file, at its end, or at the beginning of the next. */
  @Test
  void aRecordThatIsMissingIsNoticed() throws IOException {
    LogScan whole = scan(records.size(), Set.of());
    int first = records.size() - ENTRIES;
    for (int secondFrom = first + 2; secondFrom < records.size(); secondFrom++) {
      for (int missing = first + 1; missing < records.size() - 1; missing++) {
        LogScan scan = scan(secondFrom, Set.of(missing));
        String what = "record " + missing + ", second file from " + secondFrom;
        assertThat(scan.broken()).as(what).isNotNull();
        assertThat(scan.broken().reason()).as(what).contains("was expected");
        assertThat(scan.reached()).as(what).isLessThan(whole.newest());
        assertThat(scan.newest()).as(what).isEqualTo(whole.newest());
      }
    }
  }
}
