package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.RetentionPolicy;
import io.graphmeta.archive.RetentionReport;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of which random policies drop versions, with cuts between the steps: whatever is
 * asked of any point of the two times is answered as before, or refused; at and above the watermark
 * nothing is refused. With all archives put back into a copy everything is answered as before. A
 * failure names its seed; {@code -Dgraphmeta.retention-seeds=N} runs more.
 */
@Timeout(600)
class RetentionModelTest {
  private static final int[] SHARDS = {4, 1, 2};
  private static final int POINTS = 12;
  private static final List<String> LABELS =
      List.of("label0", "label1", "label2", "label3", "read", "wrote");

  @TempDir private Path directory;

  /** Over all seeds: a test in which nothing is dropped shows nothing. */
  private long dropped;

  private long refused;

  @Test
  void whatIsAnsweredIsWhatItWas() throws Exception {
    SeedLoop.run("graphmeta.retention-seeds", 6, seed -> new World(seed).run());
    if (Long.getLong("graphmeta.seed") == null
        && Integer.getInteger("graphmeta.retention-seeds") == null) {
      assertThat(dropped).as("rows dropped").isGreaterThan(200);
      assertThat(refused).as("answers refused").isGreaterThan(100);
    }
  }

  private record Point(long valid, long known) {
    long least() {
      return Math.min(valid, known);
    }
  }

  /** The process ends here. */
  private static final class Cut extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final class World {
    private final Random random;
    private final GraphMetaConfig config;
    private final Path place;
    private final RandomWrites.Shared written = new RandomWrites.Shared();
    private final RandomWrites writes;
    private final Map<Point, Map<String, String>> answers = new LinkedHashMap<>();
    private final Set<Long> vertices = new TreeSet<>();
    private long watermark;

    World(long seed) {
      random = new Random(seed);
      writes = new RandomWrites(random.nextLong(), written);
      place = directory.resolve("seed-" + seed);
      config =
          GraphMetaConfig.inDirectory(place.resolve("original"))
              .with(Setting.SHARDS, SHARDS[(int) (seed % SHARDS.length)])
              .with(Setting.SPLIT_THRESHOLD, 4)
              .with(Setting.PAGE_BYTES, 1024)
              .with(Setting.DURABILITY, "background");
    }

    void run() throws IOException {
      for (int round = 0; round < 3; round++) {
        write(round);
        RetentionPolicy policy = policy();
        Instant now = Instant.now();
        drop(policy, now);
        compare("round " + round);
      }
      restore();
    }

    private void write(int round) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        if (round == 0 && random.nextBoolean()) {
          writes.commitOne(database);
          database.indexes().create("label1.n", Set.of(IndexKind.EXACT));
        }
        for (int commits = 60 + random.nextInt(100); commits > 0; commits--) {
          writes.commitOne(database);
          if (random.nextInt(20) == 0) {
            database.splitNow();
          }
        }
        learnVertices(database);
        for (int i = 0; i < POINTS; i++) {
          long valid = stamp();
          Point point = new Point(valid, random.nextInt(3) == 0 ? stamp() : now(database));
          Map<String, String> told = PastAnswers.of(database, vertices, point.valid, point.known);
          if (!told.containsValue(PastAnswers.REFUSED)) {
            answers.put(point, told);
          }
        }
      }
    }

    private void learnVertices(GraphDatabase database) {
      try (GraphTransaction tx = database.begin();
          var cursor = tx.scanVertices(Set.of(), tx.snapshot())) {
        for (var vertex = cursor.next(); vertex != null; vertex = cursor.next()) {
          if (answers.isEmpty()) { // the points that there are were asked about the others
            vertices.add(vertex.key());
          }
        }
      }
    }

    private long now(GraphDatabase database) {
      try (GraphTransaction tx = database.begin()) {
        return tx.snapshot().knownAt();
      }
    }

    private long stamp() {
      List<Long> stamps = written.stamps();
      return stamps.get(random.nextInt(stamps.size()));
    }

    private RetentionPolicy policy() {
      Map<String, Duration> ages = new LinkedHashMap<>();
      Instant now = Instant.now();
      if (random.nextBoolean()) {
        ages.put(RetentionPolicy.OTHERS, age(now));
      }
      for (String label : LABELS) {
        if (random.nextInt(3) == 0) {
          ages.put(label, age(now));
        }
      }
      return new RetentionPolicy(ages);
    }

    private Duration age(Instant now) {
      Duration age = Duration.between(Stamp.instant(stamp()), now);
      return age.isNegative() ? Duration.ZERO : age;
    }

    private void drop(RetentionPolicy policy, Instant now) {
      Path archives = place.resolve("archives");
      if (random.nextBoolean()) {
        int[] left = {random.nextInt(12)};
        try {
          DroppedVersions.drop(
              config,
              policy,
              now,
              archives,
              rows -> {
                if (left[0]-- == 0) {
                  throw new Cut();
                }
              });
        } catch (Cut e) {
          learnWatermark();
          compare("cut off");
        }
      }
      RetentionReport report = DroppedVersions.look(config, policy, Instant.now());
      RetentionReport done =
          DroppedVersions.drop(config, policy, Instant.now(), archives, rows -> {});
      learnWatermark();
      dropped += done.rows();
      assertThat(done.rows()).isGreaterThanOrEqualTo(report.rows());
      assertThat(watermark).isGreaterThanOrEqualTo(done.watermark());
      try (GraphDatabase database = GraphDatabases.open(config)) {
        assertThat(database.check(rows -> {}).examples()).isEmpty();
      }
    }

    private List<Archive> archives() {
      Path archives = place.resolve("archives");
      return Files.exists(archives)
          ? new ArchiveDirectory(archives, FileOperations.ON_DISK).list()
          : List.of();
    }

    private void learnWatermark() {
      archives().forEach(archive -> watermark = Math.max(watermark, archive.watermark()));
    }

    private void compare(String when) {
      boolean read = random.nextInt(3) == 0;
      try (GraphDatabase database =
          GraphDatabases.open(config.with(Setting.READ_ONLY, Boolean.toString(read)))) {
        answers.forEach(
            (point, expected) -> {
              Map<String, String> told =
                  PastAnswers.of(database, vertices, point.valid, point.known);
              expected.forEach(
                  (question, answer) -> {
                    String as = when + ": " + question + " at " + point + " of " + watermark;
                    if (!told.get(question).equals(PastAnswers.REFUSED)) {
                      assertThat(told.get(question)).as(as).isEqualTo(answer);
                    } else {
                      refused++;
                      assertThat(point.least()).as(as).isLessThan(watermark);
                    }
                  });
            });
      }
    }

    private void restore() throws IOException {
      Path copy = place.resolve("copy");
      try (Stream<Path> files = Files.walk(place.resolve("original"))) {
        files.forEach(file -> copy(file, copy.resolve(place.resolve("original").relativize(file))));
      }
      GraphMetaConfig copied = config.with(Setting.DIRECTORY, copy);
      try (GraphDatabase database = GraphDatabases.open(copied)) {
        database.splitNow();
      }
      Path archives = place.resolve("archives");
      ArchiveDirectory kept = new ArchiveDirectory(archives, FileOperations.ON_DISK);
      List<Archive> all = new ArrayList<>(archives());
      Collections.shuffle(all, random);
      for (Archive archive : all) {
        assertThat(kept.faults(archive)).isEmpty();
        try {
          DroppedVersions.restore(copied, archives, archive.name());
        } catch (GraphMetaException e) {
          // Of a run that was cut off before it dropped anything.
          assertThat(e.code()).isEqualTo(ErrorCode.MISMATCHED_SETTINGS);
        }
      }
      try (GraphDatabase database = GraphDatabases.open(copied)) {
        assertThat(database.check(rows -> {}).examples()).isEmpty();
        answers.forEach(
            (point, expected) ->
                assertThat(PastAnswers.of(database, vertices, point.valid, point.known))
                    .as("restored, at %s", point)
                    .isEqualTo(expected));
      }
    }

    private static void copy(Path from, Path to) {
      try {
        Files.copy(from, to);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
