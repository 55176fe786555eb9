package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The reader against pydarshan 3.5.0, the reference: {@code
 * src/test/python/darshan_expectations.py} wrote what that one reads, in a form documented there;
 * here the same lines are made from what our reader returns. Every counter of every record takes
 * part, through a digest.
 *
 * <p>Where pydarshan differs, checked by hand against the bytes of the logs:
 *
 * <ul>
 *   <li>It gives some timers of POSIX records before version 4 as 0 or with their bytes in the
 *       wrong order, and no command line where there are no mounts; the script tells more, and
 *       undoes it or leaves it out.
 *   <li>It leaves out POSIX records of version 1 whose stream counters aren't 0, and these counters
 *       of the others; ours keeps them ({@link FileRecordTest}). They are 0 in the synthetic logs
 *       here.
 *   <li>It reads the partial flags of big-endian logs in the wrong byte order. The synthetic logs
 *       here have none.
 *   <li>It can't read bzip2 as PyPI builds it; see {@link SyntheticLogTest}.
 * </ul>
 */
class PydarshanAgreementTest {
  private static final Set<String> VERSION_1_COUNTERS =
      Set.of("POSIX_FOPENS", "POSIX_FREADS", "POSIX_FWRITES", "POSIX_FSEEKS");

  private static final Set<String> LOST_TIMERS =
      Set.of(
          "POSIX_F_FASTEST_RANK_TIME",
          "POSIX_F_SLOWEST_RANK_TIME",
          "POSIX_F_VARIANCE_RANK_TIME",
          "POSIX_F_VARIANCE_RANK_BYTES");

  @TestFactory
  Stream<DynamicTest> agreesOnTheCampaign() throws IOException {
    return tests("campaign.tsv.gz", Fixtures.campaign(), 233);
  }

  @TestFactory
  Stream<DynamicTest> agreesOnSyntheticLogs() throws IOException {
    return tests("synthetic.tsv.gz", Fixtures.resource("synthetic"), 14);
  }

  @TestFactory
  Stream<DynamicTest> agreesOnLogsOfOtherCentres() throws IOException {
    return tests("shared.tsv.gz", Fixtures.sharedLogs(), 36);
  }

  @Test
  void eachLogOfTheProjectHasItsExpectation() throws IOException {
    assertThat(Fixtures.logsBelow(Fixtures.campaign())).hasSize(233);
    assertThat(Fixtures.logsBelow(Fixtures.resource("synthetic"))).hasSize(14);
  }

  /** The values stand in the last bytes of the module's region, after Python's zlib. */
  @Test
  void readsTheTimersThatPydarshanLoses() throws IOException {
    DarshanLog log =
        DarshanReader.read(Fixtures.sharedLogs().resolve("anl/example_logs/example.darshan"));
    FileRecord shared = log.files().stream().filter(FileRecord::isShared).findFirst().orElseThrow();

    assertThat(FileRecord.formatId(shared.recordId())).isEqualTo("6301063301082038805");
    assertThat(shared.timer("POSIX_F_VARIANCE_RANK_TIME")).isEqualTo(95.43424269349315);
    assertThat(shared.timer("POSIX_F_VARIANCE_RANK_BYTES")).isEqualTo(701.6630859375);
  }

  private static Stream<DynamicTest> tests(String expectations, Path folder, int logCount)
      throws IOException {
    List<List<String>> logs = expectedLogs(Fixtures.resource(expectations));
    assertThat(logs).hasSize(logCount);
    return logs.stream()
        .map(
            expected -> {
              String name = expected.get(0).split("\t", -1)[1];
              return dynamicTest(
                  name,
                  () ->
                      assertThat(describe(folder, folder.resolve(name)))
                          .containsExactlyElementsOf(expected));
            });
  }

  /** The lines of each log. */
  private static List<List<String>> expectedLogs(Path file) throws IOException {
    List<List<String>> logs = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("L\t")) {
          logs.add(new ArrayList<>());
        }
        logs.get(logs.size() - 1).add(line);
      }
    }
    return logs;
  }

  private static List<String> describe(Path folder, Path path) throws IOException {
    DarshanLog log = DarshanReader.read(path);
    DarshanJob job = log.job();
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "L",
            folder.relativize(path).toString().replace('\\', '/'),
            sha256(Files.readAllBytes(path)),
            log.header().formatVersion(),
            job.uid(),
            job.jobId(),
            job.processes(),
            job.start().getEpochSecond(),
            job.start().getNano(),
            job.end().map(end -> end.getEpochSecond()).orElse(0L),
            job.end().map(end -> end.getNano()).orElse(0),
            job.commandLine()));
    job.metadata().forEach((key, value) -> lines.add(line("K", key, value)));
    job.mounts().stream()
        .sorted(Comparator.comparing(Mount::type).thenComparing(Mount::path))
        .forEach(mount -> lines.add(line("M", mount.type(), mount.path())));
    for (DarshanModule module : log.modules()) {
      lines.add(
          line(
              "D",
              module.name(),
              module.version(),
              module.compressedBytes(),
              module.partial() ? 1 : 0));
    }
    lines.add(
        line("N", log.names().size(), sha256(namesText(log).getBytes(StandardCharsets.UTF_8))));
    for (FileRecord record : log.files()) {
      lines.add(
          line(
              "R",
              record.module(),
              FileRecord.formatId(record.recordId()),
              record.rank(),
              record.path().orElse(""),
              record.reads(),
              record.writes(),
              record.bytesRead(),
              record.bytesWritten(),
              digest(record, log.modules())));
    }
    return lines;
  }

  private static String namesText(DarshanLog log) {
    StringBuilder text = new StringBuilder();
    log.names().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Long::compareUnsigned))
        .forEach(
            name ->
                text.append(FileRecord.formatId(name.getKey()))
                    .append('\t')
                    .append(name.getValue())
                    .append('\n'));
    return text.toString();
  }

  private static String digest(FileRecord record, List<DarshanModule> modules) {
    boolean loses =
        modules.stream()
            .anyMatch(m -> m.name().equals("POSIX") && (m.version() == 2 || m.version() == 3));
    StringBuilder text = new StringBuilder();
    for (String name : record.counterNames()) {
      if (VERSION_1_COUNTERS.contains(name)) {
        continue;
      }
      text.append(name).append('=').append(record.counter(name)).append('\n');
    }
    for (String name : record.timerNames()) {
      if (loses && LOST_TIMERS.contains(name)) {
        continue;
      }
      long bits = Double.doubleToRawLongBits(record.timer(name));
      text.append(name).append('=').append(HexFormat.of().toHexDigits(bits)).append('\n');
    }
    return sha256(text.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 16);
  }

  private static String line(String kind, Object... fields) {
    StringBuilder line = new StringBuilder(kind);
    for (Object field : fields) {
      line.append('\t')
          .append(field.toString().replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
    }
    return line.toString();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
