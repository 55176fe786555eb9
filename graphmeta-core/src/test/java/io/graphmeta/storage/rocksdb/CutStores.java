package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.rocksdb.LoggedStore.LogFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores whose logs are cut together, and what must be left of them when they lose their power at
 * one moment. One more log is cut with theirs, as the last: its store is empty, and it can keep a
 * cut, which has synced the others by then, from going on.
 */
final class CutStores {
  static final int STORES = 3;

  private static final long NEVER = 1_000_000;
  private static final RocksDbSettings SETTINGS =
      RocksDbSettings.defaults()
          .withWriteBufferBytes(1 << 16)
          .withBackgroundSyncIntervalMillis(NEVER);

  private final Path base;
  private final Random random;
  private int runs;
  private Path directory;
  private final List<RocksDbStorage> stores = new ArrayList<>();
  private @Nullable LogCuts cuts;

  /** What was written to each store. */
  private final List<List<Write>> written = new ArrayList<>();

  /** The row of each store that was cut at last for certain. */
  private final long[] cut = new long[STORES];

  private final long[] lastRow = new long[STORES];
  private long next;
  private @Nullable Brake brake;
  private int heldCuts;

  /** A write: its number, its last row, and where it ends in the log. */
  private record Write(long number, long lastRow, String log, long end) {}

  CutStores(Path base, Random random) throws IOException {
    this.base = base;
    this.random = random;
    this.directory = base.resolve("stores");
    for (int store = 0; store < STORES; store++) {
      written.add(new ArrayList<>());
    }
    RocksDbStorage.open(path(STORES), SETTINGS).close();
    open();
  }

  /** How often the stores were left in the midst of a cut. */
  int heldCuts() {
    return heldCuts;
  }

  private Path path(int store) {
    return directory.resolve("shard-" + store);
  }

  private List<Path> paths() {
    List<Path> paths = new ArrayList<>();
    for (int store = 0; store <= STORES; store++) {
      paths.add(path(store));
    }
    return paths;
  }

  private void open() throws IOException {
    LogCuts opened = new LogCuts(directory, NEVER);
    for (int store = 0; store < STORES; store++) {
      stores.add(RocksDbStorage.open(path(store), SETTINGS, opened));
    }
    long opening = SyncedFile.read(path(STORES)).manifest();
    brake = new Brake(opening);
    opened.add(brake);
    opened.begin();
    cuts = opened;
    for (int store = 0; store < STORES; store++) {
      lastRow[store] = opened.positions().get(store).row();
    }
    noteCut();
  }

  /** The log of the store that nothing is written to, which can hold a cut. */
  private static final class Brake implements CutLog {
    private final long opening;
    private volatile CountDownLatch reached = new CountDownLatch(0);
    private volatile CountDownLatch released = new CountDownLatch(0);
    private volatile boolean fails;

    Brake(long opening) {
      this.opening = opening;
    }

    /** Holds the cuts that follow; the latch tells when one has come. */
    CountDownLatch hold() {
      released = new CountDownLatch(1);
      reached = new CountDownLatch(1);
      return reached;
    }

    /** Lets the cuts that follow fail; the latch tells when one has come. */
    CountDownLatch fail() {
      fails = true;
      reached = new CountDownLatch(1);
      return reached;
    }

    void release() {
      released.countDown();
    }

    @Override
    public long opening() {
      return opening;
    }

    @Override
    public long position() {
      return 0;
    }

    @Override
    public void sync() {
      reached.countDown();
      if (fails) {
        throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "planted");
      }
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  // What is done to them

  /** Writes to some store, and returns its number. */
  int write() throws IOException {
    int store = random.nextInt(STORES);
    RowBatch batch = new RowBatch(256);
    int rows = 1 + random.nextInt(3);
    for (int row = 0; row < rows; row++) {
      byte[] value = new byte[random.nextInt(random.nextInt(40) == 0 ? 50_000 : 300)];
      random.nextBytes(value);
      batch.put(family(next), key(next, row), value);
    }
    stores.get(store).write(batch, Durability.BACKGROUND);
    Map.Entry<String, Long> log = LogFiles.sizes(path(store)).lastEntry();
    lastRow[store] += rows;
    written.get(store).add(new Write(next++, lastRow[store], log.getKey(), log.getValue()));
    return store;
  }

  private static Family family(long number) {
    return List.of(Family.OUT, Family.IN, Family.META).get((int) (number % 3));
  }

  private static byte[] key(long number, int row) {
    return ByteBuffer.allocate(12).putLong(number).putInt(row).array();
  }

  void cut() {
    cuts.awaitCut(() -> false);
    noteCut();
  }

  private void noteCut() {
    System.arraycopy(lastRow, 0, cut, 0, STORES);
  }

  /** Writes the tables of some store, for which all are cut if it has rows that are in none. */
  void flush() {
    stores.get(random.nextInt(STORES)).flush();
  }

  /** Syncs one log, which promises nothing. */
  void syncOne() {
    stores.get(random.nextInt(STORES)).sync();
  }

  /** Only the process ends. */
  void end() throws Exception {
    leave(false);
    reopen(lastRow); // nothing is lost
  }

  /**
   * The power is lost: between two cuts, or in the midst of one or of the write of a table, or
   * behind the end of a process whose last cut failed.
   */
  void losePower() throws Exception {
    switch (random.nextInt(5)) {
      case 0 -> closeWithoutCut();
      case 1, 2 -> leave(true);
      default -> leave(false);
    }
    if (random.nextBoolean()) {
      tearNext();
    }
    long[] rows = new long[STORES];
    List<CutFile.Position> left = newest(Files.readAllBytes(cutFile())).positions();
    for (int store = 0; store < STORES; store++) {
      rows[store] = left.get(store).row();
      assertThat(rows[store]).as("cut of store %d", store).isGreaterThanOrEqualTo(cut[store]);
      loseEnd(store, rows[store]);
    }
    OtherBoot.pretend(directory, STORES + 1);
    reopen(rows);
  }

  /** Leaves the stores as the end of the process does. */
  private void leave(boolean inCut) throws Exception {
    Path left = base.resolve("left" + runs++);
    if (inCut) {
      copyInCut(left);
    } else {
      for (RocksDbStorage store : stores) {
        store.pauseFiles();
      }
      copy(left);
      for (RocksDbStorage store : stores) {
        store.goOnWithFiles();
      }
    }
    close();
    directory = left;
    // The run that was closed has gone on with its file, and this is another name of it.
    Files.write(cutFile(), Files.readAllBytes(directory.resolve("cuts")));
  }

  /** Ends in order but for the cuts, which cannot be had, while a table waits for one. */
  private void closeWithoutCut() throws Exception {
    RocksDbStorage flushed = stores.get(write());
    Brake failing = brake;
    CountDownLatch reached = failing.fail();
    Thread waiting =
        new Thread(
            () -> {
              try {
                flushed.flush();
              } catch (GraphMetaException e) {
                // closed meanwhile
              }
            });
    waiting.start();
    while (waiting.isAlive() && !reached.await(1, TimeUnit.MILLISECONDS)) {
      continue;
    }
    assertThatThrownBy(cuts::close).isInstanceOf(GraphMetaException.class);
    cuts = null;
    stores.forEach(RocksDbStorage::close);
    stores.clear();
    waiting.join();
  }

  /** Copies the stores while a cut has synced all logs, and is not in the file. */
  private void copyInCut(Path left) throws Exception {
    int changed = write();
    RocksDbStorage flushed = stores.get(changed);
    boolean isFlushed = random.nextBoolean();
    Brake held = brake;
    CountDownLatch reached = held.hold();
    Thread waiting =
        new Thread(
            () -> {
              if (isFlushed) {
                flushed.flush();
              } else {
                cuts.awaitCut(() -> false);
              }
            });
    try {
      waiting.start();
      boolean isHeld = false;
      while (!isHeld && waiting.isAlive()) { // it ends by itself if all was cut already
        isHeld = reached.await(1, TimeUnit.MILLISECONDS);
      }
      if (isHeld) {
        assertThat(newest(Files.readAllBytes(cutFile())).positions())
            .as("the cut on disk while logs are synced")
            .isNotEqualTo(cuts.positions());
        heldCuts++;
      }
      for (RocksDbStorage store : stores) {
        store.store.db.disableFileDeletions();
      }
      copy(left);
    } finally {
      held.release();
      waiting.join();
    }
  }

  private Path cutFile() {
    return directory.resolve(CutFile.NAME);
  }

  private void copy(Path left) throws IOException {
    for (Path store : paths()) {
      Path to = Files.createDirectories(left.resolve(store.getFileName()));
      copy(store, to, name -> name.startsWith("MANIFEST"));
      copy(store, to, name -> !name.startsWith("MANIFEST"));
    }
    // The very file, as the end of a process leaves it.
    Files.createLink(left.resolve(CutFile.NAME), cutFile());
    Files.write(left.resolve("cuts"), Files.readAllBytes(cutFile()));
  }

  private static void copy(Path from, Path to, Predicate<String> names) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Path name = file.getFileName();
        try {
          if (names.test(name.toString())) {
            Files.copy(file, to.resolve(name));
          }
        } catch (NoSuchFileException e) {
          // What goes away meanwhile is not in the list of files.
        }
      }
    }
  }

  private static CutFile.Cut newest(byte[] bytes) {
    int length = bytes.length / 2;
    CutFile.Cut first = CutFile.Cut.decode(Arrays.copyOf(bytes, length), STORES + 1);
    CutFile.Cut second =
        CutFile.Cut.decode(Arrays.copyOfRange(bytes, length, 2 * length), STORES + 1);
    return second == null || first != null && first.number() > second.number() ? first : second;
  }

  /** The next cut was begun to be written. */
  private void tearNext() throws IOException {
    byte[] bytes = Files.readAllBytes(cutFile());
    long number = newest(bytes).number() + 1;
    int from = (int) (number % 2) * bytes.length / 2 + random.nextInt(200);
    for (int at = from; at < from + 100; at++) {
      bytes[at] = (byte) random.nextInt();
    }
    Files.write(cutFile(), bytes);
  }

  /** Of what was written behind the last cut the disk may have lost anything. */
  private void loseEnd(int store, long row) throws IOException {
    Write kept =
        written.get(store).stream()
            .filter(write -> write.lastRow <= row)
            .reduce(new Write(-1, 0, "", 0), (one, next) -> next);
    for (Map.Entry<String, Long> log : LogFiles.sizes(path(store)).entrySet()) {
      int order = log.getKey().compareTo(kept.log);
      long from = order < 0 ? log.getValue() : order == 0 ? kept.end : 0;
      long to = log.getValue();
      Path file = path(store).resolve(log.getKey());
      if (from < to && random.nextInt(3) > 0) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          long at = from + (long) (random.nextDouble() * (to - from));
          bytes.seek(at);
          bytes.write(new byte[(int) Math.min(to - at, 1 + random.nextInt(5000))]);
        }
      }
      if (from < to && random.nextInt(3) > 0) {
        LogFiles.cut(file, from + (long) (random.nextDouble() * (to - from)));
      }
    }
  }

  private void reopen(long[] rows) throws IOException {
    boolean isRecovered = rows != lastRow && random.nextInt(3) == 0 && recoveredWithoutLastLog();
    if (!isRecovered) {
      CutRecovery.run(directory, paths(), SETTINGS);
    }
    assertThat(CutFile.exists(directory)).isFalse();
    long[] held = rows.clone();
    open();
    for (int store = 0; store < STORES; store++) {
      assertHolds(store, held[store]);
    }
  }

  /**
   * Begins to go back, which ends at the last store if its log is needed: false then, with the log
   * where it was.
   */
  private boolean recoveredWithoutLastLog() throws IOException {
    Path last = path(STORES - 1);
    Path away = Files.createDirectories(base.resolve("away" + runs));
    List<String> logs = List.copyOf(LogFiles.sizes(last).keySet());
    for (String log : logs) {
      Files.move(last.resolve(log), away.resolve(log));
    }
    try {
      CutRecovery.run(directory, paths(), SETTINGS);
      return true;
    } catch (GraphMetaException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
      for (String log : logs) {
        Files.move(away.resolve(log), last.resolve(log));
      }
      return false;
    }
  }

  /** All up to a row is there, and nothing behind it. */
  private void assertHolds(int store, long row) {
    List<Write> writes = written.get(store);
    for (Write write : writes) {
      byte[] first = stores.get(store).get(family(write.number), key(write.number, 0));
      assertThat(first != null)
          .as("%s to store %d of %d, cut behind row %d", write, store, writes.size(), row)
          .isEqualTo(write.lastRow <= row);
    }
    writes.removeIf(write -> write.lastRow > row);
  }

  void close() {
    if (cuts != null) {
      cuts.close();
      stores.forEach(RocksDbStorage::close);
      stores.clear();
      cuts = null;
    }
  }
}
