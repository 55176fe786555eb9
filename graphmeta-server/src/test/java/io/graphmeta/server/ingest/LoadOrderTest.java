package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.ingest.darshan.DarshanFormatException;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading again changes nothing; the order of loading does not matter at any time. */
class LoadOrderTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private final Campaign campaign = new Campaign();

  LoadOrderTest() throws IOException {}

  @Test
  void order_of_logs_and_accounting_does_not_matter() throws IOException {
    // A part of the logs, in which mesh C, its users and directories come early and late.
    List<Path> logs =
        campaign.logs().stream()
            .filter(log -> log.toString().matches(".*id184(2[0-4]|3[34]|4)\\d.*"))
            .toList();
    try (GraphDatabase inOrder = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      campaign.load(inOrder, logs, ProcessGranularity.JOB);
      for (int round = 0; round < 2; round++) {
        List<Path> shuffled = new ArrayList<>(logs);
        Collections.shuffle(shuffled, new Random(SEED + round));
        try (GraphDatabase other = GraphDatabases.open(GraphMetaConfig.inMemory())) {
          if (round == 0) {
            campaign.load(other, shuffled, ProcessGranularity.JOB);
          } else {
            new SacctIngest(other).load(campaign.accounting());
            campaign.load(other, shuffled, ProcessGranularity.JOB);
          }
          for (String time : Contents.TIMES) {
            assertThat(Contents.of(other, time))
                .as("seed %d, round %d, %s", SEED, round, time)
                .isEqualTo(Contents.of(inOrder, time));
          }
          assertThat(other.check(rows -> {}).examples()).isEmpty();
        }
      }
    }
  }

  /**
   * Logs of one user have vertices in common. Each commit waits for the disk, so that the one who
   * comes second would come second again at once.
   */
  @Test
  void logs_can_be_loaded_side_by_side(@TempDir Path directory) throws Exception {
    List<Path> logs = new ArrayList<>(campaign.logs().subList(0, 100));
    Collections.shuffle(logs, new Random(SEED));
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory).with(Setting.DURABILITY, "sync");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (GraphDatabase inOrder = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphDatabase other = GraphDatabases.open(config)) {
      DarshanIngest one = new DarshanIngest(inOrder, ProcessGranularity.JOB);
      LoadResult expected = LoadResult.NONE;
      for (Path log : logs) {
        expected = expected.plus(one.load(log));
      }
      DarshanIngest ingest = new DarshanIngest(other, ProcessGranularity.JOB);
      List<Future<LoadResult>> loads = new ArrayList<>();
      for (Path log : logs) {
        loads.add(threads.submit(() -> ingest.load(log)));
      }
      LoadResult result = LoadResult.NONE;
      for (Future<LoadResult> load : loads) {
        result = result.plus(load.get());
      }
      assertThat(result).as("seed %d", SEED).isEqualTo(expected);
      for (String time : Contents.TIMES) {
        assertThat(Contents.of(other, time))
            .as("seed %d, %s", SEED, time)
            .isEqualTo(Contents.of(inOrder, time));
      }
      assertThat(other.check(rows -> {}).examples()).isEmpty();
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Of runs that are loaded in one transaction each leaves what it leaves by itself, and one that
   * the graph does not take is named and leaves nothing, wherever it stands among the others.
   */
  @Test
  void runs_loaded_together_leave_what_each_leaves_alone() throws IOException {
    Random random = new Random(SEED);
    List<Path> logs = campaign.logs();
    List<ProgramRun> runs = new ArrayList<>();
    Set<Integer> refused = new TreeSet<>();
    for (int i = 0; i < 150; i++) {
      ProgramRun run =
          DarshanIngest.read(logs.get(random.nextInt(logs.size())), ProcessGranularity.JOB);
      boolean bad = random.nextInt(40) == 0;
      if (bad) {
        refused.add(runs.size());
      }
      runs.add(bad ? withLongCommand(run) : run);
    }
    try (GraphDatabase one = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphDatabase together = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      RunIngest alone = new RunIngest(one);
      LoadResult expected = LoadResult.NONE;
      for (int i = 0; i < runs.size(); i++) {
        if (!refused.contains(i)) {
          expected = expected.plus(alone.load(runs.subList(i, i + 1)));
        }
      }
      Set<Integer> failed = new TreeSet<>();
      LoadResult result;
      try (DatabaseLoad load =
          new DatabaseLoad(together, (source, reason) -> failed.add(Integer.valueOf(source)))) {
        for (int i = 0; i < runs.size(); i++) {
          load.add(Integer.toString(i), runs.get(i));
        }
        result = load.finish();
      }
      assertThat(failed).as("seed %d", SEED).isEqualTo(refused);
      assertThat(result).as("seed %d", SEED).isEqualTo(expected);
      for (String time : Contents.TIMES) {
        assertThat(Contents.of(together, time))
            .as("seed %d, %s", SEED, time)
            .isEqualTo(Contents.of(one, time));
      }
      assertThat(together.check(rows -> {}).examples()).isEmpty();
    }
  }

  /** A run whose command line is larger than a value may be. */
  private static ProgramRun withLongCommand(ProgramRun run) {
    return new ProgramRun(
        run.digest() + "0",
        run.log(),
        run.uid(),
        run.jobId(),
        run.executable(),
        "x".repeat(17 << 20),
        run.processes(),
        run.startMicros(),
        run.endMicros(),
        run.wholeSeconds(),
        run.slackMillis(),
        run.incomplete(),
        run.timeline(),
        run.uses(),
        run.renames(),
        run.namesByHash());
  }

  @Test
  void loading_again_changes_nothing(@TempDir Path directory) throws IOException {
    List<Path> logs = campaign.logs().subList(0, 40);
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      LoadResult first = campaign.load(database, logs, ProcessGranularity.JOB);
      CheckReport before = database.check(rows -> {});
      LoadResult second = campaign.load(database, logs, ProcessGranularity.JOB);
      Path renamed =
          Files.copy(
              logs.get(0), directory.resolve("other.darshan"), StandardCopyOption.REPLACE_EXISTING);
      LoadResult third = new DarshanIngest(database, ProcessGranularity.RANK).load(renamed);
      CheckReport after = database.check(rows -> {});
      assertThat(first.loaded()).isEqualTo(40 + 79);
      assertThat(first.vertices() - first.unchanged()).isEqualTo(before.livingVertices());
      assertThat(first.edges()).isEqualTo(before.livingEdges());
      assertThat(second.loaded()).isZero();
      assertThat(second.unchanged()).isEqualTo(40 + 79);
      assertThat(third.unchanged()).isEqualTo(1);
      assertThat(after).isEqualTo(before);
    }
  }

  @Test
  void damaged_log_leaves_nothing(@TempDir Path directory) throws IOException {
    Path log = campaign.logs().get(3);
    byte[] bytes = Files.readAllBytes(log);
    Path damaged =
        Files.write(
            directory.resolve("damaged.darshan"),
            java.util.Arrays.copyOf(bytes, bytes.length - 200));
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.JOB);
      assertThatThrownBy(() -> ingest.load(damaged))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContaining(damaged.toString())
          .hasMessageContaining("offset");
      assertThat(database.check(rows -> {}).livingVertices()).isZero();
    }
  }

  @Test
  void ranks_can_have_vertices_of_their_own() throws IOException {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.RANK);
      ingest.load(campaign.logs().get(0));
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.countVertices(Set.of("process"), tx.snapshot())).isEqualTo(2);
      }
    }
  }
}
