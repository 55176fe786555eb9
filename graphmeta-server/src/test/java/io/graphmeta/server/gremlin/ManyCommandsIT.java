package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.Launcher;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.server.ingest.Contents;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.ProcessGranularity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many people at one server by the command line: some ask, others load. Loaders are killed now and
 * then, and so is the server, which is started again. Every answer is one that can be given, nobody
 * is refused but in such a moment, in words that say so, and what is there in the end is what all
 * logs tell.
 */
final class ManyCommandsIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ASKING = Integer.getInteger("graphmeta.asking", 4);
  private static final int LOADING = Integer.getInteger("graphmeta.loading", 2);
  private static final int SECONDS = Integer.getInteger("graphmeta.load-seconds", 6);
  private static final int LOGS_AT_ONCE = 20;
  private static final int ONE_LOADER_IN = 4;
  private static final int SECONDS_BETWEEN_ENDS =
      Integer.getInteger("graphmeta.seconds-between-ends", 3);
  private static final String CONFIG = "/proj/hx01/config/model.cfg";

  /** Answered whatever is loaded: with 0, or with 1 as long as the file is not there. */
  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("query", "g.V().count()"),
          List.of("query", "--json", "g.V().hasLabel('job').order().by(id).limit(5).elementMap()"),
          List.of("status", "--json"),
          List.of("check"),
          List.of("lineage", "--json", CONFIG),
          List.of("impact", CONFIG),
          List.of("history", CONFIG));

  @TempDir private Path directory;

  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger loads = new AtomicInteger();
  private final AtomicInteger kills = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** How often the server has begun to end, or was there again: odd while it is not. */
  private final AtomicInteger turns = new AtomicInteger();

  private int port;
  private long endNanos;

  @Test
  void everybodyIsAnsweredAndEveryLogIsThere() throws Exception {
    List<Path> all = new ArrayList<>();
    ExecutorService people = Executors.newFixedThreadPool(ASKING + LOADING);
    ServerProcess server = new ServerProcess(directory, "");
    try {
      port = server.port;
      endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      SplittableRandom seeds = new SplittableRandom(SEED);
      List<Future<List<Path>>> work = new ArrayList<>();
      for (int i = 0; i < ASKING; i++) {
        work.add(people.submit(asking(seeds.split())));
      }
      for (int i = 0; i < LOADING; i++) {
        work.add(people.submit(loading(i, seeds.split())));
      }
      while (secondsLeft() > 2 * SECONDS_BETWEEN_ENDS / 3) {
        TimeUnit.SECONDS.sleep(SECONDS_BETWEEN_ENDS);
        server = endedAndStartedAgain(server, seeds.nextBoolean());
      }
      for (Future<List<Path>> each : work) {
        all.addAll(each.get());
      }
      assertThat(server.terminate()).isEqualTo(143);
    } finally {
      people.shutdownNow();
      server.close();
    }
    System.out.printf(
        "seed %d: %d questions answered, %d loads of %d logs, %d loaders and %d servers ended, %d refused meanwhile%n",
        SEED, answered.get(), loads.get(), all.size(), kills.get(), turns.get() / 2, refused.get());
    assertThat(answered.get()).isPositive();
    assertThat(turns.get()).isPositive();
    requireAllOf(all);
  }

  private long secondsLeft() {
    return TimeUnit.NANOSECONDS.toSeconds(endNanos - System.nanoTime());
  }

  private ServerProcess endedAndStartedAgain(ServerProcess server, boolean asked)
      throws IOException, InterruptedException {
    turns.incrementAndGet();
    if (asked) {
      assertThat(server.terminate()).isEqualTo(143);
    } else {
      server.close();
    }
    ServerProcess next = ServerProcess.after(server, directory);
    turns.incrementAndGet();
    return next;
  }

  /**
   * Runs a command; nothing is returned if it was refused while the server ended or was not there.
   */
  private Optional<Outcome> run(String... command) throws IOException, InterruptedException {
    int before = turns.get();
    Outcome outcome = new Launcher(directory).run(command);
    boolean steady = before % 2 == 0 && turns.get() == before;
    if (steady || outcome.exitCode() == 0) {
      return Optional.of(outcome);
    }
    boolean ofTheEnd =
        Stream.of("No answer from a server at", "does not answer any more", "shutting down")
            .anyMatch(outcome.errors()::contains);
    if (!ofTheEnd) {
      return Optional.of(outcome);
    }
    assertThat(outcome.exitCode()).as("seed %d", SEED).isEqualTo(1);
    assertThat(outcome.errors().strip()).as("seed %d", SEED).hasLineCount(1);
    assertThat(outcome.errors()).startsWith("graphmeta: ").doesNotContain("java.", "tinkerpop");
    refused.incrementAndGet();
    return Optional.empty();
  }

  private Callable<List<Path>> asking(SplittableRandom random) {
    return () -> {
      boolean heard = false;
      while (System.nanoTime() < endNanos || !heard) {
        List<String> question = new ArrayList<>(QUESTIONS.get(random.nextInt(QUESTIONS.size())));
        question.addAll(1, List.of("--connect", "127.0.0.1:" + port));
        Optional<Outcome> outcome = run(question.toArray(String[]::new));
        if (outcome.isPresent()) {
          requireAnAnswer(question, outcome.get());
          heard = true;
        }
      }
      return List.of();
    };
  }

  private void requireAnAnswer(List<String> question, Outcome outcome) {
    boolean notThere = outcome.errors().contains("'" + CONFIG + "'");
    assertThat(outcome.exitCode())
        .as("seed %d, %s: %s", SEED, question, outcome.errors())
        .isEqualTo(notThere ? 1 : 0);
    assertThat(notThere ? "" : outcome.errors()).as("%s", question).isEmpty();
    answered.incrementAndGet();
  }

  /** Loads new logs again and again, some of them after a loader that was killed with them. */
  private Callable<List<Path>> loading(int number, SplittableRandom random) {
    return () -> {
      List<Path> samples =
          DarshanIngest.logs(List.of(Path.of("src/main/sample/campaign/logs").toAbsolutePath()));
      List<Path> own = new ArrayList<>();
      for (int round = 0; System.nanoTime() < endNanos; round++) {
        Path logs = Files.createDirectory(directory.resolve("logs-" + number + "-" + round));
        for (int i = 0; i < LOGS_AT_ONCE; i++) {
          Path sample = samples.get(random.nextInt(samples.size()));
          own.add(another(sample, logs.resolve(i + "-" + sample.getFileName()), random));
        }
        String[] load = {"load", "darshan", "--connect", "127.0.0.1:" + port, logs.toString()};
        if (random.nextInt(ONE_LOADER_IN) == 0) {
          Process loader =
              new Launcher(directory)
                  .builder(Launcher.FILE, Map.of(), load)
                  .redirectErrorStream(true)
                  .redirectOutput(logs.resolve("killed.out").toFile())
                  .start();
          loader.waitFor(random.nextInt(1_500), TimeUnit.MILLISECONDS);
          loader.destroyForcibly().waitFor();
          kills.incrementAndGet();
        }
        Optional<Outcome> outcome = run(load);
        while (outcome.isEmpty()) {
          outcome = run(load);
        }
        assertThat(outcome.get().exitCode())
            .as("seed %d: %s", SEED, outcome.get().errors())
            .isZero();
        assertThat(outcome.get().output()).startsWith(LOGS_AT_ONCE + " logs: ");
        loads.incrementAndGet();
      }
      return own;
    };
  }

  /** A log that says the same, but is another by its content: bytes behind its end count for it. */
  private static Path another(Path sample, Path log, SplittableRandom random) throws IOException {
    Files.copy(sample, log);
    byte[] more = new byte[8];
    random.nextBytes(more);
    try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
      out.write(more);
    }
    return log;
  }

  private void requireAllOf(List<Path> logs) throws IOException {
    GraphMetaConfig config =
        GraphDatabases.asCreated(GraphMetaConfig.inDirectory(directory.resolve("db")));
    try (GraphDatabase loaded = GraphDatabases.open(config);
        GraphDatabase expected = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(expected, ProcessGranularity.JOB);
      for (Path log : logs) {
        ingest.load(log);
      }
      for (String time : Contents.TIMES) {
        Set<String> contents = Contents.of(loaded, time);
        assertThat(contents).as("seed %d, %s", SEED, time).isEqualTo(Contents.of(expected, time));
      }
      assertThat(loaded.check(rows -> {}).examples()).isEmpty();
    }
  }
}
