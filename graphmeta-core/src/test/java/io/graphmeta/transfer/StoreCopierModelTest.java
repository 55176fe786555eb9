package io.graphmeta.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stores that are copied over a connection with every fault, by processes that end at random and
 * leave what a loss of power leaves. What has its name in the directory is always what the store
 * had under that name; what a copier says to be done is one checkpoint, and nothing else.
 */
class StoreCopierModelTest {
  private static final int[] FAULTS = {0, 200, 40, 12};

  @TempDir private Path directory;

  @Test
  void whatIsCopiedIsACheckpoint() throws IOException {
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : 1;
    long last = given != null ? given : Integer.getInteger("graphmeta.copier.seeds", 150);
    for (long seed = first; seed <= last; seed++) {
      try {
        new World(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed " + seed + " fails; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  private final class World {
    private final Random random;
    private final Path place;
    private final FaultyStore store;
    private final long rate;

    World(long seed) throws IOException {
      random = new Random(seed);
      place = Files.createDirectories(directory.resolve("seed-" + seed));
      store = new FaultyStore(random, directory.resolve("scratch"));
      rate = random.nextInt(3) == 0 ? 0 : Pace.LEAST_RATE << random.nextInt(6);
      if (random.nextInt(4) == 0) {
        Files.writeString(place.resolve("left-by-somebody"), "x");
      }
    }

    private StoreCopier copier() {
      Pace pace = new Pace(rate, () -> store.nanos, micros -> store.nanos += micros * 1000);
      return new StoreCopier(store, pace, place, bytes -> {}, 1 + random.nextInt(6000));
    }

    void run() throws IOException {
      for (int attempt = random.nextInt(6); attempt > 0; attempt--) {
        store.faults = FAULTS[random.nextInt(FAULTS.length)];
        store.killAfter = random.nextInt(40);
        try {
          copier().run();
          requireHeld();
        } catch (FaultyStore.Killed e) {
          losePower();
        } catch (GraphMetaException e) {
          assertThat(e.code())
              .isIn(
                  ErrorCode.UNREACHABLE,
                  ErrorCode.TIMEOUT,
                  ErrorCode.CORRUPTION,
                  ErrorCode.CHECKPOINT_LOST);
        }
        requireWhole();
      }
      store.faults = random.nextInt(3) == 0 ? 0 : 200;
      store.killAfter = -1;
      long began = store.nanos;
      store.sent = 0;
      List<FileEntry> files = copier().run();
      assertThat(files)
          .extracting(FileEntry::name)
          .containsExactlyElementsOf(store.held().keySet());
      requireHeld();
      if (rate > 0) {
        long least = (store.sent - 2 * Math.min(rate, FileRange.MAX_BYTES)) * 1_000_000_000 / rate;
        assertThat(store.nanos - began).as("time for %d bytes", store.sent).isGreaterThan(least);
      }
      // All is there: another copier reads sums and no file that stays.
      store.faults = 0;
      store.sent = 0;
      Map<String, byte[]> before = store.held();
      copier().run();
      requireHeld();
      long changed =
          store.held().entrySet().stream()
              .filter(file -> !Arrays.equals(file.getValue(), before.get(file.getKey())))
              .mapToLong(file -> file.getValue().length)
              .sum();
      assertThat(store.sent).isLessThanOrEqualTo(changed);
      delete();
    }

    /** What was not synced is gone, or something else. */
    private void losePower() throws IOException {
      for (Path part : listed()) {
        if (part.toString().endsWith(StoreCopier.PART) && random.nextBoolean()) {
          byte[] bytes = Files.readAllBytes(part);
          byte[] left = Arrays.copyOf(bytes, random.nextInt(bytes.length + 3000));
          int from = random.nextInt(left.length + 1);
          Arrays.fill(left, from, left.length, (byte) 0);
          Files.write(part, left);
        }
      }
    }

    private List<Path> listed() throws IOException {
      try (Stream<Path> entries = Files.list(place)) {
        return entries.toList();
      }
    }

    /** What has its name is what the store had under it once. */
    private void requireWhole() throws IOException {
      for (Path file : listed()) {
        String name = file.getFileName().toString();
        if (!name.endsWith(StoreCopier.PART) && !name.equals("left-by-somebody")) {
          assertThat(store.everHeld.getOrDefault(name, Set.of()))
              .as(name)
              .contains(Arrays.toString(Files.readAllBytes(file)));
        }
      }
    }

    private void requireHeld() throws IOException {
      Map<String, byte[]> found = new TreeMap<>();
      for (Path file : listed()) {
        found.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
      assertThat(found.keySet()).isEqualTo(store.held().keySet());
      found.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(store.held().get(name)));
    }

    private void delete() throws IOException {
      try (Stream<Path> all = Files.walk(place)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
