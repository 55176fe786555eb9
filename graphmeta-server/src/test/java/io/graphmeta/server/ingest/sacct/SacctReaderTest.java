package io.graphmeta.server.ingest.sacct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SacctReaderTest {
  private static final SacctOptions UTC = SacctOptions.defaults();

  @Test
  void readsTheCampaign() throws IOException {
    Path file =
        Path.of(System.getProperty("basedir", ".")).resolve("src/main/sample/campaign/sacct.txt");
    List<SacctRecord> records;
    try (SacctReader reader = SacctReader.open(file, UTC)) {
      records = readAll(reader);
    }
    List<SacctRecord> jobs = records.stream().filter(record -> !record.isStep()).toList();
    List<SacctRecord> steps = records.stream().filter(SacctRecord::isStep).toList();

    assertThat(jobs).hasSize(79);
    assertThat(steps).hasSize(78).allMatch(step -> step.id().step().equals(Optional.of("batch")));
    assertThat(counts(jobs, job -> job.user().orElseThrow()))
        .isEqualTo(Map.of("amira", 57L, "chen", 12L, "bjorn", 10L));
    assertThat(counts(jobs, job -> Long.toString(job.uid().orElseThrow())))
        .isEqualTo(Map.of("20011", 57L, "20034", 12L, "20027", 10L));
    assertThat(counts(jobs, job -> job.state().orElseThrow().name()))
        .isEqualTo(Map.of("COMPLETED", 76L, "FAILED", 1L, "TIMEOUT", 1L, "CANCELLED", 1L));
    assertThat(jobs)
        .allSatisfy(job -> assertThat(job.submitLine()).get().asString().startsWith("sbatch "));
    assertThat(steps).allSatisfy(step -> assertThat(step.submitLine()).isEmpty());

    SacctRecord mesh = jobs.get(0);
    assertThat(mesh.lineNumber()).isEqualTo(2);
    assertThat(mesh.id().jobId()).isEqualTo(184211);
    assertThat(mesh.jobName()).contains("mesh_A");
    assertThat(mesh.account()).contains("hx01");
    assertThat(mesh.partition()).contains("short");
    assertThat(mesh.submit()).contains(Instant.parse("2026-11-21T00:33:44Z"));
    assertThat(mesh.start()).contains(Instant.parse("2026-11-21T00:33:45Z"));
    assertThat(mesh.nodes()).hasValue(1);
    assertThat(mesh.tasks()).isEmpty();
    assertThat(mesh.workDir()).contains("/scratch/chen");

    SacctRecord cancelled =
        jobs.stream().filter(job -> job.id().jobId() == 184420).findFirst().orElseThrow();
    assertThat(cancelled.state().orElseThrow().cancelledByUid()).hasValue(20027);
    assertThat(cancelled.start()).isEmpty();
    assertThat(cancelled.end()).isPresent();
    SacctRecord killed =
        steps.stream().filter(step -> step.id().jobId() == 184413).findFirst().orElseThrow();
    assertThat(killed.exitCode()).contains(new SacctExitCode(0, 15));
    assertThat(killed.state()).contains(new SacctState("CANCELLED", OptionalLong.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "123, 123, , , , , 123",
    "123.batch, 123, , , , batch, 123",
    "123.extern, 123, , , , extern, 123",
    "123.0, 123, , , , 0, 123",
    "123_4, 123, 4, , , , 123_4",
    "123_4.batch, 123, 4, , , batch, 123_4",
    "'123_[1,5-10%2]', 123, , '1,5-10%2', , , '123_[1,5-10%2]'",
    "123+0, 123, , , 0, , 123+0",
    "123+1.extern, 123, , , 1, extern, 123+1",
    "123.4+1, 123, , , , 4+1, 123",
  })
  void readsEveryFormOfAnId(
      String text,
      long job,
      Integer task,
      String pending,
      Integer component,
      String step,
      String jobText)
      throws IOException {
    SacctJobId id = only("JobID\n" + text + "\n", UTC).id();

    assertThat(id.jobId()).isEqualTo(job);
    assertThat(id.arrayTask().isPresent() ? id.arrayTask().getAsInt() : null).isEqualTo(task);
    assertThat(id.pendingTasks().orElse(null)).isEqualTo(pending);
    assertThat(id.component().isPresent() ? id.component().getAsInt() : null).isEqualTo(component);
    assertThat(id.step().orElse(null)).isEqualTo(step);
    assertThat(id.isStep()).isEqualTo(step != null);
    assertThat(id.jobText()).isEqualTo(jobText);
    assertThat(id).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T00:33:44, UTC, 2026-11-21T00:33:44Z",
    "2026-11-21T00:33:44, Europe/Berlin, 2026-11-20T23:33:44Z",
    "2026-07-21T00:33:44, America/Chicago, 2026-07-21T05:33:44Z",
    "2026-11-21T00:33:44.5, UTC, 2026-11-21T00:33:44.5Z",
    "2026-11-21T00:33:44.123456789, UTC, 2026-11-21T00:33:44.123456789Z",
    "2026-11-21T00:33:44Z, Europe/Berlin, 2026-11-21T00:33:44Z",
    "2026-11-21T00:33:44+01:00, UTC, 2026-11-20T23:33:44Z",
    "2026-11-21T00:33:44.25-0600, UTC, 2026-11-21T06:33:44.25Z",
    // Occurs twice when the clocks are set back: the earlier one.
    "2026-10-25T02:30:00, Europe/Berlin, 2026-10-25T00:30:00Z",
    "Unknown, UTC, ",
    "None, UTC, ",
    "N/A, UTC, ",
    "'', UTC, ",
  })
  void readsEveryFormOfATime(String text, String zone, Instant expected) throws IOException {
    SacctRecord record = only("End|JobID\n" + text + "|1\n", UTC.withZone(ZoneId.of(zone)));

    assertThat(record.end().orElse(null)).isEqualTo(expected);
    assertThat(record.start()).isEmpty();
    assertThat(record.fields()).containsExactly(Map.entry("End", text), Map.entry("JobID", "1"));
  }

  @Test
  void columnsComeInAnyOrderAndMayBeUnknown() throws IOException {
    SacctRecord record =
        only(
            "user|STATE|MaxRSS|jobid|ExitCode|SubmitLine\r\nNone|OUT_OF_MEMORY|1K|7|0:125|sbatch a|b||c|\r\n",
            UTC);

    assertThat(record.user()).contains("None");
    assertThat(record.state().orElseThrow().name()).isEqualTo("OUT_OF_MEMORY");
    assertThat(record.exitCode()).contains(new SacctExitCode(0, 125));
    assertThat(record.submitLine()).contains("sbatch a|b||c|");
    assertThat(record.fields()).containsEntry("MaxRSS", "1K").hasSize(6);
    assertThat(record.nodes()).isEmpty();
  }

  @Test
  void goesOnBehindAMalformedLine() throws IOException {
    try (SacctReader reader = open("JobID|UID\n1|5\nx|5\n\n2|6", UTC)) {
      assertThat(reader.next().orElseThrow().uid()).hasValue(5);
      assertThatThrownBy(reader::next)
          .isInstanceOfSatisfying(
              SacctFormatException.class, e -> assertThat(e.lineNumber()).isEqualTo(3));
      assertThat(reader.next().orElseThrow().lineNumber()).isEqualTo(5);
      assertThat(reader.next()).isEmpty();
      assertThat(reader.next()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "JobID/UID; 12a/5; JobID is \"12a\"; 123_4",
        "JobID/UID; /5; JobID is empty; 123_4",
        "JobID/UID; 1/root; UID is \"root\"; whole number",
        "JobID/UID; 1; \"1\" has 1 columns; expected 2",
        "JobID/UID; 1/2/3; \"1|2|3\" has 3 columns; expected 2",
        "JobID/State; 1/done; State is \"done\"; CANCELLED by 20027",
        "JobID/ExitCode; 1/1; ExitCode is \"1\"; such as 1:0",
        "JobID/Start; 1/yesterday; Start is \"yesterday\"; 2026-11-21T00:33:44",
        "JobID/Start; 1/2026-02-30T00:00:00; Start is \"2026-02-30T00:00:00\"; 2026-11-21T00:33:44",
      })
  void aMalformedLineIsNamed(String header, String line, String found, String expected)
      throws IOException {
    String text = (header + "\n" + line + "\n").replace('/', '|');
    try (SacctReader reader = open(text, UTC)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(SacctFormatException.class)
          .hasMessageContainingAll("test.txt, line 2", found, "expected", expected);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "hello", "User|State\n1|2", "JobID|State|", "JobID|UID|jobid", "\n\n"})
  void refusesATextWithoutAHeader(String text) {
    assertThatThrownBy(() -> open(text, UTC))
        .isInstanceOf(SacctFormatException.class)
        .hasMessageContainingAll("test.txt, line 1", "expected");
  }

  @Test
  void limitsTheLengthOfALine() throws IOException {
    String text = "JobID|SubmitLine\n1|" + "a".repeat(300_000) + "\n2|" + "b".repeat(98) + "\n";
    try (SacctReader reader = open(text, UTC.withMaxLineBytes(100))) {
      assertThatThrownBy(reader::next)
          .hasMessageContainingAll("line 2", "300002 bytes", "expected at most 100");
      assertThat(reader.next().orElseThrow().submitLine().orElseThrow()).hasSize(98);
      assertThat(reader.next()).isEmpty();
    }
    try (SacctReader reader = open(text, UTC)) {
      assertThat(readAll(reader)).hasSize(2);
    }
  }

  @Test
  void refusesBytesThatAreNotUtf8() throws IOException {
    byte[] text =
        "JobID|User\n1|m\u00fcller\n2|m\u00fcller\n".getBytes(StandardCharsets.ISO_8859_1);
    try (SacctReader reader = SacctReader.open(new ByteArrayInputStream(text), "latin", UTC)) {
      assertThatThrownBy(reader::next).hasMessageContainingAll("latin, line 2", "UTF-8");
      assertThatThrownBy(reader::next).hasMessageContaining("line 3");
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void readsFarMoreThanItHolds() throws IOException {
    int lines = 50_000;
    byte[] line = ("42.batch|" + "x".repeat(991) + "\n").getBytes(StandardCharsets.US_ASCII);
    InputStream endless =
        new InputStream() {
          private final byte[] header = "JobID|Comment\n".getBytes(StandardCharsets.US_ASCII);
          private long position;

          @Override
          public int read() {
            long at = position++;
            if (at < header.length) {
              return header[(int) at];
            }
            at -= header.length;
            return at >= (long) lines * line.length ? -1 : line[(int) (at % line.length)];
          }
        };
    long count = 0;
    try (SacctReader reader = SacctReader.open(endless, "stream", UTC)) {
      while (reader.next().isPresent()) {
        count++;
      }
    }
    assertThat(count).isEqualTo(lines);
  }

  @Test
  void randomTextIsRecordsOrAFormatException() throws IOException {
    long firstSeed = Long.getLong("graphmeta.seed", 20261121);
    String valid =
        "JobID|State|Start|UID|SubmitLine\n123_4.batch|CANCELLED by 7|2026-11-21T00:33:44|5|sbatch x\n";
    for (long seed = firstSeed; seed < firstSeed + 20_000; seed++) {
      Random random = new Random(seed);
      byte[] text = valid.repeat(2).getBytes(StandardCharsets.UTF_8);
      for (int i = random.nextInt(6); i >= 0; i--) {
        text[random.nextInt(text.length)] =
            random.nextBoolean()
                ? (byte) "|\n_[]+.:%-9 \r".charAt(random.nextInt(13))
                : (byte) random.nextInt(256);
      }
      try (SacctReader reader = SacctReader.open(new ByteArrayInputStream(text), "random", UTC)) {
        boolean more = true;
        while (more) {
          try {
            more = reader.next().isPresent();
          } catch (SacctFormatException e) {
            assertThat(e.getMessage())
                .as("seed %d", seed)
                .matches("(?s)sacct text random, line \\d+: .*expected.*");
          }
        }
      } catch (SacctFormatException e) {
        assertThat(e.lineNumber()).as("seed %d", seed).isEqualTo(1);
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
  }

  private static Map<String, Long> counts(
      List<SacctRecord> records, Function<SacctRecord, String> key) {
    return records.stream().collect(Collectors.groupingBy(key, Collectors.counting()));
  }

  private static SacctRecord only(String text, SacctOptions options) throws IOException {
    try (SacctReader reader = open(text, options)) {
      List<SacctRecord> records = readAll(reader);
      assertThat(records).hasSize(1);
      return records.get(0);
    }
  }

  private static List<SacctRecord> readAll(SacctReader reader) throws IOException {
    List<SacctRecord> records = new ArrayList<>();
    for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
      records.add(next.get());
    }
    return records;
  }

  private static SacctReader open(String text, SacctOptions options) throws IOException {
    return SacctReader.open(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.txt", options);
  }
}
