package io.graphmeta.server.ingest.darshan;

import static io.graphmeta.server.ingest.darshan.ExpectedLogs.line;
import static io.graphmeta.server.ingest.darshan.ExpectedLogs.sha256;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
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
    return ExpectedLogs.tests(
        "campaign.tsv.gz", Fixtures.campaign(), 233, PydarshanAgreementTest::describe);
  }

  @TestFactory
  Stream<DynamicTest> agreesOnSyntheticLogs() throws IOException {
    return ExpectedLogs.tests(
        "synthetic.tsv.gz", Fixtures.resource("synthetic"), 14, PydarshanAgreementTest::describe);
  }

  @TestFactory
  Stream<DynamicTest> agreesOnLogsOfOtherCentres() throws IOException {
    return ExpectedLogs.tests(
        "shared.tsv.gz", Fixtures.sharedLogs(), 36, PydarshanAgreementTest::describe);
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
    ExpectedLogs.describe(job, lines);
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
}
