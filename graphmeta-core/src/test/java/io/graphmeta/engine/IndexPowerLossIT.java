package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.storage.rocksdb.OtherBoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Takes the power from databases with indexes while they are written to, split, and have their
 * indexes changed: at random moments, and at each {@link KillPlace}. At once after each start
 * queries find what is there, and when the indexes have caught up they hold what is stored. An
 * index that was built before goes on from what it had committed, unless its store was taken back
 * behind that: with several shards and background durability, where the logs of all are taken back
 * to a moment at which all were on disk, which may be before what was synced of one alone.
 *
 * <p>{@code -Dgraphmeta.power.cycles=N} sets how often, for each of the ways; {@code
 * -Dgraphmeta.index-crash.places=P,Q} where, {@code -Dgraphmeta.seed=S} with what. Needs root.
 */
@Timeout(36_000)
class IndexPowerLossIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.power.cycles", 1);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int CYCLES_OF_A_DATABASE = 8;
  private static final long PLACE_MILLIS = 20_000;
  private static final Pattern LINE = Pattern.compile("t-\\d+|" + IndexLog.LINE);
  private static final Pattern TAKEN_BACK =
      Pattern.compile(".*index of shard (\\d+) is of another state of its store; .*");
  private static final Pattern BUILT = Pattern.compile(".*Building index \\S+ on shard (\\d+)");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"sync,1,true", "background,1,false", "sync,4,false", "background,4,true"})
  void indexesGoOnWithoutPower(String durability, int shards, boolean volatileCache)
      throws Exception {
    Random random = new Random(SEED + 31 * shards + durability.length());
    IndexRestart restart = new IndexRestart();
    List<KillPlace> all = KillPlace.chosen();
    int takenBack = 0;
    int places = 0;
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_DATABASE) {
      try (LoopDisk disk = disk(directory.resolve("disk-" + first), volatileCache)) {
        GraphMetaConfig config = config(disk, durability, shards, random);
        long firstStamp;
        try (GraphDatabase created = GraphDatabases.open(config)) {
          firstStamp = IndexedWrites.begin(created);
          new IndexedAnswers(created, random, firstStamp).awaitCaughtUp("new");
        }
        for (int cycle = first; cycle < Math.min(CYCLES, first + CYCLES_OF_A_DATABASE); cycle++) {
          KillPlace place = all.get(random.nextInt(all.size()));
          String story =
              "-Dgraphmeta.seed=%d, %s with %d shards, cycle %d, %s"
                  .formatted(SEED, durability, shards, cycle, place);
          places += losePower(disk, config, place, random) ? 1 : 0;
          List<String> lines = restart.run(config, firstStamp, random, story, false);
          int back = takenBack(lines, story);
          assertThat(back).as(story).isLessThanOrEqualTo(synced(config) ? 0 : shards);
          takenBack += back;
          System.out.printf("%tT %s, %d built anew%n", System.currentTimeMillis(), story, back);
        }
      }
    }
    System.out.printf(
        "%d losses of power, %s with %d shards: %d at their place, %d elements found, %d versions"
            + " compared, %d indexes of shards built anew since their stores were taken back%n",
        CYCLES, durability, shards, places, restart.found(), restart.compared(), takenBack);
    assertThat(restart.found()).as("elements found, seed %d", SEED).isGreaterThan(CYCLES);
  }

  private static LoopDisk disk(Path base, boolean volatileCache)
      throws IOException, InterruptedException {
    try {
      return LoopDisk.create(Files.createDirectories(base), volatileCache);
    } catch (IOException e) {
      return abort("no file system on a loop device here, which needs root on Linux: " + e);
    }
  }

  private static GraphMetaConfig config(
      LoopDisk disk, String durability, int shards, Random random) {
    return GraphMetaConfig.inDirectory(disk.directory().resolve("db"))
        .with(Setting.SHARDS, shards)
        .with(Setting.DURABILITY, durability)
        .with(Setting.SPLIT_THRESHOLD, 4 + random.nextInt(8))
        .with(Setting.BACKGROUND_SYNC_MILLIS, List.of(10, 100, 1000).get(random.nextInt(3)))
        .with(Setting.WRITE_BUFFER_BYTES, 1 << 20);
  }

  /** Whether nothing that one store has synced is taken back. */
  private static boolean synced(GraphMetaConfig config) {
    return config.get(Setting.DURABILITY).equals("sync") || config.number(Setting.SHARDS) == 1;
  }

  /** Lets writers write, and goes back to what the disk held; returns whether at the place. */
  private static boolean losePower(
      LoopDisk disk, GraphMetaConfig config, KillPlace place, Random random) throws Exception {
    List<String> arguments = IndexCrashWriter.arguments(config, random.nextLong());
    Path left;
    boolean isThere = true;
    try (StoppedProcess stopped = new StoppedProcess();
        WriterProcess writer =
            WriterProcess.start(
                IndexCrashWriter.class,
                place == KillPlace.ANY_MOMENT ? List.of() : List.of(stopped.option()),
                arguments,
                LINE)) {
      if (place == KillPlace.ANY_MOMENT) {
        writer.await(1 + random.nextInt(1500));
      } else {
        int most = place.isAtOpening() ? (int) config.number(Setting.SHARDS) : 2;
        isThere = stopped.await(place, 1 + random.nextInt(most), PLACE_MILLIS);
        if (isThere && random.nextInt(3) > 0) {
          stopped.holdAll(); // or others sync meanwhile what the place is about
        } else {
          stopped.goOn();
        }
      }
      left = disk.snapshot();
      List<String> lines = writer.kill();
      assertThat(IndexLog.warnings(lines)).as("before the loss").isEmpty();
    }
    disk.restartFrom(left);
    OtherBoot.pretend(Path.of(config.get(Setting.DIRECTORY)), (int) config.number(Setting.SHARDS));
    return isThere;
  }

  /** How many indexes were built anew, each of a shard whose store was taken back behind it. */
  private static int takenBack(List<String> lines, String story) {
    TreeSet<String> shards = new TreeSet<>();
    for (String warning : IndexLog.warnings(lines)) {
      Matcher matcher = TAKEN_BACK.matcher(warning);
      assertThat(matcher.matches()).as("%s: %s", story, warning).isTrue();
      shards.add(matcher.group(1));
    }
    for (String line : IndexLog.buildsOfKept(lines)) {
      Matcher matcher = BUILT.matcher(line);
      assertThat(matcher.matches()).as("%s: %s", story, line).isTrue();
      assertThat(shards).as("%s: %s", story, line).contains(matcher.group(1));
    }
    return shards.size();
  }
}
