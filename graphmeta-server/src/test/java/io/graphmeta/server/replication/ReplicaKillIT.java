package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.RunsAlone;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills nodes with SIGKILL, mostly the one that leads, while they write, and starts them again:
 * what was told is there on all, and all have the same rows.
 *
 * <p>{@code -Dgraphmeta.crash.cycles=N} sets the number of kills, {@code -Dgraphmeta.seed=S} which.
 */
@RunsAlone
@Timeout(3600)
class ReplicaKillIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.cycles", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  @TempDir private Path directory;

  private final Set<Long> there = new HashSet<>();
  private final AtomicLong lastThere = new AtomicLong();
  private final List<Running> nodes = new ArrayList<>();
  private final List<String> members = new ArrayList<>();
  private int starts;

  /** A process, and what it has said that is not of rows. */
  private final class Running {
    private final String name;
    private Process process;
    private final Queue<String> said = new ConcurrentLinkedQueue<>();
    private volatile long lastRow;

    Running(String name) throws IOException {
      this.name = name;
      this.process = start();
    }

    Process start() throws IOException {
      said.clear();
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-Dlogback.configurationFile="
                      + Path.of("src/main/distribution/conf/logback.xml").toAbsolutePath(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  KilledNode.class.getName(),
                  directory.resolve(name).toString(),
                  Integer.toString(++starts),
                  name));
      command.addAll(members);
      Process begun =
          new ProcessBuilder(command)
              .redirectError(directory.resolve(name + ".log").toFile())
              .start();
      Thread reader =
          new Thread(
              () -> {
                try (var lines = begun.inputReader(StandardCharsets.UTF_8)) {
                  for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    hear(line);
                  }
                } catch (IOException e) {
                  // It was killed.
                }
              });
      reader.setDaemon(true);
      reader.start();
      return begun;
    }

    private void hear(String line) {
      if (line.startsWith("there ")) {
        synchronized (there) {
          there.add(Long.parseLong(line.substring("there ".length())));
        }
        lastRow = System.nanoTime();
        lastThere.set(lastRow);
      } else {
        said.add(line);
      }
    }

    String ask(String line) throws IOException {
      said.clear();
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      ReplicaGroups.await("an answer to " + line, () -> !said.isEmpty());
      return said.remove();
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatWasToldIsThereOnAll() throws Exception {
    Random random = new Random(SEED);
    for (int node = 0; node < 3; node++) {
      members.addAll(List.of("node-" + node, Integer.toString(ReplicaGroups.freePort())));
    }
    List<Long> gapsMillis = new ArrayList<>();
    try {
      for (int node = 0; node < 3; node++) {
        nodes.add(new Running("node-" + node));
      }
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        ReplicaGroups.await("rows before cycle " + cycle, () -> isWriting());
        Thread.sleep(500 + random.nextInt(2000));
        Running leader =
            nodes.stream().reduce((a, b) -> a.lastRow > b.lastRow ? a : b).orElseThrow();
        boolean ofLeader = random.nextInt(4) > 0;
        Running killed = ofLeader ? leader : nodes.get(random.nextInt(3));
        killed.kill();
        long at = System.nanoTime();
        ReplicaGroups.await("rows after cycle " + cycle, () -> lastThere.get() > at);
        if (killed == leader) {
          gapsMillis.add((lastThere.get() - at) / 1_000_000);
        }
        Thread.sleep(random.nextInt(1000));
        killed.process = killed.start();
        ReplicaGroups.await("a node to begin", () -> killed.said.contains("ready"));
      }
      compare();
    } finally {
      for (Running node : nodes) {
        node.kill();
      }
    }
    System.out.printf(
        "%d kills, seed %d: %d rows told; ms until the next row after a leader was killed: %s%n",
        CYCLES, SEED, there.size(), gapsMillis.stream().sorted().toList());
    assertThat(there.size()).as("rows, seed %d", SEED).isGreaterThan(CYCLES);
  }

  private boolean isWriting() {
    return System.nanoTime() - lastThere.get() < 100_000_000L;
  }

  private void compare() throws IOException {
    for (Running node : nodes) {
      assertThat(node.ask("rest")).isEqualTo("rests");
    }
    ReplicaGroups.await(
        "replicas to be even, seed " + SEED,
        () -> {
          try {
            Thread.sleep(200);
            Set<String> places = new HashSet<>();
            for (Running node : nodes) {
              places.add(node.ask("applied"));
            }
            return places.size() == 1;
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    Set<String> contents = new HashSet<>();
    for (Running node : nodes) {
      Path file = directory.resolve(node.name + ".rows");
      node.ask("rows " + file);
      contents.add(Files.readString(file));
    }
    assertThat(contents).as("what replicas hold, seed %d", SEED).hasSize(1);
    Set<String> keys =
        contents
            .iterator()
            .next()
            .lines()
            .map(row -> row.split(" ")[1])
            .collect(Collectors.toSet());
    synchronized (there) {
      for (long number : there) {
        String key = "01%016x".formatted(number);
        assertThat(keys.contains(key)).as("row %d, seed %d", number, SEED).isTrue();
      }
    }
  }
}
