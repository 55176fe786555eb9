package io.graphmeta.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.search.AttributeIndex.IndexProgress;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.lucene.Histories.Slot;
import io.graphmeta.search.lucene.Histories.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of an index on a disk: kept, locked, damaged, missing, and more than there is room for. */
final class LuceneFilesTest {
  private static final IndexDefinition NAME =
      new IndexDefinition(
          5, "file.name", ElementKind.VERTEX, 1, 1, Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
  private static final long STAMP = 100;

  @TempDir private Path directory;

  @Test
  void aMissingDirectoryIsANewIndexThatIsKeptWithItsProgress() {
    Path files = directory.resolve("a/b");
    try (LuceneIndex index = LuceneIndex.open(files)) {
      assertThat(index.committedStamp()).isZero();
      assertThat(index.committedProgress()).isEmpty();
      fill(index);
    }
    try (LuceneIndex index = LuceneIndex.open(files)) {
      assertThat(index.committedStamp()).isEqualTo(STAMP);
      assertThat(index.publishedStamp()).isEqualTo(STAMP);
      assertThat(index.committedProgress()).hasSize(2);
      IndexProgress first = progress(index, 5);
      assertThat(first.built()).isTrue();
      assertThat(first.next()).isEmpty();
      assertThat(progress(index, 6).next()).containsExactly(0, -1, 7);
      assertThat(find(index, "name 3")).containsExactly(3);
      assertThat(index.sizes().bytesOnDisk()).isPositive();
      assertThat(index.sizes().definitions()).containsExactly(5L);
    }
  }

  private static IndexProgress progress(LuceneIndex index, long definition) {
    return index.committedProgress().stream()
        .filter(each -> each.definition() == definition)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anIndexOpensOnceOnlyAndOverALockThatAProcessLeft() throws IOException {
    Path copy = directory.resolve("copy");
    Path files = directory.resolve("files");
    try (LuceneIndex index = LuceneIndex.open(files)) {
      fill(index);
      index.put(Histories.version(NAME, 1000, STAMP + 1, "not committed"));
      index.publish(STAMP + 1);
      assertCode(ErrorCode.ALREADY_OPEN, files);
      copy(files, copy);
      assertThat(find(index, "name 3")).containsExactly(3);
    }
    assertThat(copy.resolve("current/write.lock")).exists();
    try (LuceneIndex index = LuceneIndex.open(copy)) {
      assertThat(index.committedStamp()).isEqualTo(STAMP);
      assertThat(find(index, "name 3")).containsExactly(3);
      assertThat(find(index, "not committed")).isEmpty();
    }
  }

  @Test
  void damagedAndMissingFilesAreToldAtOpening() throws IOException {
    long seed = Long.getLong("graphmeta.seed", 1);
    Random random = RandomValues.random(seed);
    Path files = directory.resolve("files");
    try (LuceneIndex index = LuceneIndex.open(files)) {
      fill(index);
    }
    int damages = 0;
    for (Path file : files(files)) {
      if (file.endsWith("write.lock")) {
        continue;
      }
      for (int how = 0; how < 12; how++) {
        Path copy = directory.resolve("damaged" + damages++);
        copy(files, copy);
        Path damaged = copy.resolve(files.relativize(file));
        String what = damage(damaged, how, random);
        assertThatThrownBy(() -> LuceneIndex.open(copy).close())
            .as("seed %d: %s of %s", seed, what, damaged)
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
        LuceneIndex.discard(copy);
        try (LuceneIndex index = LuceneIndex.open(copy)) {
          assertThat(index.committedStamp()).isZero();
        }
      }
    }
    assertThat(damages).isGreaterThan(40);
  }

  private static String damage(Path file, int how, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case 0 -> Files.delete(file);
      case 1 -> Files.write(file, new byte[0]);
      case 2 -> Files.write(file, Stream.of(bytes).map(b -> half(b)).findFirst().orElseThrow());
      default -> {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
      }
    }
    return "damage " + how;
  }

  private static byte[] half(byte[] bytes) {
    return java.util.Arrays.copyOf(bytes, bytes.length / 2);
  }

  @Test
  void oneSideWithoutTheOtherIsDamage() throws IOException {
    for (String side : List.of("current", "history")) {
      Path files = directory.resolve(side);
      try (LuceneIndex index = LuceneIndex.open(files)) {
        fill(index);
      }
      LuceneIndex.discard(files.resolve(side));
      assertCode(ErrorCode.CORRUPTION, files);
    }
  }

  @Test
  void aFullDiskIsAFailureOfStorageFromThenOnAndLeavesTheLastCommit() throws IOException {
    int failed = 0;
    for (int room = 0; room < 300; room += 7) {
      FailingDirectory.Faults faults = new FailingDirectory.Faults();
      FailingDirectory current = new FailingDirectory(new ByteBuffersDirectory(), faults);
      FailingDirectory history = new FailingDirectory(new ByteBuffersDirectory(), faults);
      LuceneIndex index =
          LuceneIndex.open("The index", current, history, SerialMergeScheduler::new);
      fill(index);
      faults.failAfter(room, "No space left on device");
      GraphMetaException failure = null;
      for (long stamp = STAMP + 1; stamp < STAMP + 20 && failure == null; stamp++) {
        try {
          index.put(Histories.version(NAME, stamp, stamp, "more"));
          index.publish(stamp);
          index.commit(List.of());
        } catch (GraphMetaException e) {
          failure = e;
        }
      }
      if (failure == null) {
        fail("Room for everything");
        return;
      }
      failed++;
      assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
      assertThat(failure).hasMessageContaining("No space left on device");
      assertThatThrownBy(() -> find(index, "name 3"))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE));
      long committed = index.committedStamp();
      index.close();
      faults.failAfter(Integer.MAX_VALUE, "");
      try (LuceneIndex again =
          LuceneIndex.open("The index", current, history, SerialMergeScheduler::new)) {
        assertThat(again.committedStamp()).isGreaterThanOrEqualTo(committed);
        assertThat(find(again, "name 3")).containsExactly(3);
      }
    }
    assertThat(failed).isPositive();
  }

  @Test
  void aClosedIndexSaysSo() {
    LuceneIndex index = LuceneIndex.open(directory);
    fill(index);
    index.close();
    index.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> find(index, "a"),
            () -> index.publish(1),
            () -> index.commit(List.of()),
            () -> index.drop(1),
            index::sizes,
            index::publishedStamp)) {
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
  }

  private static void fill(LuceneIndex index) {
    Histories histories = new Histories();
    for (long vertex = 0; vertex < 20; vertex++) {
      Slot slot = new Slot(NAME, vertex, 0);
      histories.add(slot, new Statement(1 + vertex, 1 + vertex, "old name " + vertex));
      histories.add(slot, new Statement(50 + vertex, 50 + vertex, "name " + vertex));
      histories.put(slot, index);
    }
    index.publish(STAMP);
    index.commit(
        List.of(
            new IndexProgress(5, true, new byte[0]),
            new IndexProgress(6, false, new byte[] {0, -1, 7})));
  }

  private static long[] find(LuceneIndex index, String name) {
    IndexClause clause = new IndexClause.Test(NAME, new ValueTest.Compare(Comparison.EQUAL, name));
    return index.find(clause, ViewSpan.of(ReadView.at(1000)), 100).vertices();
  }

  private static void assertCode(ErrorCode code, Path files) {
    assertThatThrownBy(() -> LuceneIndex.open(files).close())
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return new ArrayList<>(files.filter(Files::isRegularFile).sorted().toList());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path target = to.resolve(from.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
  }
}
