package io.graphmeta.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who read and wrote most, in random graphs, against sums over a list of all accesses. */
class TrafficTest {
  private static final long START = micros(Instant.parse("2026-01-01T00:00:00Z"));
  private static final int SECONDS = 200;

  private record Job(String id, int user, int project) {}

  private record Program(String id, Job job, int executable, int start, @Nullable Integer end) {}

  private record Access(
      Program program, String file, boolean wrote, long micros, long bytes, long operations) {}

  private final List<Access> accesses = new ArrayList<>();
  private final Map<String, Long> keys = new HashMap<>();

  @Test
  void sumsOverRandomGraphsAreThoseOfAllTheirAccesses() {
    long first = Long.getLong("graphmeta.first-seed", System.nanoTime());
    int rows = 0;
    for (int i = 0; i < Integer.getInteger("graphmeta.sequences", 40); i++) {
      long seed = first + i;
      try (GraphDatabase database =
          GraphDatabases.open(
              GraphMetaConfig.inMemory().with(Setting.SHARDS, i % 2 == 0 ? 1 : 4))) {
        rows += compare(database, new Random(seed), seed);
      }
    }
    assertThat(rows).isGreaterThan(100);
  }

  private int compare(GraphDatabase database, Random random, long seed) {
    accesses.clear();
    keys.clear();
    int rows = 0;
    try (GraphTransaction tx = database.begin()) {
      fill(tx, random);
      tx.commit();
    }
    try (GraphTransaction tx = database.begin()) {
      for (int question = 0; question < 30; question++) {
        Traffic.By by = Traffic.By.values()[random.nextInt(4)];
        Traffic.Order order = Traffic.Order.values()[random.nextInt(7)];
        long from = random.nextBoolean() ? 0 : moment(random);
        long to = random.nextBoolean() ? Long.MAX_VALUE : moment(random);
        int limit = random.nextBoolean() ? 1 + random.nextInt(5) : 1_000;
        int asOf = random.nextInt(2 * SECONDS);
        ReadView view =
            asOf >= SECONDS
                ? tx.snapshot()
                : new ReadView(
                    Stamp.endOfMicros(START + asOf * 1_000_000L), tx.snapshot().knownAt());
        List<Traffic> found =
            new Provenance(tx, view, LineageLimits.DEFAULT).traffic(by, order, from, to, limit);
        List<Traffic> all = expected(by, from, Math.min(to, Stamp.micros(view.validAt())));
        String as = "seed " + seed + ", by " + by + " " + from + " " + to + " " + view;
        all.sort(
            Comparator.<Traffic>comparingLong(row -> row.measure(order))
                .reversed()
                .thenComparing(Traffic::id));
        assertThat(found).as(as).hasSize(Math.min(limit, all.size()));
        if (limit >= all.size()) {
          assertThat(found).as(as).isEqualTo(all);
        } else {
          // Which of those equal to the last one is in the answer is open.
          assertThat(found).as(as).isSubsetOf(all);
          assertThat(found)
              .as(as)
              .extracting(row -> row.measure(order))
              .isEqualTo(all.subList(0, limit).stream().map(row -> row.measure(order)).toList());
        }
        rows += found.size();
      }
    }
    return rows;
  }

  /** That of an access, where off by one would show, or any. */
  private long moment(Random random) {
    return accesses.isEmpty() || random.nextBoolean()
        ? START + random.nextInt(SECONDS) * 1_000_000L
        : accesses.get(random.nextInt(accesses.size())).micros();
  }

  private void fill(GraphTransaction tx, Random random) {
    vertices(tx, "user", Vocabulary.USER, 3);
    vertices(tx, "exe", Vocabulary.EXECUTABLE, 3);
    vertices(tx, "/f", Vocabulary.FILE, 12);
    for (int j = 0; j < 1 + random.nextInt(8); j++) {
      Job job = new Job("job:" + j, random.nextInt(4) - 1, random.nextInt(4) - 1);
      Map<String, Object> properties =
          job.project() < 0 ? Map.of() : Map.of(Vocabulary.ACCOUNT, "p" + job.project());
      keys.put(job.id(), tx.addVertex(job.id(), Vocabulary.JOB, properties, stamp(0)));
      if (job.user() >= 0) {
        edge(tx, "user" + job.user(), Vocabulary.RAN, job.id(), 0);
      }
      for (int p = 0; p < random.nextInt(4); p++) {
        fill(tx, random, job, p);
      }
    }
  }

  private void fill(GraphTransaction tx, Random random, Job job, int number) {
    int start = random.nextInt(SECONDS - 10);
    Integer end = random.nextInt(4) == 0 ? null : start + random.nextInt(10);
    Program program = new Program(job.id() + "/" + number, job, random.nextInt(4) - 1, start, end);
    process(tx, program.id(), program);
    edge(tx, job.id(), Vocabulary.CONTAINS, program.id(), start);
    if (program.executable() >= 0) {
      edge(tx, program.id(), Vocabulary.EXE, "exe" + program.executable(), start);
    }
    int ranks = random.nextInt(3);
    for (int rank = 0; rank < ranks; rank++) {
      process(tx, program.id() + "/" + rank, program);
      edge(tx, program.id(), Vocabulary.CONTAINS, program.id() + "/" + rank, start);
    }
    for (int a = 0; a < random.nextInt(12); a++) {
      int rank = random.nextInt(ranks + 1) - 1;
      String process = rank < 0 ? program.id() : program.id() + "/" + rank;
      boolean wrote = random.nextBoolean();
      int length = end == null ? 10 : end - start;
      // Recorded times are up to 20 ms late.
      long micros =
          START
              + start * 1_000_000L
              + random.nextInt(length + 1) * 1_000_000L
              + random.nextInt(20_000);
      String file = "/f" + random.nextInt(12);
      long bytes = random.nextInt(3) == 0 ? 0 : random.nextInt(1_000);
      Map<String, Object> properties = new LinkedHashMap<>();
      if (bytes > 0) {
        properties.put(Vocabulary.BYTES, bytes);
        properties.put(Vocabulary.OPERATIONS, bytes / 10);
      }
      tx.addEdge(
          null,
          keys.get(process),
          wrote ? Vocabulary.WROTE : Vocabulary.READ,
          keys.get(file),
          properties,
          Stamp.startOfMicros(micros));
      accesses.add(new Access(program, file, wrote, micros, bytes, bytes / 10));
    }
  }

  private void process(GraphTransaction tx, String id, Program program) {
    long key = tx.addVertex(id, Vocabulary.PROCESS, Map.of(), stamp(program.start()));
    keys.put(id, key);
    if (program.end() != null) {
      tx.setVertexProperty(
          key,
          Vocabulary.END,
          OffsetDateTime.ofInstant(
              Instant.EPOCH.plus(START + program.end() * 1_000_000L, ChronoUnit.MICROS),
              ZoneOffset.UTC),
          Cardinality.SINGLE,
          Map.of(),
          null,
          stamp(program.end()));
    }
  }

  private void vertices(GraphTransaction tx, String prefix, String label, int count) {
    for (int i = 0; i < count; i++) {
      Map<String, Object> name = i == 0 ? Map.of() : Map.of(Vocabulary.NAME, "named " + i);
      keys.put(prefix + i, tx.addVertex(prefix + i, label, name, stamp(0)));
    }
  }

  private void edge(GraphTransaction tx, String out, String label, String in, int second) {
    tx.addEdge(null, keys.get(out), label, keys.get(in), Map.of(), stamp(second));
  }

  private List<Traffic> expected(Traffic.By by, long from, long to) {
    Map<String, List<Access>> groups = new HashMap<>();
    for (Access access : accesses) {
      if (access.micros() >= from && access.micros() <= to) {
        groups.computeIfAbsent(group(by, access), key -> new ArrayList<>()).add(access);
      }
    }
    List<Traffic> rows = new ArrayList<>();
    groups.forEach((id, group) -> rows.add(sum(by, id, group)));
    return rows;
  }

  private static String group(Traffic.By by, Access access) {
    Program program = access.program();
    return switch (by) {
      case USER -> program.job().user() < 0 ? "" : "user" + program.job().user();
      case PROJECT -> program.job().project() < 0 ? "" : "p" + program.job().project();
      case EXECUTABLE -> program.executable() < 0 ? "" : "exe" + program.executable();
      case FILE -> access.file();
    };
  }

  private static Traffic sum(Traffic.By by, String id, List<Access> group) {
    Set<String> files = new HashSet<>();
    Set<String> programs = new HashSet<>();
    Set<String> jobs = new HashSet<>();
    long read = 0;
    long written = 0;
    long operations = 0;
    for (Access access : group) {
      files.add(access.file());
      programs.add(access.program().id());
      jobs.add(access.program().job().id());
      read += access.wrote() ? 0 : access.bytes();
      written += access.wrote() ? access.bytes() : 0;
      operations += access.operations();
    }
    boolean named = by != Traffic.By.PROJECT && !id.isEmpty() && !id.matches("\\D+0");
    String name = named ? "named " + id.replaceAll("\\D", "") : id;
    return new Traffic(
        id, name, read, written, operations, files.size(), programs.size(), jobs.size());
  }

  private static long stamp(int second) {
    return Stamp.startOfMicros(START + second * 1_000_000L);
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
