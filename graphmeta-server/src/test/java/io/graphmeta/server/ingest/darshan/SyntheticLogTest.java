package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.ingest.darshan.DarshanLogWriter.Record;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs in every form of the format, written here and read back. */
class SyntheticLogTest {
  private static final long ID = SyntheticLogs.FIRST_ID;

  @TempDir Path folder;

  static Stream<Arguments> forms() {
    List<Arguments> forms = new ArrayList<>();
    for (String format : List.of("3.00", "3.10", "3.20", "3.21", "3.41")) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        for (Compression compression :
            List.of(Compression.ZLIB, Compression.BZIP2, Compression.STORED)) {
          for (int streams : new int[] {1, 2, 7}) {
            forms.add(Arguments.of(format, order, compression, streams));
          }
        }
      }
    }
    return forms.stream();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void readsBackEveryForm(String format, ByteOrder order, Compression compression, int streams)
      throws IOException {
    boolean nanos = format.equals("3.41");
    int stdioSlot = Map.of("3.00", 7, "3.10", 7, "3.20", 8, "3.21", 8, "3.41", 9).get(format);
    List<Record> posix = SyntheticLogs.records(69, 17, -1);
    List<Record> stdio = SyntheticLogs.records(14, 15, -1);
    DarshanLog log =
        read(
            new DarshanLogWriter(format, order)
                .compression(compression.ordinal())
                .streamsPerRegion(streams)
                .partialFlags(1L << stdioSlot)
                .job(20011, 1_795_221_551, 814_797_254, 1_795_221_560, 1, 48, 184_413)
                .name(ID + 1, "/scratch/\u00fcber.dat")
                .name(ID + 3, "/home/x y")
                .module(1, 4, posix)
                .module(2, 9, new byte[] {1, 2, 3})
                .module(stdioSlot, 2, stdio)
                .module(15, 2, new byte[] {4}));

    assertThat(log.header()).isEqualTo(new DarshanHeader(format, order, compression, true));
    assertThat(log.job())
        .isEqualTo(
            new DarshanJob(
                20011,
                Instant.ofEpochSecond(1_795_221_551, nanos ? 814_797_254 : 0),
                Optional.of(Instant.ofEpochSecond(1_795_221_560, nanos ? 1 : 0)),
                48,
                184_413,
                Map.of("lib_ver", "3.1.8", "h", "a=b;c=d"),
                "/bin/app -n 4",
                List.of(new Mount("lustre", "/scratch"), new Mount("ext4", "/")),
                0));
    assertThat(log.names())
        .containsExactly(
            Map.entry(ID + 1, "/scratch/\u00fcber.dat"), Map.entry(ID + 3, "/home/x y"));
    assertThat(log.modules())
        .extracting(DarshanModule::name)
        .startsWith("POSIX", "MPI-IO", "STDIO")
        .hasSize(4);
    assertThat(log.modules()).extracting(DarshanModule::version).containsExactly(4, 9, 2, 2);
    assertThat(log.modules())
        .extracting(DarshanModule::partial)
        .containsExactly(false, false, true, false);
    assertThat(log.modules())
        .extracting(DarshanModule::decoded)
        .containsExactly(true, false, true, false);
    assertThat(log.files()).hasSize(6);
    assertSame(log.files().subList(0, 3), FileModule.POSIX, posix);
    assertSame(log.files().subList(3, 6), FileModule.STDIO, stdio);
    assertThat(log.files().get(0).path()).contains("/scratch/\u00fcber.dat");
    assertThat(log.files().get(1).path()).isEmpty();
  }

  @Test
  void slotsMoveWithTheFormat() throws IOException {
    assertThat(slotNames("3.10", 16))
        .startsWith(
            "NULL",
            "POSIX",
            "MPI-IO",
            "H5F",
            "PNETCDF_FILE",
            "BG/Q",
            "LUSTRE",
            "STDIO",
            "DXT_POSIX",
            "DXT_MPIIO",
            "MDHIM");
    assertThat(slotNames("3.21", 16))
        .containsExactly(
            "NULL",
            "POSIX",
            "MPI-IO",
            "H5F",
            "H5D",
            "PNETCDF_FILE",
            "BG/Q",
            "LUSTRE",
            "STDIO",
            "DXT_POSIX",
            "DXT_MPIIO",
            "MDHIM",
            "APXC",
            "APMPI",
            "HEATMAP",
            "DFS");
    assertThat(slotNames("3.41", 64))
        .startsWith(
            "NULL",
            "POSIX",
            "MPI-IO",
            "H5F",
            "H5D",
            "PNETCDF_FILE",
            "PNETCDF_VAR",
            "BG/Q",
            "LUSTRE",
            "STDIO",
            "DXT_POSIX",
            "DXT_MPIIO",
            "MDHIM",
            "APXC",
            "APMPI",
            "HEATMAP",
            "DFS",
            "DAOS",
            "SLOT-18")
        .endsWith("SLOT-63");
  }

  @Test
  void readsALogWithoutNamesAndRecords() throws IOException {
    DarshanLog log =
        read(new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN).commandLineAndMounts(""));

    assertThat(log.names()).isEmpty();
    assertThat(log.files()).isEmpty();
    assertThat(log.modules()).isEmpty();
    assertThat(log.header().partial()).isFalse();
    assertThat(log.job().commandLine()).isEmpty();
    assertThat(log.job().executable()).isEmpty();
    assertThat(log.job().mounts()).isEmpty();
  }

  @Test
  void findsTheEndOfTheJobRegionWithoutAMapOfTheNames() throws IOException {
    byte[] bytes =
        new DarshanLogWriter("3.21", ByteOrder.LITTLE_ENDIAN)
            .module(8, 2, SyntheticLogs.records(14, 15, -1))
            .toByteArray();
    Arrays.fill(bytes, 24, 40, (byte) 0);

    assertThat(DarshanReader.read(Files.write(folder.resolve("log"), bytes)).files()).hasSize(3);
  }

  @Test
  void anEndTimeOfZeroIsNone() throws IOException {
    DarshanJob job =
        read(new DarshanLogWriter("3.41", ByteOrder.BIG_ENDIAN).job(1, 5, 7_000, 0, 0, 1, 2)).job();

    assertThat(job.end()).isEmpty();
    assertThat(job.endMicros()).isZero();
    assertThat(job.startMicros()).isEqualTo(5_000_007);
    assertThat(job.microsAt(1.5)).isEqualTo(6_500_007);
  }

  @Test
  void aCommandLineMayHoldLineBreaksAndTabs() throws IOException {
    DarshanJob job =
        read(new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
                .commandLineAndMounts(
                    "/usr/bin/python3 -c import os\nprint(1)\n\tx \nbtrfs\t/a b\nautofs\tmisc\n"
                        .strip()))
            .job();

    assertThat(job.commandLine()).isEqualTo("/usr/bin/python3 -c import os\nprint(1)\n\tx");
    assertThat(job.executable()).isEqualTo("/usr/bin/python3");
    assertThat(job.mounts())
        .containsExactly(new Mount("btrfs", "/a b"), new Mount("autofs", "misc"));
  }

  @Test
  void namesThatAreNotUtf8StayApart() throws IOException {
    DarshanLog log =
        read(
            new DarshanLogWriter("3.21", ByteOrder.LITTLE_ENDIAN)
                .name(1, "/a/\u00e9".getBytes(StandardCharsets.ISO_8859_1))
                .name(2, "/a/\u00e8".getBytes(StandardCharsets.ISO_8859_1))
                .name(3, ""));

    assertThat(log.names().values()).containsExactly("/a/\\xe9", "/a/\\xe8", "");
    assertThat(log.nameOf(2)).contains("/a/\\xe8");
    assertThat(log.nameOf(4)).isEmpty();
  }

  @Test
  void refusesWhatItCannotKnow() {
    ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    assertRefused(new DarshanLogWriter("3.42", order), "offset 0", "\"3.42\"", "3.41");
    assertRefused(new DarshanLogWriter("4.00", order), "\"4.00\"", "3.00", "2.06");
    assertRefused(
        new DarshanLogWriter("3.41", order).compression(3),
        "offset 16",
        "compression 3",
        "2 (stored)");
    assertRefused(
        new DarshanLogWriter("3.41", order).module(1, 5, new byte[704]),
        "POSIX records of version 5",
        "[1, 2, 3, 4]");
    assertRefused(
        new DarshanLogWriter("3.41", order).module(1, 4, new byte[703]),
        "703 bytes",
        "multiple of 704");
    assertRefused(
        new DarshanLogWriter("3.41", order).module(9, 0, new byte[248]),
        "STDIO records of version 0",
        "[1, 2]");
    assertRefused(new DarshanLogWriter("3.41", order).job(1, -1, 0, 0, 0, 1, 1), "start time -1 s");
    assertRefused(
        new DarshanLogWriter("3.41", order).job(1, 1, 0, 1, 1_000_000_000, 1, 1),
        "end time 1 s and 1000000000 ns");
    assertRefused(
        new DarshanLogWriter("3.21", order).commandLineAndMounts("a\nx\t/y\nz"), "mount \"z\"");
  }

  @Test
  void refusesBytesThatAreNoLog() throws IOException {
    for (String text :
        List.of("", "3.41", "hello, world, this is text", "3.41\0\0\0\0 no magic number here")) {
      Path file = Files.writeString(folder.resolve("text"), text);
      assertThatThrownBy(() -> DarshanReader.read(file))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContainingAll(file.toString(), "offset 0", "expected");
    }
  }

  private void assertRefused(DarshanLogWriter log, String... parts) {
    assertThatThrownBy(() -> read(log))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("expected")
        .hasMessageContainingAll(parts);
  }

  private static void assertSame(List<FileRecord> read, FileModule module, List<Record> written) {
    for (int i = 0; i < written.size(); i++) {
      FileRecord record = read.get(i);
      assertThat(record.module()).isEqualTo(module);
      assertThat(record.recordId()).isEqualTo(written.get(i).id());
      assertThat(record.rank()).isEqualTo(written.get(i).rank());
      assertThat(record.counterNames().stream().mapToLong(record::counter))
          .containsExactly(boxed(written.get(i).counters()));
      assertThat(record.timerNames().stream().mapToDouble(record::timer).toArray())
          .containsExactly(written.get(i).timers());
    }
  }

  private static Long[] boxed(long[] values) {
    return Arrays.stream(values).boxed().toArray(Long[]::new);
  }

  private List<String> slotNames(String format, int slots) throws IOException {
    DarshanLogWriter writer = new DarshanLogWriter(format, ByteOrder.LITTLE_ENDIAN);
    for (int slot = 0; slot < slots; slot++) {
      writer.module(slot, 1, new byte[0]);
    }
    return read(writer).modules().stream().map(DarshanModule::name).toList();
  }

  private DarshanLog read(DarshanLogWriter log) throws IOException {
    return DarshanReader.read(log.write(folder.resolve("log.darshan")));
  }
}
