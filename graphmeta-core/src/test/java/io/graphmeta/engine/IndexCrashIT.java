package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills processes with SIGKILL that write to databases with indexes over vertices and edges, while
 * they split vertices and create, drop and rebuild indexes: at random moments, and at each {@link
 * KillPlace}. At once after each start, under further writes, queries find what is there. No kill
 * makes an index be built anew that was built before, and when the indexes have caught up they hold
 * what is stored.
 *
 * <p>{@code -Dgraphmeta.crash.cycles=N} sets the number of kills for each number of shards, {@code
 * -Dgraphmeta.index-crash.shards=1,4} the numbers of shards, {@code
 * -Dgraphmeta.index-crash.places=P,Q} where (a process that does not come there is killed too),
 * {@code -Dgraphmeta.seed=S} with what; its threads go their own ways nevertheless.
 */
@Timeout(36_000)
class IndexCrashIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.cycles", 2);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int CYCLES_OF_A_DATABASE = 12;
  private static final long PLACE_MILLIS = 20_000;
  private static final Pattern LINE = Pattern.compile("t-\\d+|" + IndexLog.LINE);

  @TempDir Path directory;

  private final Map<KillPlace, Integer> reached = new EnumMap<>(KillPlace.class);
  private final Map<KillPlace, Integer> missed = new EnumMap<>(KillPlace.class);
  private final Deque<KillPlace> places = new ArrayDeque<>();
  private long acknowledged;
  private final IndexRestart restart = new IndexRestart();

  static Stream<Integer> shards() {
    return Arrays.stream(System.getProperty("graphmeta.index-crash.shards", "1,4").split(","))
        .map(Integer::valueOf);
  }

  @ParameterizedTest
  @MethodSource("shards")
  void killedIndexesGoOn(int shards) throws Exception {
    Random random = new Random(SEED + shards);
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_DATABASE) {
      Path database = directory.resolve("db-" + first);
      GraphMetaConfig config = config(database, shards, random);
      long firstStamp;
      try (GraphDatabase created = GraphDatabases.open(config)) {
        firstStamp = IndexedWrites.begin(created);
        new IndexedAnswers(created, random, firstStamp).awaitCaughtUp("new");
      }
      for (int cycle = first; cycle < Math.min(CYCLES, first + CYCLES_OF_A_DATABASE); cycle++) {
        KillPlace place = place(random);
        String story =
            "-Dgraphmeta.seed=%d, %d shards, cycle %d, %s".formatted(SEED, shards, cycle, place);
        boolean isThere = kill(config, place, random, story);
        List<String> lines = restart.run(config, firstStamp, random, story, true);
        assertThat(IndexLog.warnings(lines)).as(story).isEmpty();
        assertThat(IndexLog.buildsOfKept(lines)).as(story).isEmpty();
        (isThere ? reached : missed).merge(place, 1, Integer::sum);
        System.out.printf(
            "%tT %s%s%n", System.currentTimeMillis(), story, isThere ? "" : ", not reached");
      }
    }
    System.out.printf(
        "%d kills with %d shards: at %s; not reached %s; %d transactions, %d elements found, %d"
            + " versions compared%n",
        CYCLES, shards, reached, missed, acknowledged, restart.found(), restart.compared());
    assertThat(acknowledged).as("transactions, seed %d", SEED).isGreaterThan(CYCLES);
    assertThat(restart.found()).as("elements found, seed %d", SEED).isGreaterThan(CYCLES);
  }

  private static GraphMetaConfig config(Path database, int shards, Random random) {
    return GraphMetaConfig.inDirectory(database)
        .with(Setting.SHARDS, shards)
        .with(Setting.DURABILITY, random.nextBoolean() ? "sync" : "background")
        .with(Setting.SPLIT_THRESHOLD, 4 + random.nextInt(8))
        .with(Setting.MOVED_ROWS_KEPT_MILLIS, random.nextBoolean() ? 0 : 60_000);
  }

  /** Each place once before one comes again. */
  private KillPlace place(Random random) {
    if (places.isEmpty()) {
      List<KillPlace> all = new ArrayList<>(KillPlace.chosen());
      Collections.shuffle(all, random);
      places.addAll(all);
    }
    return places.remove();
  }

  /** Starts writers, and kills them there; returns false if they did not come there in time. */
  private boolean kill(GraphMetaConfig config, KillPlace place, Random random, String story)
      throws Exception {
    List<String> arguments = IndexCrashWriter.arguments(config, random.nextLong());
    if (place == KillPlace.ANY_MOMENT) {
      try (WriterProcess writer = WriterProcess.start(IndexCrashWriter.class, arguments, LINE)) {
        writer.await(1 + random.nextInt(1500));
        assertQuiet(writer.kill(), story);
      }
      return true;
    }
    try (StoppedProcess stopped = new StoppedProcess();
        WriterProcess writer =
            WriterProcess.start(
                IndexCrashWriter.class, List.of(stopped.option()), arguments, LINE)) {
      int most = place.isAtOpening() ? (int) config.number(Setting.SHARDS) : 2;
      boolean isThere = stopped.await(place, 1 + random.nextInt(most), PLACE_MILLIS);
      switch (random.nextInt(4)) {
        case 0 -> Thread.sleep(random.nextInt(50)); // others go on
        case 1 -> {
          stopped.goOn();
          Thread.sleep(random.nextInt(20));
        }
        default -> {}
      }
      assertQuiet(writer.kill(), story);
      return isThere;
    }
  }

  /** That no index failed, and none was built that was there. */
  private void assertQuiet(List<String> lines, String story) {
    acknowledged += lines.stream().filter(line -> line.startsWith("t-")).count();
    assertThat(IndexLog.warnings(lines)).as("%s: before the kill", story).isEmpty();
    assertThat(IndexLog.buildsOfKept(lines)).as("%s: before the kill", story).isEmpty();
  }
}
