package io.graphmeta.server.ingest.darshan;

import static io.graphmeta.server.ingest.darshan.ExpectedLogs.line;
import static io.graphmeta.server.ingest.darshan.ExpectedLogs.sha256;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The reader of format 2 against darshan-parser 2.3.1, the reference: {@code
 * src/test/python/darshan2_expectations.py} wrote what that one reads, in a form documented there;
 * here the same lines are made from what our reader returns. Every counter of every record takes
 * part, through a digest. The job id of logs of Darshan 1 stands in their name only, which
 * darshan-parser doesn't look at.
 */
class DarshanParserAgreementTest {
  private static final int FIRST_RECORDS = 20;

  @TestFactory
  Stream<DynamicTest> agreesOnSyntheticLogs() throws IOException {
    return ExpectedLogs.tests(
        "streams.tsv.gz",
        Fixtures.resource("streams"),
        StreamLogs.all().size(),
        DarshanParserAgreementTest::describe);
  }

  /**
   * Logs that the Darshan project keeps for its own tests, of Intrepid, Vesta, Mira and clusters,
   * and what darshan-convert made of those of Darshan 1.
   */
  @TestFactory
  Stream<DynamicTest> agreesOnRealLogs() throws IOException {
    return ExpectedLogs.tests(
        "streams-real.tsv.gz", Fixtures.realStreamLogs(), 48, DarshanParserAgreementTest::describe);
  }

  @Test
  void theSyntheticLogsAreThoseOfTheWriter() throws IOException {
    for (var log : StreamLogs.all().entrySet()) {
      Path kept = Fixtures.resource("streams").resolve(log.getKey());
      assertThat(DarshanReader.read(kept).job().start())
          .isEqualTo(Instant.ofEpochSecond(1_300_000_000));
    }
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
            job.metadata().getOrDefault("prev_ver", log.header().formatVersion()),
            job.uid(),
            job.metadata().getOrDefault("prev_ver", "2").startsWith("1.") ? 0 : job.jobId(),
            job.processes(),
            job.start().getEpochSecond(),
            job.end().map(Instant::getEpochSecond).orElse(0L),
            job.commandLine()));
    ExpectedLogs.describe(job, lines);
    List<String> records = log.files().stream().map(DarshanParserAgreementTest::describe).toList();
    lines.addAll(records.subList(0, Math.min(FIRST_RECORDS, records.size())));
    String all = records.isEmpty() ? "" : String.join("\n", records) + "\n";
    lines.add(line("S", records.size(), sha256(all.getBytes(StandardCharsets.UTF_8))));
    return lines;
  }

  private static String describe(FileRecord record) {
    StringBuilder text = new StringBuilder();
    for (String name : record.counterNames()) {
      text.append(name).append('=').append(record.counter(name)).append('\n');
    }
    for (String name : record.timerNames()) {
      BigDecimal value = new BigDecimal(record.timer(name)).setScale(6, RoundingMode.HALF_EVEN);
      text.append(name).append('=').append(value.toPlainString()).append('\n');
    }
    return line(
        "R",
        FileRecord.formatId(record.recordId()),
        record.rank(),
        record.path().or(record::pathEnd).orElse(""),
        sha256(text.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 16));
  }
}
