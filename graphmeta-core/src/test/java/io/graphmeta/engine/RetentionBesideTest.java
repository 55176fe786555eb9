package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.RetentionPolicy;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.backup.KilledOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.node.RetentionRun;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention beside who else has the database. */
class RetentionBesideTest {
  private static final RetentionPolicy NOTHING_OLD =
      new RetentionPolicy(Map.of(RetentionPolicy.OTHERS, Duration.ZERO));

  @TempDir private Path directory;
  private GraphMetaConfig config;
  private Path archives;
  private long vertex;
  private long first;
  private long second;

  @BeforeEach
  void write() {
    config = GraphMetaConfig.inDirectory(directory.resolve("graph")).with(Setting.SHARDS, 2);
    archives = directory.resolve("archives");
    try (GraphDatabase database = GraphDatabases.open(config)) {
      write(database, 0);
      first = write(database, 1);
      second = write(database, 2);
    }
  }

  private long write(GraphDatabase database, int size) {
    try (GraphTransaction tx = database.begin()) {
      if (vertex == 0) {
        vertex = tx.addVertex("v1", "label1", Map.of("n", 0), Stamp.AT_COMMIT);
      }
      tx.setVertexProperty(
          vertex, "size", size, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      return tx.commit();
    }
  }

  private void drop() {
    DroppedVersions.drop(config, NOTHING_OLD, Instant.now(), archives, rows -> {});
  }

  private static ErrorCode refusal(Runnable action) {
    try {
      action.run();
      return null;
    } catch (GraphMetaException e) {
      return e.code();
    }
  }

  @Test
  void whoHasOpenedTheDirectoryToReadGoesOnWithWhatWasThere() {
    try (GraphDatabase reader = GraphDatabases.open(config.with(Setting.READ_ONLY, "true"))) {
      drop();
      Map<String, String> past = PastAnswers.of(reader, List.of(vertex), first, first);
      assertThat(past.values()).doesNotContain(PastAnswers.REFUSED);
      assertThat(past.get("vertices by key")).contains("size#0=1");
    }
    try (GraphDatabase reader = GraphDatabases.open(config.with(Setting.READ_ONLY, "true"))) {
      Map<String, String> past = PastAnswers.of(reader, List.of(vertex), first, first);
      for (String question : PastAnswers.OF_ALL_LABELS) {
        assertThat(past).containsEntry(question, PastAnswers.REFUSED);
      }
      assertThat(PastAnswers.of(reader, List.of(vertex), Stamp.MAX, second).get("vertices by key"))
          .as("known at a stamp below the horizon")
          .isEqualTo(PastAnswers.REFUSED);
    }
  }

  @Test
  void whileTheDatabaseIsOpenToWriteNothingIsDropped() {
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(refusal(this::drop)).isEqualTo(ErrorCode.ALREADY_OPEN);
      assertThat(archives).doesNotExist();
      database.backup(
          directory.resolve("backups"),
          bytes -> assertThat(refusal(this::drop)).isEqualTo(ErrorCode.ALREADY_OPEN));
      assertThat(PastAnswers.of(database, List.of(vertex), first, first).values())
          .doesNotContain(PastAnswers.REFUSED);
    }
  }

  @Test
  void writesForATimeOfWhichNothingIsKnownAreRefused() {
    drop();
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphTransaction tx = database.begin()) {
      assertThatThrownBy(
              () -> {
                tx.addVertex("v2", "label1", Map.of(), first);
                tx.commit();
              })
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.BELOW_WATERMARK));
    }
  }

  @Test
  void aRunThatIsKilledWhileItArchivesDropsNothing() {
    int killed = 0;
    for (long last = 1; last <= killed + 1; last++) {
      KilledOperations operations = new KilledOperations(last);
      try {
        RetentionRun.run(config, NOTHING_OLD, Instant.now(), archives, operations, rows -> {});
      } catch (KilledOperations.Killed e) {
        killed++;
        try (GraphDatabase database = GraphDatabases.open(config)) {
          assertThat(PastAnswers.of(database, List.of(vertex), first, first).values())
              .doesNotContain(PastAnswers.REFUSED);
        }
      }
    }
    assertThat(killed).as("operations of an archive").isGreaterThan(4);
    assertThat(new ArchiveDirectory(archives, FileOperations.ON_DISK).list()).isNotEmpty();
  }

  @Test
  void anArchiveOfAnotherDatabaseIsNotRestored() {
    drop();
    String name = new ArchiveDirectory(archives, FileOperations.ON_DISK).list().get(0).name();
    GraphMetaConfig other = config.with(Setting.DIRECTORY, directory.resolve("other"));
    GraphDatabases.open(other).close();
    assertThat(refusal(() -> DroppedVersions.restore(other, archives, name)))
        .isEqualTo(ErrorCode.MISMATCHED_SETTINGS);
  }
}
