package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.backup.KilledOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.RestoredDatabase;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restore that is killed or refused leaves nothing under the name of the new database. */
class RestoreKilledTest {
  @TempDir private Path directory;

  private GraphMetaConfig original() {
    return GraphMetaConfig.inDirectory(directory.resolve("original")).with(Setting.SHARDS, 2);
  }

  private Path backups() {
    return directory.resolve("backups");
  }

  private Path restored() {
    return directory.resolve("restored");
  }

  private long backUp() {
    try (GraphDatabase database = GraphDatabases.open(original())) {
      RandomWrites writes = new RandomWrites(1, new RandomWrites.Shared());
      for (int i = 0; i < 50; i++) {
        writes.commitOne(database);
      }
      database.backup(backups(), bytes -> {});
      return vertices(database);
    }
  }

  private static long vertices(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      return tx.countVertices(Set.of(), tx.snapshot());
    }
  }

  private void restore(FileOperations operations) {
    RestoredDatabase.restore(
        new BackupReader(backups(), operations), null, restored(), null, operations, bytes -> {});
  }

  private long verticesRestored() {
    GraphMetaConfig config = original().with(Setting.DIRECTORY, restored());
    try (GraphDatabase database = GraphDatabases.open(config.with(Setting.CREATE, "false"))) {
      assertThat(database.check(rows -> {}).examples()).isEmpty();
      return vertices(database);
    }
  }

  @Test
  void nothingIsThereUntilAllIs() throws IOException {
    long vertices = backUp();
    for (int operation = 1; ; operation++) {
      KilledOperations operations = new KilledOperations(operation);
      try {
        restore(operations);
      } catch (KilledOperations.Killed e) {
        // and nothing cleans up
      }
      if (Files.exists(restored())) {
        assertThat(verticesRestored()).isEqualTo(vertices);
        delete(restored());
      }
      if (!operations.isKilled()) {
        break;
      }
    }
    restore(FileOperations.ON_DISK);
    assertThat(verticesRestored()).isEqualTo(vertices);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("original", "backups", "restored");
    }
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** Of each kind of file one is damaged: tables, logs, lists of files and the manifest. */
  @Test
  void aFlippedByteOfAnyFileIsRefusedByItsName() throws IOException {
    backUp();
    List<Path> files;
    try (Stream<Path> all = Files.walk(backups())) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.startsWith(backups().resolve("incoming")))
              .filter(file -> !file.getParent().equals(backups()))
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(8);
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      if (content.length == 0) {
        continue;
      }
      content[content.length / 2] ^= 4;
      Files.write(file, content);
      assertThatThrownBy(() -> restore(FileOperations.ON_DISK))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
                assertThat(e).hasMessageContaining(file.toString());
              });
      assertThat(restored()).doesNotExist();
      content[content.length / 2] ^= 4;
      Files.write(file, content);
    }
    restore(FileOperations.ON_DISK);
  }

  @Test
  void restoresIntoNothingElse() throws IOException {
    backUp();
    Files.createDirectory(restored());
    Files.writeString(restored().resolve("letter.txt"), "Dear Amira");
    assertThatThrownBy(() -> restore(FileOperations.ON_DISK))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_A_DATABASE));
    Files.delete(restored().resolve("letter.txt"));
    restore(FileOperations.ON_DISK);
    verticesRestored();
  }
}
