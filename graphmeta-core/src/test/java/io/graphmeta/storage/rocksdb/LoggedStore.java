package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store of which all is known that was written to its log: where each entry lies, and what was
 * synced when it was written. It is left as a killed process leaves it, or closed, and then
 * damaged.
 */
final class LoggedStore {
  private static final RocksDbSettings SETTINGS =
      RocksDbSettings.defaults()
          .withWriteBufferBytes(1 << 16)
          .withBackgroundSyncIntervalMillis(1_000_000);
  private static final int PAGE_BYTES = 4096;

  /**
   * An entry of the log: its bytes, how many entries were synced before it, and whether its rows
   * can be large.
   */
  private record Entry(String file, long from, long to, int syncedBefore, boolean mayBeLarge) {}

  private record Range(String file, long from, long to) {}

  private final Path base;
  private final Random random;
  private int runs;
  private Path directory;
  private @Nullable RocksDbStorage store;

  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Long> syncedBytes = new HashMap<>();
  private final List<byte[]> syncedFiles = new ArrayList<>();
  private final Map<String, byte[]> olderLogs = new HashMap<>();
  private final List<Range> damaged = new ArrayList<>();
  private int synced;

  /** Whether no files are written, so that logs are left that are full and were never synced. */
  private boolean filesRest;

  /** Entries before this one lie in table files since the store was opened. */
  private int inTables;

  LoggedStore(Path base, Random random) throws IOException {
    this.base = base;
    this.random = random;
    this.directory = base.resolve("db");
    this.store = RocksDbStorage.open(directory, SETTINGS);
  }

  /** Writes, and leaves the store. */
  void run(boolean close) throws Exception {
    syncedBytes.clear();
    syncedFiles.clear();
    olderLogs.clear();
    damaged.clear();
    int count = 1 + random.nextInt(random.nextBoolean() ? 20 : 250);
    filesRest = !close && random.nextInt(3) == 0;
    if (filesRest) {
      count = 150 + random.nextInt(100); // two logs, as often as not; more would wait for files
      open().pauseFiles();
    }
    int syncOneIn = 1 + random.nextInt(40);
    syncedFiles.add(Files.readAllBytes(directory.resolve(SyncedFile.NAME)));
    for (int i = 0; i < count; i++) {
      boolean isSync = random.nextInt(syncOneIn) == 0;
      write(isSync && random.nextBoolean());
      if (isSync) {
        open().sync();
        assertLogsAreSynced();
        noteSynced();
      }
      if (random.nextInt(60) == 0) {
        keepOlderLog();
      }
    }
    if (close) {
      close();
      noteSynced();
    } else {
      Path left = base.resolve("left" + runs++);
      if (!filesRest) {
        open().pauseFiles();
      }
      LogFiles.copy(directory, left);
      open().goOnWithFiles();
      close();
      directory = left;
    }
  }

  private RocksDbStorage open() {
    assertThat(store).isNotNull();
    return store;
  }

  private void write(boolean sync) throws IOException {
    int number = entries.size();
    RowBatch batch = new RowBatch(256);
    Random rows = new Random(number);
    int count = 1 + rows.nextInt(4);
    for (int row = 0; row < count; row++) {
      batch.put(family(rows), key(number, row), value(rows, !filesRest));
    }
    TreeMap<String, Long> before = LogFiles.sizes(directory);
    open().write(batch, sync ? Durability.SYNC : Durability.BACKGROUND);
    TreeMap<String, Long> after = LogFiles.sizes(directory);
    String file = after.lastKey();
    entries.add(
        new Entry(
            file, before.getOrDefault(file, 0L), after.lastEntry().getValue(), synced, !filesRest));
    if (sync) {
      noteSynced();
    }
  }

  private static Family family(Random rows) {
    return rows.nextInt(20) == 0 ? Family.META : rows.nextBoolean() ? Family.OUT : Family.IN;
  }

  private static byte[] value(Random rows, boolean mayBeLarge) {
    boolean isLarge = mayBeLarge && rows.nextInt(50) == 0;
    byte[] value = new byte[rows.nextInt(isLarge ? 90_000 : 500)];
    rows.nextBytes(value);
    return value;
  }

  private static byte[] key(int entry, int row) {
    return ByteBuffer.allocate(12).putLong(entry).putInt(row).array();
  }

  /** What lies in the logs was written before the sync. */
  private void assertLogsAreSynced() throws IOException {
    for (Map.Entry<String, Long> log : LogFiles.sizes(directory).entrySet()) {
      assertThat(open().syncedBytes(directory.toRealPath().resolve(log.getKey())))
          .as("synced bytes of %s", log.getKey())
          .isGreaterThanOrEqualTo(log.getValue());
    }
  }

  private void noteSynced() throws IOException {
    synced = entries.size();
    syncedBytes.putAll(LogFiles.sizes(directory));
    syncedFiles.add(Files.readAllBytes(directory.resolve(SyncedFile.NAME)));
  }

  private void keepOlderLog() throws IOException {
    String last = LogFiles.sizes(directory).lastKey();
    olderLogs.put(last, Files.readAllBytes(directory.resolve(last)));
  }

  /** How many entries were acknowledged as synced. */
  long synced() {
    return synced;
  }

  /** How many entries are claimed to be synced by entries that were not damaged. */
  long syncedAsClaimed() {
    int claimed = inTables;
    for (int i = inTables; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      boolean isWhole =
          damaged.stream()
              .noneMatch(
                  range ->
                      range.file.equals(entry.file)
                          && range.from < entry.to
                          && entry.from < range.to);
      if (isWhole && Files.exists(directory.resolve(entry.file))) {
        claimed = Math.max(claimed, entry.syncedBefore);
      }
    }
    return claimed;
  }

  /** Takes away, at random, what was not synced. */
  void losePower() throws IOException {
    byte[] said = syncedFiles.get(random.nextInt(syncedFiles.size()));
    Files.write(directory.resolve(SyncedFile.NAME), said);
    TreeMap<String, Long> logs = LogFiles.sizes(directory);
    for (Map.Entry<String, Long> log : logs.entrySet()) {
      long from = syncedBytes.getOrDefault(log.getKey(), 0L);
      // When it writes files RocksDB syncs the logs before the newest.
      if (from < log.getValue() && (filesRest || log.getKey().equals(logs.lastKey()))) {
        if (random.nextInt(4) > 0) {
          losePages(log.getKey(), from, log.getValue());
        }
        if (random.nextInt(3) == 0) {
          LogFiles.cut(directory.resolve(log.getKey()), endWithin(log.getKey(), from));
        }
      }
    }
  }

  /** An end of a file behind a position, often between two entries. */
  private long endWithin(String log, long from) throws IOException {
    List<Long> ends =
        entries.stream()
            .filter(entry -> entry.file.equals(log) && entry.to >= from)
            .map(Entry::to)
            .toList();
    return ends.isEmpty() || random.nextBoolean()
        ? within(from, Files.size(directory.resolve(log)))
        : ends.get(random.nextInt(ends.size()));
  }

  /** What was never written of pages is empty, or holds what was there before: noise here. */
  private void losePages(String log, long from, long to) throws IOException {
    for (long page = from / PAGE_BYTES * PAGE_BYTES; page < to; page += PAGE_BYTES) {
      if (random.nextInt(3) == 0) {
        long begin = Math.max(from, page);
        overwrite(log, begin, Math.min(to, page + PAGE_BYTES), random.nextInt(4) == 0);
      }
    }
  }

  private long within(long from, long to) {
    return from + (long) (random.nextDouble() * (to - from));
  }

  private void overwrite(String log, long from, long to, boolean noise) throws IOException {
    byte[] bytes = new byte[(int) (to - from)];
    if (noise) {
      random.nextBytes(bytes);
    }
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve(log).toFile(), "rw")) {
      file.seek(from);
      file.write(bytes);
    }
  }

  /** Damages one or two logs anywhere. */
  void damage(boolean losesSyncedFile) throws IOException {
    if (losesSyncedFile && random.nextBoolean()) {
      Files.delete(directory.resolve(SyncedFile.NAME));
    } else if (losesSyncedFile) {
      Files.write(directory.resolve(SyncedFile.NAME), syncedFiles.get(0));
    }
    for (int i = random.nextInt(2); i < 2; i++) {
      List<String> logs = new ArrayList<>(LogFiles.sizes(directory).keySet());
      if (!logs.isEmpty()) {
        damage(logs.get(random.nextInt(logs.size())));
      }
    }
  }

  private void damage(String log) throws IOException {
    Path file = directory.resolve(log);
    long size = Files.size(file);
    byte @Nullable [] older = olderLogs.get(log);
    int kind = random.nextInt(5);
    if (size == 0 || kind == 0) {
      Files.delete(file);
    } else if (kind == 1) {
      long end = endWithin(log, 0);
      LogFiles.cut(file, end);
      damaged.add(new Range(log, end, Long.MAX_VALUE));
    } else if (kind == 2 && older != null) {
      Files.write(file, older);
      damaged.add(new Range(log, older.length, Long.MAX_VALUE));
    } else if (kind == 3) {
      long at = within(0, size);
      LogFiles.flipBit(file, at, random.nextInt(8));
      damaged.add(new Range(log, at, at + 1));
    } else {
      long from = within(0, size) / 512 * 512;
      long to = Math.min(size, from + 512L * (1 + random.nextInt(40)));
      overwrite(log, from, to, random.nextInt(3) == 0);
      damaged.add(new Range(log, from, to));
    }
  }

  /** Opens what was left. */
  void reopen() {
    store = RocksDbStorage.open(directory, SETTINGS);
  }

  /** As its error says. */
  void assertOpensIfAllowed() throws IOException {
    store =
        RocksDbStorage.open(
            directory, SETTINGS.withLogRecovery(RocksDbSettings.LogRecovery.TO_LAST_GOOD_BATCH));
    write(true);
    close();
    reopen();
    close();
  }

  /** At least so many entries are there, none behind one that is not, and each as a whole. */
  void assertHoldsABeginning(long atLeast) {
    int held = 0;
    while (held < entries.size() && holds(held)) {
      held++;
    }
    assertThat(held).as("entries held of %d", entries.size()).isGreaterThanOrEqualTo((int) atLeast);
    for (int entry = held; entry < entries.size(); entry++) {
      assertThat(holds(entry)).as("entry %d behind %d", entry, held).isFalse();
    }
    entries.subList(held, entries.size()).clear();
    synced = held;
    inTables = held;
  }

  /** True if all rows of an entry are there, false if none is. */
  private boolean holds(int entry) {
    Random rows = new Random(entry);
    int count = 1 + rows.nextInt(4);
    int found = 0;
    for (int row = 0; row < count; row++) {
      byte[] stored = open().get(family(rows), key(entry, row));
      byte[] value = value(rows, entries.get(entry).mayBeLarge);
      if (stored != null) {
        assertThat(stored).as("row %d of entry %d", row, entry).isEqualTo(value);
        found++;
      }
    }
    assertThat(found).as("rows of entry %d", entry).isIn(0, count);
    return found == count;
  }

  void close() {
    if (store != null) {
      store.close();
      store = null;
    }
  }

  /** Files of logs. */
  static final class LogFiles {
    private LogFiles() {}

    static void copy(Path from, Path to) throws IOException {
      Files.createDirectories(to);
      try (Stream<Path> files = Files.list(from)) {
        for (Path file : files.toList()) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }

    static TreeMap<String, Long> sizes(Path directory) throws IOException {
      TreeMap<String, Long> sizes = new TreeMap<>();
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          if (file.toString().endsWith(".log")) {
            sizes.put(file.getFileName().toString(), file.toFile().length());
          }
        }
      }
      return sizes;
    }

    static void cut(Path log, long bytes) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(bytes);
      }
    }

    static void flipBit(Path log, long at, int bit) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ 1 << bit);
      }
    }
  }
}
