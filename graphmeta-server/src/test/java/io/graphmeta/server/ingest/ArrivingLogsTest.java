package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which logs are told, look by look. */
class ArrivingLogsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir private Path directory;

  private Path log(String name, String text, int secondsOld) throws IOException {
    Path log = directory.resolve(name);
    Files.createDirectories(log.getParent());
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(log, FileTime.from(NOW.minusSeconds(secondsOld)));
    return log;
  }

  private ArrivingLogs following(Path place, int maxLogs, int maxLot) {
    return new ArrivingLogs(List.of(place), Clock.fixed(NOW, ZoneOffset.UTC), maxLogs, maxLot);
  }

  private static List<Path> look(ArrivingLogs logs) throws IOException {
    List<Path> told = new ArrayList<>();
    logs.look(told::addAll);
    return told;
  }

  @Test
  void aLogIsToldOnceWhenItHasStoppedGrowing() throws IOException {
    ArrivingLogs logs = following(directory, 100, 100);
    assertThat(look(logs)).isEmpty();
    Path grows = log("2026/11/a.darshan", "x", 5);
    Path old = log("2026/10/b.darshan", "x", 700);
    log("2026/11/c.darshan_partial", "x", 700);
    assertThat(look(logs)).containsExactly(old);
    log("2026/11/a.darshan", "y", 5);
    assertThat(look(logs)).isEmpty();
    // The same size, and another time.
    Files.setLastModifiedTime(grows, FileTime.from(NOW.minusSeconds(3)));
    assertThat(look(logs)).isEmpty();
    assertThat(look(logs)).containsExactly(grows);
    assertThat(look(logs)).isEmpty();
    // What changed comes as a new one; so does what another log is replaced by.
    log("2026/11/a.darshan", "z", 1);
    assertThat(look(logs)).isEmpty();
    assertThat(look(logs)).containsExactly(grows);
    // Gone and back.
    Files.delete(old);
    assertThat(look(logs)).isEmpty();
    log("2026/10/b.darshan", "x", 700);
    assertThat(look(logs)).containsExactly(old);
    // Written long ago, and moved here later than the others.
    Path moved = log("2026/09/d.darshan", "x", 9_000_000);
    assertThat(look(logs)).containsExactly(moved);
    ArrivingLogs gone = following(directory.resolve("no"), 100, 100);
    assertThatThrownBy(() -> look(gone)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void whatWasNotTakenIsToldAgain() throws IOException {
    for (int i = 0; i < 10; i++) {
      log(i + ".darshan", "x", 700);
    }
    ArrivingLogs logs = following(directory, 100, 3);
    List<Path> taken = new ArrayList<>();
    ArrivingLogs.Lots failing =
        lot -> {
          if (taken.size() >= 6) {
            throw new IOException("no room");
          }
          return taken.addAll(lot);
        };
    assertThatThrownBy(() -> logs.look(failing)).hasMessage("no room");
    assertThat(taken).hasSize(6);
    // One that ends the look is not held to have loaded its lot.
    logs.look(lot -> false);
    logs.look(lot -> taken.addAll(lot));
    assertThat(taken).hasSize(10).doesNotHaveDuplicates();
    assertThat(look(logs)).isEmpty();
  }

  @Test
  void aLookThatFailsForgetsNothing() throws IOException {
    for (int i = 0; i < 10; i++) {
      log("told" + i + ".darshan", "x", 700);
    }
    List<Path> young = new ArrayList<>();
    for (int i = 9; i >= 0; i--) {
      young.add(log("young" + i + ".darshan", "x", 5));
    }
    ArrivingLogs logs = following(directory, 100, 1);
    assertThat(look(logs)).hasSize(10);
    List<Path> ready = new ArrayList<>(young);
    for (int i = 0; i < 5; i++) {
      ready.add(log("late" + i + ".darshan", "x", 700));
    }
    assertThatThrownBy(
            () ->
                logs.look(
                    lot -> {
                      throw new IOException("no room");
                    }))
        .hasMessage("no room");
    assertThat(look(logs)).containsExactlyInAnyOrderElementsOf(ready);
    assertThat(look(logs)).isEmpty();
    assertThat(look(following(directory, 100, 100))).isSorted().hasSize(15);
  }

  @Test
  void tooManyLogsAreAnError() throws IOException {
    for (int i = 0; i < 5; i++) {
      log(i + ".darshan", "x", 700);
    }
    ArrivingLogs logs = following(directory, 4, 2);
    assertThatThrownBy(() -> look(logs))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 4 logs below")
        .hasMessageContaining("follow directories of fewer");
    Files.delete(directory.resolve("0.darshan"));
    assertThat(look(logs)).hasSizeLessThanOrEqualTo(2);
  }

  /** Logs come, grow, go and come back at random; a plain model says what has to be told. */
  @Test
  void randomArrivalsAreToldOnce() throws IOException {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    ArrivingLogs logs = following(directory, 1_000, 7);
    Map<String, String> seen = new HashMap<>();
    Set<String> told = new HashSet<>();
    for (int round = 0; round < 60; round++) {
      for (int i = 0; i < 6; i++) {
        String name = random.nextInt(4) + "/" + random.nextInt(12) + ".darshan";
        if (random.nextInt(4) == 0) {
          Files.deleteIfExists(directory.resolve(name));
        } else {
          log(name, "x", random.nextInt(1_200));
        }
      }
      boolean fails = random.nextInt(5) == 0;
      List<Path> expected = new ArrayList<>();
      Map<String, String> now = new HashMap<>();
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path log : all.filter(Files::isRegularFile).toList()) {
          FileTime time = Files.getLastModifiedTime(log);
          String state = log + " " + Files.size(log) + " " + time;
          now.put(log.toString(), state);
          boolean old = NOW.toEpochMilli() - time.toMillis() > 600_000;
          if (!told.contains(state) && (old || state.equals(seen.get(log.toString())))) {
            expected.add(log);
          }
        }
      }
      List<Path> found = new ArrayList<>();
      try {
        logs.look(
            lot -> {
              if (fails) {
                throw new IOException("not now");
              }
              return found.addAll(lot);
            });
        assertThat(found)
            .as("seed %d, round %d", seed, round)
            .containsExactlyInAnyOrderElementsOf(expected);
        told.retainAll(now.values());
        expected.forEach(log -> told.add(now.get(log.toString())));
        seen = now;
      } catch (IOException e) {
        assertThat(expected).as("seed %d, round %d", seed, round).isNotEmpty();
        // How far it came is open. After two looks that do not fail all is told.
        look(logs);
        look(logs);
        told.retainAll(now.values());
        told.addAll(now.values());
        seen = now;
      }
    }
  }
}
