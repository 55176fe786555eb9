package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.rocksdb.OtherBoot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Takes the power from a database of four shards while writers write, again and again, and opens
 * what is left: with synced commits nothing acknowledged is lost, and in no case is a transaction
 * there in part. What is modelled and what not, {@link LoopDisk} tells.
 *
 * <p>{@code -Dgraphmeta.power.cycles=N} sets how often, for each of the ways. Needs root.
 */
@Timeout(7200)
class PowerLossIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.power.cycles", 2);
  private static final int CYCLES_OF_A_DATABASE = 10;
  private static final int SHARDS = 4;

  @TempDir Path directory;

  private LoopDisk disk(Path base, boolean volatileCache) throws IOException, InterruptedException {
    try {
      return LoopDisk.create(Files.createDirectories(base), volatileCache);
    } catch (IOException e) {
      return abort("no file system on a loop device here, which needs root on Linux: " + e);
    }
  }

  @ParameterizedTest
  @CsvSource({"sync,false", "sync,true", "background,false", "background,true"})
  void noTransactionIsLostOrThereInPart(String durability, boolean volatileCache) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    boolean synced = durability.equals("sync");
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_DATABASE) {
      Path base = directory.resolve("disk-" + first);
      List<List<String>> acknowledged = new ArrayList<>();
      try (LoopDisk disk = disk(base, volatileCache)) {
        for (int cycle = 0; cycle < Math.min(CYCLES_OF_A_DATABASE, CYCLES - first); cycle++) {
          String run = "r" + cycle;
          int enough = 1 + random.nextInt(synced ? 200 : 2000);
          List<String> before = losePower(disk, run, durability, enough);
          if (!synced) {
            readBeforeAWriterHasOpened(disk, run);
          }
          try (CrashedDatabase left = opened(disk)) {
            left.assertNothingLost(run, synced ? before : List.of());
            left.assertClean();
            acknowledged.add(synced ? before : left.newest(run));
          }
        }
        try (CrashedDatabase left = opened(disk)) {
          for (int cycle = 0; cycle < acknowledged.size(); cycle++) {
            left.assertNothingLost("r" + cycle, acknowledged.get(cycle));
          }
        }
      } catch (AssertionError e) {
        throw new AssertionError("with seed " + seed, e);
      }
    }
  }

  /** Lets writers write, and goes back to what the disk held at a moment while they did. */
  private static List<String> losePower(LoopDisk disk, String run, String durability, int enough)
      throws Exception {
    List<String> settings =
        List.of(
            Setting.DURABILITY.key() + "=" + durability,
            Setting.SHARDS.key() + "=" + SHARDS,
            Setting.BACKGROUND_SYNC_MILLIS.key() + "=" + 10,
            Setting.WRITE_BUFFER_BYTES.key() + "=" + (1 << 20));
    Path database = disk.directory().resolve("db");
    List<String> before;
    Path left;
    try (WriterProcess writer = WriterProcess.start(database, run, settings)) {
      before = writer.await(enough);
      left = disk.snapshot();
      assertThat(writer.await(before.size() + 1)).as("went on writing").isNotEmpty();
      writer.kill();
    }
    disk.restartFrom(left);
    OtherBoot.pretend(database, SHARDS);
    return before;
  }

  /** Each store as its own log is left, of which only whole transactions are to be seen. */
  private static void readBeforeAWriterHasOpened(LoopDisk disk, String run) {
    try (CrashedDatabase left = new CrashedDatabase(config(disk).with(Setting.READ_ONLY, "true"))) {
      left.assertNothingLost(run, List.of());
    } catch (GraphMetaException e) { // a vertex was split behind what can be read, or nothing can
      assertThat(e.code()).isIn(ErrorCode.SNAPSHOT_TOO_OLD, ErrorCode.NOT_A_DATABASE);
    }
  }

  /** Opens by itself whatever the loss of power left of the ends of the logs. */
  private static CrashedDatabase opened(LoopDisk disk) {
    return new CrashedDatabase(config(disk));
  }

  private static GraphMetaConfig config(LoopDisk disk) {
    return GraphMetaConfig.inDirectory(disk.directory().resolve("db"))
        .with(Setting.SHARDS, SHARDS)
        .with(Setting.WRITE_BUFFER_BYTES, 1 << 20);
  }

  /** That the model is one: what is synced stays, what is not goes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDiskLosesWhatWasNotSyncedAndNothingElse(boolean volatileCache) throws Exception {
    try (LoopDisk disk = disk(directory.resolve("disk"), volatileCache)) {
      Path synced = write(disk, "synced", "old".repeat(5000));
      Path given = write(disk, "given", "old".repeat(5000));
      for (Path file : List.of(synced, given, disk.directory())) {
        sync(file);
      }
      write(disk, "synced", "new".repeat(5000));
      sync(synced);
      // Past the pages of the file system, but with no flush behind it.
      Path source = write(directory, "source", "new".repeat(5000));
      LoopDisk.run(
          "dd",
          "if=" + source,
          "of=" + given,
          "bs=4096",
          "count=2",
          "oflag=direct",
          "conv=notrunc",
          "status=none");
      Path unsynced = write(disk, "unsynced", "new".repeat(5000));

      disk.restartFrom(disk.snapshot());

      assertThat(Files.readString(synced)).isEqualTo("new".repeat(5000));
      assertThat(Files.readString(given)).startsWith(volatileCache ? "old" : "new");
      assertThat(Files.exists(unsynced) && Files.size(unsynced) > 0).isFalse();
    }
  }

  private static Path write(LoopDisk disk, String name, String text) throws IOException {
    return write(disk.directory(), name, text);
  }

  private static Path write(Path directory, String name, String text) throws IOException {
    Path file = directory.resolve(name);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
    return file;
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
