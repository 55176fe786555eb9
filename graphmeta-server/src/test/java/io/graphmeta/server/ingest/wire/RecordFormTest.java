package io.graphmeta.server.ingest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.ProgramRun;
import io.graphmeta.server.ingest.RunTrace;
import io.graphmeta.server.ingest.darshan.Timeline;
import io.graphmeta.server.ingest.trace.TracedRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is written is read, and what is damaged is refused. */
class RecordFormTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int MUTATIONS = 1_000;
  private static final int MAX_BYTES = 1 << 20;
  private static final String HOSTILE = "/é\u0000日\ud83d\ude00\"'\n ab";

  @Test
  void records_come_back_as_they_were() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 200; round++) {
      List<LoadRecord> records = records(random);
      RecordWriter writer = new RecordWriter();
      int half = 0;
      for (int i = 0; i < records.size(); i++) {
        half = i == records.size() / 2 ? writer.sizeBytes() : half;
        writer.add(records.get(i));
      }
      List<LoadRecord> read = new ArrayList<>();
      read.addAll(readAll(writer.take(half)));
      read.addAll(readAll(writer.take(writer.sizeBytes())));
      assertThat(writer.sizeBytes()).isZero();
      assertThat(read).as("seed %d, round %d", SEED, round).isEqualTo(records);
    }
  }

  @Test
  void logs_come_back_as_they_were() throws IOException {
    List<Path> logs = DarshanIngest.logs(List.of(Path.of("src/main/sample/campaign")));
    RecordWriter writer = new RecordWriter();
    List<LoadRecord> records = new ArrayList<>();
    for (Path log : logs) {
      records.add(DarshanIngest.read(log, ProcessGranularity.RANK));
      writer.add(records.get(records.size() - 1));
    }
    assertThat(readAll(writer.take(writer.sizeBytes()))).isEqualTo(records);
  }

  @Test
  void damaged_records_are_refused_as_input() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      RecordWriter writer = new RecordWriter();
      records(random).forEach(writer::add);
      writer.add(run(random));
      byte[] batch = writer.take(writer.sizeBytes());
      byte[] plain =
          new java.util.zip.InflaterInputStream(new java.io.ByteArrayInputStream(batch))
              .readAllBytes();
      boolean inside = random.nextBoolean();
      byte[] damaged = mutated(inside ? plain : batch, random);
      try {
        readAll(inside ? deflated(damaged) : damaged);
      } catch (GraphMetaException e) {
        refused++;
        assertThat(e.code())
            .as("seed %d, mutation %d: %s", SEED, i, e.getMessage())
            .isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.LIMIT_EXCEEDED);
      }
    }
    assertThat(refused).as("seed %d", SEED).isGreaterThan(MUTATIONS / 2);
  }

  @Test
  void a_batch_inflates_to_no_more_than_it_may() throws IOException {
    byte[] bomb = deflated(new byte[64 << 20]);
    assertThat(bomb.length).isLessThan(MAX_BYTES);
    assertThatThrownBy(() -> readAll(bomb))
        .hasMessageContaining("more than 1048576 bytes")
        .extracting(e -> ((GraphMetaException) e).code())
        .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
    assertThatThrownBy(() -> readAll(deflated(new byte[] {7})))
        .hasMessageContaining("kind 7, expected 1 to 3")
        .hasMessageContaining(RecordForm.NAME);
  }

  private static List<LoadRecord> readAll(byte[] batch) {
    RecordReader reader = new RecordReader(batch, MAX_BYTES);
    List<LoadRecord> records = new ArrayList<>();
    for (LoadRecord next = reader.next(); next != null; next = reader.next()) {
      records.add(next);
    }
    return records;
  }

  private static byte[] deflated(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] mutated(byte[] bytes, SplittableRandom random) {
    byte[] result =
        java.util.Arrays.copyOf(
            bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length);
    for (int i = random.nextInt(3); i >= 0 && result.length > 0; i--) {
      result[random.nextInt(result.length)] = (byte) random.nextInt();
    }
    return result;
  }

  private static List<LoadRecord> records(SplittableRandom random) {
    List<LoadRecord> records = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      records.add(
          switch (random.nextInt(3)) {
            case 0 -> run(random);
            case 1 -> account(random);
            default -> trace(random);
          });
    }
    return records;
  }

  private static RunTrace trace(SplittableRandom random) {
    List<TracedRun.Use> uses = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      uses.add(new TracedRun.Use(text(random), text(random), use(random), random.nextBoolean()));
    }
    TracedRun.Job job =
        new TracedRun.Job(
            text(random),
            text(random),
            number(random),
            number(random),
            List.of(new TracedRun.User(text(random), text(random))));
    return new RunTrace(
        new TracedRun(
            text(random),
            text(random),
            text(random),
            number(random),
            number(random),
            random.nextBoolean() ? Optional.of(job) : Optional.empty(),
            List.of(new TracedRun.Program(text(random), List.of(text(random)))),
            uses,
            List.of(new TracedRun.Rename(text(random), text(random))),
            random.nextBoolean() ? List.of() : List.of(text(random), text(random))));
  }

  private static ProgramRun run(SplittableRandom random) {
    List<ProgramRun.Use> uses = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      uses.add(new ProgramRun.Use(number(random), text(random), use(random)));
    }
    List<ProgramRun.Rename> renames = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      renames.add(
          new ProgramRun.Rename(
              number(random),
              text(random),
              text(random),
              number(random),
              number(random),
              evidence(random)));
    }
    Map<String, String> names = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      names.put(text(random), text(random));
    }
    return new ProgramRun(
        text(random),
        text(random),
        number(random),
        number(random),
        text(random),
        text(random),
        number(random),
        number(random),
        number(random),
        random.nextBoolean(),
        number(random),
        random.nextBoolean(),
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(
                new Timeline(
                    random.nextDouble(),
                    List.of(number(random), number(random)),
                    List.of(number(random), number(random)))),
        uses,
        renames,
        names);
  }

  private static FileUse use(SplittableRandom random) {
    return new FileUse(
        random.nextBoolean(),
        number(random),
        number(random),
        number(random),
        number(random),
        number(random),
        number(random),
        evidence(random),
        random.nextBoolean(),
        text(random));
  }

  private static JobAccount account(SplittableRandom random) {
    return new JobAccount(
        text(random),
        maybe(random, text(random)),
        maybe(random, number(random)),
        maybe(random, text(random)),
        maybe(random, text(random)),
        maybe(random, text(random)),
        maybe(random, text(random)),
        maybe(random, text(random)),
        maybe(random, time(random)),
        maybe(random, time(random)),
        maybe(random, time(random)),
        maybe(random, number(random)),
        maybe(random, number(random)),
        maybe(random, text(random)),
        maybe(random, text(random)));
  }

  private static <T> @Nullable T maybe(SplittableRandom random, T value) {
    return random.nextBoolean() ? value : null;
  }

  private static Instant time(SplittableRandom random) {
    return Instant.ofEpochSecond(random.nextInt(), 1_000L * random.nextInt(1_000_000));
  }

  private static Evidence evidence(SplittableRandom random) {
    return Evidence.values()[random.nextInt(Evidence.values().length)];
  }

  private static long number(SplittableRandom random) {
    return random.nextLong() >> random.nextInt(64);
  }

  private static String text(SplittableRandom random) {
    int length = HOSTILE.codePointCount(0, HOSTILE.length());
    String end = HOSTILE.substring(HOSTILE.offsetByCodePoints(0, random.nextInt(length)));
    return random.nextInt(20) == 0 ? end.repeat(40) : end;
  }
}
