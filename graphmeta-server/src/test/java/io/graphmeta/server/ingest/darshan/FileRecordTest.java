package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.ingest.darshan.DarshanLogWriter.Record;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accessors against values placed by the indexes that the format defines. */
class FileRecordTest {
  @TempDir Path folder;

  @Test
  void posixVersion4() throws IOException {
    FileRecord record = posix(4, 69, 17);

    assertThat(record.opens()).isEqualTo(0);
    assertThat(record.reads()).isEqualTo(3);
    assertThat(record.writes()).isEqualTo(4);
    assertThat(record.renamesAway()).isEqualTo(10);
    assertThat(record.renamesToHere()).isEqualTo(11);
    assertThat(record.renamedFrom()).hasValue(12);
    assertThat(record.mode()).isEqualTo(13);
    assertThat(record.bytesRead()).isEqualTo(14);
    assertThat(record.bytesWritten()).isEqualTo(15);
    assertThat(record.maxByteRead()).isEqualTo(16);
    assertThat(record.maxByteWritten()).isEqualTo(17);
    assertThat(record.counter("POSIX_SLOWEST_RANK_BYTES")).isEqualTo(68);
    assertThat(record.openStartSeconds()).hasValue(0.5);
    assertThat(record.readStartSeconds()).hasValue(1.5);
    assertThat(record.writeStartSeconds()).hasValue(2.5);
    assertThat(record.closeStartSeconds()).hasValue(3.5);
    assertThat(record.openEndSeconds()).hasValue(4.5);
    assertThat(record.readEndSeconds()).hasValue(5.5);
    assertThat(record.writeEndSeconds()).hasValue(6.5);
    assertThat(record.closeEndSeconds()).hasValue(7.5);
    assertThat(record.timer("POSIX_F_VARIANCE_RANK_BYTES")).isEqualTo(16.5);
  }

  @Test
  void posixVersion3HasNoRenames() throws IOException {
    FileRecord record = posix(3, 64, 17);

    assertThat(List.of(record.opens(), record.reads(), record.writes(), record.mode()))
        .containsExactly(0L, 1L, 2L, 8L);
    assertThat(List.of(record.bytesRead(), record.maxByteWritten())).containsExactly(9L, 12L);
    assertThat(record.renamedFrom()).isEmpty();
    assertThat(record.renamesToHere() + record.renamesAway()).isZero();
    assertThat(record.closeStartSeconds()).hasValue(3.5);
    assertThat(record.timer("POSIX_F_VARIANCE_RANK_BYTES")).isEqualTo(16.5);
    assertThatThrownBy(() -> record.counter("POSIX_DUPS"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("POSIX_DUPS", "version 3", "POSIX_OPENS");
    assertThatThrownBy(() -> record.timer("POSIX_OPENS"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void posixVersion2HasFewerTimes() throws IOException {
    FileRecord record = posix(2, 64, 15);

    assertThat(record.bytesWritten()).isEqualTo(10);
    assertThat(record.closeStartSeconds()).isEmpty();
    assertThat(record.openEndSeconds()).isEmpty();
    assertThat(record.readEndSeconds()).hasValue(3.5);
    assertThat(record.closeEndSeconds()).hasValue(5.5);
    assertThat(record.timer("POSIX_F_META_TIME")).isEqualTo(8.5);
    assertThat(record.timer("POSIX_F_VARIANCE_RANK_BYTES")).isEqualTo(14.5);
  }

  @Test
  void posixVersion1CountsStreamsApart() throws IOException {
    FileRecord record = posix(1, 68, 15);

    assertThat(record.counter("POSIX_FOPENS")).isEqualTo(6);
    assertThat(record.opens()).isEqualTo(0 + 6);
    assertThat(record.reads()).isEqualTo(1 + 7);
    assertThat(record.writes()).isEqualTo(2 + 8);
    assertThat(record.mode()).isEqualTo(12);
    assertThat(record.bytesRead()).isEqualTo(13);
    assertThat(record.counter("POSIX_SLOWEST_RANK_BYTES")).isEqualTo(67);
  }

  @Test
  void stdio() throws IOException {
    FileRecord one = only(9, 1, 13, 15);
    assertThat(List.of(one.opens(), one.reads(), one.writes(), one.bytesWritten(), one.bytesRead()))
        .containsExactly(0L, 1L, 2L, 5L, 6L);
    FileRecord two = only(9, 2, 14, 15);
    assertThat(List.of(two.opens(), two.reads(), two.writes(), two.bytesWritten(), two.bytesRead()))
        .containsExactly(0L, 2L, 3L, 6L, 7L);
    assertThat(List.of(two.maxByteRead(), two.maxByteWritten(), two.mode()))
        .containsExactly(8L, 9L, 0L);
    assertThat(two.openStartSeconds()).hasValue(3.5);
    assertThat(two.closeStartSeconds()).hasValue(4.5);
    assertThat(two.writeStartSeconds()).hasValue(5.5);
    assertThat(two.readStartSeconds()).hasValue(6.5);
    assertThat(two.openEndSeconds()).hasValue(7.5);
    assertThat(two.closeEndSeconds()).hasValue(8.5);
    assertThat(two.writeEndSeconds()).hasValue(9.5);
    assertThat(two.readEndSeconds()).hasValue(10.5);
  }

  @Test
  void whatIsNoTimeIsNone() throws IOException {
    double[] timers = new double[17];
    Arrays.fill(timers, Double.NaN);
    timers[0] = 0;
    timers[1] = -1;
    timers[2] = Double.POSITIVE_INFINITY;
    timers[3] = 1e300;
    FileRecord record = read(1, 4, new Record(-1, -1, new long[69], timers));

    assertThat(record.openStartSeconds()).isEmpty();
    assertThat(record.readStartSeconds()).isEmpty();
    assertThat(record.writeStartSeconds()).isEmpty();
    assertThat(record.closeStartSeconds()).isEmpty();
    assertThat(record.closeEndSeconds()).isEmpty();
    assertThat(record.renamedFrom()).isEmpty();
    assertThat(record.isShared()).isTrue();
    assertThat(FileRecord.formatId(record.recordId())).isEqualTo("18446744073709551615");
    assertThat(record.toString()).contains("POSIX", "18446744073709551615", "rank -1");
  }

  private FileRecord posix(int version, int counterCount, int timerCount) throws IOException {
    return only(1, version, counterCount, timerCount);
  }

  /** A record whose counter i is i and whose timer i is i + 0.5. */
  private FileRecord only(int slot, int version, int counterCount, int timerCount)
      throws IOException {
    long[] counters = new long[counterCount];
    Arrays.setAll(counters, i -> i);
    double[] timers = new double[timerCount];
    Arrays.setAll(timers, i -> i + 0.5);
    return read(slot, version, new Record(7, 0, counters, timers));
  }

  private FileRecord read(int slot, int version, Record record) throws IOException {
    Path file =
        new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
            .module(slot, version, List.of(record))
            .write(folder.resolve("log.darshan"));
    return DarshanReader.read(file).files().get(0);
  }
}
