package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.ingest.Contents;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.ProcessGranularity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loaders and servers are killed in the middle of loads. Loading again makes the graph that a load
 * without any of that makes, at all times.
 */
@RunsAlone
final class LoadKillIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.kill-rounds", 2);
  private static final int KILLS = 3;

  private static final Path LOGS = Path.of("src/main/sample/campaign/logs").toAbsolutePath();

  @TempDir private Path directory;

  @Test
  void loadingAgainMakesTheSameGraph() throws Exception {
    List<Path> logs = DarshanIngest.logs(List.of(LOGS));
    SplittableRandom random = new SplittableRandom(SEED);
    try (GraphDatabase expected = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(expected, ProcessGranularity.JOB);
      for (Path log : logs) {
        ingest.load(log);
      }
      for (int round = 0; round < ROUNDS; round++) {
        Path home = Files.createDirectory(directory.resolve("round" + round));
        String replay = "replay with -Dgraphmeta.seed=" + SEED + ", round " + round;
        loadWithKills(home, random, logs.size(), replay);
        GraphMetaConfig config =
            GraphDatabases.asCreated(GraphMetaConfig.inDirectory(home.resolve("db")));
        try (GraphDatabase loaded = GraphDatabases.open(config)) {
          for (String time : Contents.TIMES) {
            Set<String> contents = Contents.of(loaded, time);
            assertThat(contents).as("%s, %s", replay, time).isEqualTo(Contents.of(expected, time));
          }
          assertThat(loaded.check(rows -> {}).examples()).as(replay).isEmpty();
        }
      }
    }
  }

  private static void loadWithKills(Path home, SplittableRandom random, int logs, String replay)
      throws IOException, InterruptedException {
    ServerProcess server = new ServerProcess(home, "");
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        boolean ofServer = random.nextBoolean();
        int after = random.nextInt(logs);
        Process loader = loader(home, server);
        long loaded = awaitLoaded(server, after, loader);
        if (ofServer) {
          server.close();
          assertThat(loader.waitFor(60, TimeUnit.SECONDS)).as(replay).isTrue();
          requireClear(loader, home, replay);
          server = new ServerProcess(home, "");
        } else {
          loader.destroyForcibly().waitFor();
        }
        System.out.printf(
            "%s: %s killed with %d of %d logs loaded%n",
            replay, ofServer ? "server" : "loader", loaded, logs);
      }
      Outcome last =
          new Launcher(home)
              .run("load", "darshan", "--connect", "127.0.0.1:" + server.port, LOGS.toString());
      assertThat(last.exitCode()).as("%s: %s", replay, last.errors()).isZero();
      assertThat(last.output()).as(replay).startsWith(logs + " logs: ").contains(" 0 failed; ");
      assertThat(server.terminate()).isEqualTo(143);
    } finally {
      server.close();
    }
  }

  private static Process loader(Path home, ServerProcess server) throws IOException {
    return new Launcher(home)
        .builder(
            Launcher.FILE,
            Map.of(),
            "load",
            "darshan",
            "--connect",
            "127.0.0.1:" + server.port,
            LOGS.toString())
        .redirectOutput(home.resolve("loader.out").toFile())
        .redirectError(home.resolve("loader.err").toFile())
        .start();
  }

  /** The loader was done already, or says in one line what happened. */
  private static void requireClear(Process loader, Path home, String replay) throws IOException {
    String errors = Files.readString(home.resolve("loader.err"));
    assertThat(loader.exitValue()).as("%s: %s", replay, errors).isIn(0, 1);
    if (loader.exitValue() == 1) {
      assertThat(errors.strip()).as(replay).startsWith("graphmeta: ").hasLineCount(1);
      assertThat(errors)
          .as(replay)
          .doesNotContain("java.", "tinkerpop")
          .containsAnyOf("Load again to go on", "No answer from a server at");
    }
  }

  /** Waits until so many logs are loaded, or the loader is done. */
  private static long awaitLoaded(ServerProcess server, int logs, Process loader)
      throws InterruptedException {
    try (Driver driver = server.driver()) {
      long loaded = 0;
      while (loaded < logs && loader.isAlive()) {
        Thread.sleep(1);
        loaded = driver.g.V().hasLabel("process").count().next();
      }
      return loaded;
    }
  }
}
