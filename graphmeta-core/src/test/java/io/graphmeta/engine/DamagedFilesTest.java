package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damages each kind of file in the directory of a database that was closed. Either it opens with
 * all that was committed, or it is refused as damaged, or a read says so; it is never taken for
 * something else, nor created anew, nor opened with less.
 *
 * <p>{@code -Dgraphmeta.damaged-files.rounds=N} sets how often for each file, {@code
 * -Dgraphmeta.seed=S} the seed.
 */
@Timeout(7200)
class DamagedFilesTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.damaged-files.rounds", 1);
  private static final int VERTICES = 60;

  @TempDir private Path temporary;

  private enum Damage {
    FLIPPED_BIT,
    EMPTY_PAGE,
    CUT,
    EMPTIED,
    REMOVED,
    GARBAGE
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void damageIsCalledDamage(int shards) throws IOException {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    GraphMetaConfig whole = config(temporary.resolve("whole"), shards);
    create(whole);
    List<Path> files = files(whole.directory());
    for (int round = 0; round < ROUNDS; round++) {
      for (Path file : files) {
        if (!file.getFileName().toString().matches("LOG.*") && isWanted(file, shards, random)) {
          Set<Damage> damages = EnumSet.allOf(Damage.class);
          for (Damage damage : damages) {
            Path copy = temporary.resolve("copy");
            copy(whole.directory(), copy);
            Path damaged = copy.resolve(whole.directory().relativize(file));
            apply(damage, damaged, random);
            String what = damage + " of " + damaged + " with -Dgraphmeta.seed=" + seed;
            assertWholeOrDamaged(config(copy, shards), what);
            remove(copy);
          }
        }
      }
    }
  }

  /** Of several shards one is enough in a round. */
  private static boolean isWanted(Path file, int shards, Random random) {
    return shards == 1 || random.nextInt(shards * 2) == 0;
  }

  private static GraphMetaConfig config(Path directory, int shards) {
    return GraphMetaConfig.inDirectory(directory)
        .with(Setting.SHARDS, shards)
        .with(Setting.CREATE, directory.endsWith("whole") ? "true" : "false")
        .with(Setting.WRITE_BUFFER_BYTES, 1 << 20);
  }

  private static void create(GraphMetaConfig config) {
    for (int run = 0; run < 2; run++) { // the second writes what the first left to table files
      try (GraphDatabase database = GraphDatabases.open(config)) {
        for (int i = 0; i < VERTICES; i++) {
          try (GraphTransaction tx = database.begin()) {
            tx.addVertex("v" + run + "-" + i, "file", Map.of("n", i), Stamp.AT_COMMIT);
            tx.commit();
          }
        }
      }
    }
  }

  private static void assertWholeOrDamaged(GraphMetaConfig config, String what) {
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphTransaction tx = database.begin()) {
      for (int run = 0; run < 2; run++) {
        for (int i = 0; i < VERTICES; i++) {
          VertexRecord found = tx.verticesById(List.of("v" + run + "-" + i), tx.snapshot()).get(0);
          assertThat(found).as(what).isNotNull();
          assertThat(found.value("n")).as(what).isEqualTo(i);
        }
      }
      assertThat(database.check(rows -> {}).isClean()).as(what).isTrue();
    } catch (GraphMetaException e) {
      assertThat(e.code()).as(what + ": " + e.getMessage()).isEqualTo(ErrorCode.CORRUPTION);
      assertThat(e.getMessage()).as(what).contains(config.directory().toString());
    }
  }

  private static void apply(Damage damage, Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    switch (damage) {
      case FLIPPED_BIT -> {
        if (bytes.length > 0) {
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, bytes);
      }
      case EMPTY_PAGE -> {
        for (int i = at / 512 * 512; i < Math.min(bytes.length, at / 512 * 512 + 512); i++) {
          bytes[i] = 0;
        }
        Files.write(file, bytes);
      }
      case CUT -> Files.write(file, java.util.Arrays.copyOf(bytes, at));
      case EMPTIED -> Files.write(file, new byte[0]);
      case REMOVED -> Files.delete(file);
      default -> {
        random.nextBytes(bytes);
        Files.write(file, bytes);
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file));
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  private static void remove(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> walked = Files.walk(directory)) {
      all = new ArrayList<>(walked.toList());
    }
    java.util.Collections.reverse(all);
    for (Path file : all) {
      Files.delete(file);
    }
  }
}
