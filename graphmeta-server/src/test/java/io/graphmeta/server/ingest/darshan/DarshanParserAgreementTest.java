package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
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
    return tests("streams.tsv.gz", Fixtures.resource("streams"), StreamLogs.all().size());
  }

  /**
   * Logs that the Darshan project keeps for its own tests, of Intrepid, Vesta, Mira and clusters,
   * and what darshan-convert made of those of Darshan 1.
   */
  @TestFactory
  Stream<DynamicTest> agreesOnRealLogs() throws IOException {
    return tests("streams-real.tsv.gz", Fixtures.realStreamLogs(), 48);
  }

  @Test
  void theSyntheticLogsAreThoseOfTheWriter() throws IOException {
    for (var log : StreamLogs.all().entrySet()) {
      Path kept = Fixtures.resource("streams").resolve(log.getKey());
      assertThat(DarshanReader.read(kept).job().start())
          .isEqualTo(Instant.ofEpochSecond(1_300_000_000));
    }
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
            job.metadata().getOrDefault("prev_ver", log.header().formatVersion()),
            job.uid(),
            job.metadata().getOrDefault("prev_ver", "2").startsWith("1.") ? 0 : job.jobId(),
            job.processes(),
            job.start().getEpochSecond(),
            job.end().map(Instant::getEpochSecond).orElse(0L),
            job.commandLine()));
    job.metadata().forEach((key, value) -> lines.add(line("K", key, value)));
    job.mounts().stream()
        .sorted(Comparator.comparing(Mount::type).thenComparing(Mount::path))
        .forEach(mount -> lines.add(line("M", mount.type(), mount.path())));
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
      throw new IllegalStateException(e);
    }
  }
}
