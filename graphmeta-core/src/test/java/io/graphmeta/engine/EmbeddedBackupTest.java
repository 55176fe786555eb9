package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of an open database beside what else is done with it. */
class EmbeddedBackupTest {
  @TempDir private Path directory;

  private GraphMetaConfig config() {
    return GraphMetaConfig.inDirectory(directory.resolve("original")).with(Setting.SHARDS, 2);
  }

  private Path target(String name) {
    return directory.resolve(name);
  }

  private static ErrorCode refusal(Runnable action) {
    try {
      CompletableFuture.runAsync(action).join(); // by another thread
      return null;
    } catch (CompletionException e) {
      return ((GraphMetaException) e.getCause()).code();
    }
  }

  @Test
  void oneBackupIsTakenAtATime() {
    AtomicReference<ErrorCode> other = new AtomicReference<>();
    try (GraphDatabase database = GraphDatabases.open(config())) {
      database.backup(
          target("backups"),
          bytes -> other.set(refusal(() -> database.backup(target("others"), b -> {}))));
      assertThat(other).hasValue(ErrorCode.ALREADY_OPEN);
      assertThat(target("others")).doesNotExist();
      database.backup(target("others"), bytes -> {});
    }
    assertThat(directory.resolve("original/checkpoints")).doesNotExist();
  }

  @Test
  void aDatabaseIsClosedWithoutWaitingForItsBackup() {
    GraphDatabase database = GraphDatabases.open(config());
    AtomicReference<CompletableFuture<Void>> closing = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                database.backup(
                    target("backups"),
                    bytes -> {
                      if (closing.get() == null) {
                        closing.set(CompletableFuture.runAsync(database::close));
                      }
                      pause();
                    }))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    closing.get().join();
    try (GraphDatabase again = GraphDatabases.open(config())) {
      assertThat(again.backup(target("backups"), bytes -> {}).files()).isPositive();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatAKilledBackupHasLeftGoesWhenTheDatabaseIsOpened() throws IOException {
    GraphDatabases.open(config()).close();
    Path left = directory.resolve("original/checkpoints/shard-0");
    Files.createDirectories(left);
    Files.writeString(left.resolve("000001.sst"), "rows");
    GraphDatabases.open(config()).close();
    assertThat(directory.resolve("original/checkpoints")).doesNotExist();
  }

  @Test
  void whatHasNoFilesToWriteIsRefused() {
    try (GraphDatabase inMemory = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      assertThat(refusal(() -> inMemory.backup(target("backups"), bytes -> {})))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
    GraphDatabases.open(config()).close();
    try (GraphDatabase read = GraphDatabases.open(config().with(Setting.READ_ONLY, "true"))) {
      assertThat(refusal(() -> read.backup(target("backups"), bytes -> {})))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(target("backups")).doesNotExist();
  }
}
