package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs of format 2, written by the published layout. */
class StreamLogTest {
  private static final long START = 1_300_000_000;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = "ZLIB", mode = EnumSource.Mode.EXCLUDE)
  void readsAllVersionsInBothByteOrders(Compression compression) throws IOException {
    for (String format : StreamLogs.FORMATS) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        DarshanLog log =
            DarshanReader.read(
                StreamLogs.log(format, order).members(2).write(file("log"), compression));

        assertThat(log.header()).isEqualTo(new DarshanHeader(format, order, compression, false));
        DarshanJob job = log.job();
        assertThat(job.commandLine()).isEqualTo("/bin/app -n 4");
        assertThat(job.start()).isEqualTo(Instant.ofEpochSecond(START));
        assertThat(job.end()).contains(Instant.ofEpochSecond(START + 60));
        assertThat(List.of(job.uid(), job.processes(), job.jobId()))
            .containsExactly(1000L, 4L, 77L);
        assertThat(job.metadata())
            .isEqualTo(
                format.equals("2.00")
                    ? Map.of()
                    : format.compareTo("2.04") < 0
                        ? Map.of("h", "cb_nodes=4")
                        : Map.of("lib_ver", "2.3.1", "h", "a=b;c=d"));
        assertThat(job.mounts())
            .containsExactly(new Mount("lustre", "/scratch"), new Mount("ext4", "/"));
        for (int number = 1; number <= 3; number++) {
          FileRecord record = log.files().get(number - 1);
          assertThat(record.counterNames().stream().mapToLong(record::counter))
              .containsExactly(
                  Arrays.stream(StreamLogs.counters(number)).boxed().toArray(Long[]::new));
          assertThat(record.timerNames().stream().mapToDouble(record::timer))
              .containsExactly(
                  Arrays.stream(StreamLogs.timers(number)).boxed().toArray(Double[]::new));
        }
        assertThat(log.files()).extracting(FileRecord::rank).containsExactly(0L, 3L, -1L);
      }
    }
  }

  @Test
  void aPathIsKnownIfItIsShort() throws IOException {
    List<FileRecord> files = read(StreamLogs.log("2.06", ByteOrder.BIG_ENDIAN)).files();

    assertThat(files.get(0).path()).contains("/tmp/a.dat");
    assertThat(files.get(0).pathEnd()).isEmpty();
    assertThat(files.get(1).path()).isEmpty();
    assertThat(files.get(1).pathEnd()).contains("o-test-xl-c.dat");
    assertThat(FileRecord.formatId(files.get(0).recordId())).isEqualTo("17293822569102704641");
  }

  @Test
  void countsWhatTheLowestInterfaceSaw() throws IOException {
    long[] posix = new long[StreamLogWriter.COUNTERS];
    long[] mpi = new long[StreamLogWriter.COUNTERS];
    long[] streams = new long[StreamLogWriter.COUNTERS];
    posix[0] = mpi[0] = 4; // CP_INDEP_OPENS
    posix[2] = mpi[2] = 5; // CP_INDEP_READS
    posix[5] = mpi[5] = 6; // CP_COLL_WRITES
    posix[11] = 7; // CP_POSIX_READS
    posix[12] = 8; // CP_POSIX_WRITES
    posix[13] = 9; // CP_POSIX_OPENS
    mpi[46] = 2 + 8; // CP_MODE: read only, of a file to be there
    posix[46] = 1 + 4; // CP_MODE: to be created
    streams[17] = 10; // CP_POSIX_FREADS
    streams[18] = 11; // CP_POSIX_FWRITES
    streams[19] = 12; // CP_POSIX_FOPENS
    streams[20] = 13; // CP_POSIX_FSEEKS
    streams[47] = 100; // CP_BYTES_READ
    streams[50] = 99; // CP_MAX_BYTE_WRITTEN
    streams[48] = -1; // CP_BYTES_WRITTEN
    double[] none = new double[StreamLogWriter.TIMERS];
    List<FileRecord> files =
        read(new StreamLogWriter("2.06", ByteOrder.LITTLE_ENDIAN)
                .record(1, 0, "/a", posix, none)
                .record(2, 0, "/b", mpi, none)
                .record(3, 0, "/c", streams, none))
            .files();

    assertThat(counts(files.get(0))).containsExactly(9L, 7L, 8L, 1L, 0L);
    assertThat(counts(files.get(1))).containsExactly(4L, 5L, 6L, 0L, 0L);
    assertThat(counts(files.get(2))).containsExactly(12L, 10L, 11L, 0L, 13L);
    assertThat(files).extracting(FileRecord::isStream).containsExactly(false, false, true);
    assertThat(files.get(2).bytesRead()).isEqualTo(100);
    assertThat(files.get(2).maxByteWritten()).isEqualTo(99);
    assertThat(files.get(2).bytesWritten()).as("not counted").isZero();
  }

  @Test
  void timesFromTheStartAreTakenAsTheyAre() throws IOException {
    FileRecord record = read(timed("2.03", 2, 3, 5)).files().get(0);

    assertThat(record.openStartSeconds()).hasValue(2);
    assertThat(record.readStartSeconds()).hasValue(3);
    assertThat(record.closeEndSeconds()).hasValue(5);
    assertThat(record.openEndSeconds()).isEmpty();
  }

  @Test
  void timesSince1970AreCountedFromTheStart() throws IOException {
    DarshanLog log = read(timed("2.02", START + 2.25, START + 3, START + 60.5));

    assertThat(log.files().get(0).openStartSeconds()).hasValue(2.25);
    assertThat(log.files().get(0).closeEndSeconds()).hasValue(60.5);
    assertThat(log.job().slackMillis()).isZero();
  }

  @Test
  void timesOfAnotherClockBeginWithTheJobAndMayBeEarly() throws IOException {
    DarshanLog log = read(timed("2.00", 5014, 5024, 5054));

    FileRecord record = log.files().get(0);
    assertThat(record.openStartSeconds()).hasValue(1e-6);
    assertThat(record.readStartSeconds()).hasValue(10);
    assertThat(record.closeEndSeconds()).hasValue(40);
    assertThat(log.job().slackMillis()).as("60 s and the rounding, less 40 s").isEqualTo(21_500);
  }

  @Test
  void timesOfSeveralClocksKeepTheOrderWithinARecord() throws IOException {
    StreamLogWriter writer = timed("2.01", 100, 110, 120);
    DarshanLog log = read(withTimes(writer, 7_000, 7_030, 7_050));

    assertThat(log.files().get(0).readStartSeconds()).hasValue(10);
    assertThat(log.files().get(1).readStartSeconds()).hasValue(30);
    assertThat(log.job().slackMillis()).isEqualTo(61_000);
  }

  @Test
  void aConvertedLogKeepsTheClockOfItsVersion() throws IOException {
    DarshanLog log =
        read(
            timed("2.06", 5014, 5024, 5054)
                .metadata("prev_ver=1.24\n")
                .job(1, START, START + 60, 4, 0));

    assertThat(log.files().get(0).readStartSeconds()).hasValue(10);
    assertThat(log.job().jobId()).as("in the name only").isEqualTo(178062);
  }

  @Test
  void anUnreadableLogTellsNoNames() throws IOException {
    DarshanLog log =
        read(
            timed("2.06", 1, 2, 3)
                .commandLineAndMounts("1555479195\n15\tpvfs2\t/fs")
                .record(9, 0, "293874", StreamLogs.counters(1), StreamLogs.timers(1)));

    assertThat(log.files()).allMatch(file -> file.path().isEmpty() && file.pathEnd().isEmpty());
  }

  @Test
  void aRecordOfAllFilesTellsThatFilesAreMissing() throws IOException {
    DarshanLog log =
        read(
            new StreamLogWriter("2.06", ByteOrder.LITTLE_ENDIAN)
                .record(0, 1, "/tmp/a", StreamLogs.counters(1), StreamLogs.timers(1)));

    assertThat(log.header().partial()).isTrue();
    assertThat(log.files().get(0).isOfAllFiles()).isTrue();
  }

  @Test
  void aLogWithoutFilesIsALog() throws IOException {
    assertThat(read(new StreamLogWriter("2.02", ByteOrder.BIG_ENDIAN)).files()).isEmpty();
  }

  @Test
  void oldLogsAreRefusedWithTheToolThatConvertsThem() throws IOException {
    for (String version : List.of("1.4", "1.21", "1.24")) {
      byte[] content = Arrays.copyOf(version.getBytes(StandardCharsets.US_ASCII), 2288);
      for (byte[] bytes : List.of(content, zipped(content))) {
        assertThatThrownBy(() -> DarshanReader.read(Files.write(file("old"), bytes)))
            .isInstanceOf(DarshanFormatException.class)
            .hasMessageContainingAll(
                "old", "\"" + version + "\"", "darshan-convert", "Darshan 2", "1.21 to 1.24");
      }
    }
  }

  @Test
  void whatElseIsCompressedIsRefused() throws IOException {
    byte[] newer = new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN).toByteArray();
    assertThatThrownBy(() -> DarshanReader.read(Files.write(file("newer"), zipped(newer))))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContainingAll("\"3.41\"", "decompress");
    byte[] text = "nothing of the kind".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> DarshanReader.read(Files.write(file("text"), zipped(text))))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContainingAll("\"nothing\"", "2.06");
  }

  private static List<Long> counts(FileRecord record) {
    return List.of(record.opens(), record.reads(), record.writes(), record.mode(), record.seeks());
  }

  /** A log with one record: opened, first read, closed. */
  private static StreamLogWriter timed(String format, double open, double read, double close) {
    return withTimes(
        new StreamLogWriter(format, ByteOrder.BIG_ENDIAN).metadata(""), open, read, close);
  }

  private static StreamLogWriter withTimes(
      StreamLogWriter log, double open, double read, double close) {
    double[] timers = new double[StreamLogWriter.TIMERS];
    timers[0] = open;
    timers[1] = read;
    timers[3] = close;
    return log.record(5, 0, "/tmp/a", StreamLogs.counters(1), timers);
  }

  private DarshanLog read(StreamLogWriter writer) throws IOException {
    return DarshanReader.read(writer.write(file("a_id178062_1.darshan.gz"), Compression.GZIP));
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private static byte[] zipped(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }
}
