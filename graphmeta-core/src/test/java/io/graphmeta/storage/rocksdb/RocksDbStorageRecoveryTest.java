package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine.Scope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Opening again, opening what should not be opened, and damage. */
@Timeout(120)
class RocksDbStorageRecoveryTest {
  private static final RocksDbSettings SETTINGS = RocksDbSettings.defaults();
  private static final RocksDbSettings NO_BACKGROUND_SYNC =
      SETTINGS.withBackgroundSyncIntervalMillis(1_000_000);

  @TempDir private Path temporary;

  @Test
  void rowsOutliveTheStore() {
    Path directory = temporary.resolve("a/b/db");
    for (int round = 0; round < 3; round++) {
      try (RocksDbStorage store = RocksDbStorage.open(directory, SETTINGS)) {
        for (int i = 0; i < round * 100; i++) {
          assertThat(store.get(Family.OUT, key(i))).as("row %d", i).isNotNull();
        }
        writeRows(store, round * 100, 100, Durability.BACKGROUND);
        if (round == 1) {
          store.flush();
        }
      }
    }
  }

  /** Other shards are told of it as of what is on disk. */
  @Test
  void whatIsFoundInTheLogIsInTablesBeforeTheStoreIsOpen() throws IOException {
    Path killed = temporary.resolve("killed");
    Path withoutPower = temporary.resolve("without-power");
    try (RocksDbStorage store = RocksDbStorage.open(temporary.resolve("db"), NO_BACKGROUND_SYNC)) {
      writeRows(store, 0, 100, Durability.BACKGROUND);
      copy(temporary.resolve("db"), killed);
    }
    try (RocksDbStorage store = RocksDbStorage.open(killed, NO_BACKGROUND_SYNC)) {
      assertThat(store.get(Family.OUT, key(99))).isNotNull();
      copy(killed, withoutPower);
    }
    try (Stream<Path> files = Files.list(withoutPower)) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        Files.delete(log);
      }
    }
    try (RocksDbStorage store = RocksDbStorage.open(withoutPower, NO_BACKGROUND_SYNC)) {
      for (int i = 0; i < 100; i++) {
        assertThat(store.get(Family.OUT, key(i))).as("row %d", i).isNotNull();
      }
    }
  }

  /** Keys of all lengths, the empty one too, cleared alone or together, with files in between. */
  @Test
  void aClearedStoreOpensAgain() {
    Family[] families = {Family.IDS, Family.META, Family.SPLITS};
    for (int chosen = 1; chosen < 1 << (2 * families.length); chosen++) {
      Path directory = temporary.resolve("cleared" + chosen);
      try (RocksDbStorage store = RocksDbStorage.open(directory, SETTINGS)) {
        RowBatch rows = new RowBatch(16);
        for (int i = 0; i < 2 * families.length; i++) {
          if ((chosen >> i & 1) != 0) {
            rows.put(families[i / 2], new byte[i % 2], new byte[1]);
          }
        }
        store.write(rows, Durability.BACKGROUND);
        store.clear();
        store.flush();
        writeRows(store, 0, 1, Durability.BACKGROUND);
      }
      try (RocksDbStorage store = RocksDbStorage.open(directory, SETTINGS)) {
        assertThat(store.get(Family.OUT, key(0))).as("families %s", chosen).isNotNull();
        assertThat(store.get(Family.META, new byte[0])).isNull();
      }
    }
  }

  @Test
  void refusesASecondOpening() {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      assertError(
          () -> RocksDbStorage.open(temporary, SETTINGS),
          ErrorCode.ALREADY_OPEN,
          temporary.toString());
      assertThat(store.get(Family.META, key(1))).isNull();
    }
    RocksDbStorage.open(temporary, SETTINGS).close();
  }

  @Test
  void refusesASecondOpeningByAnotherName() throws IOException {
    Path real = Files.createDirectory(temporary.resolve("real"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), real);
    try (RocksDbStorage store = RocksDbStorage.open(real, SETTINGS)) {
      assertError(
          () -> RocksDbStorage.open(link, SETTINGS), ErrorCode.ALREADY_OPEN, real.toString());
      assertThat(store.directory()).isEqualTo(real.toRealPath());
    }
  }

  @Test
  void refusesToCreateAmongOtherFiles() throws IOException {
    Files.writeString(temporary.resolve("thesis.txt"), "precious");
    assertError(
        () -> RocksDbStorage.open(temporary, SETTINGS), ErrorCode.NOT_A_DATABASE, "thesis.txt");
    assertThat(files("")).as("nothing is added").containsOnlyKeys("thesis.txt");
  }

  @Test
  void refusesAFile() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "x");
    assertError(
        () -> RocksDbStorage.open(file, SETTINGS),
        ErrorCode.NOT_A_DATABASE,
        "expected a directory");
    assertError(
        () -> RocksDbStorage.open(file.resolve("db"), SETTINGS), ErrorCode.STORAGE_FAILURE, "file");
  }

  @Test
  void createsOnlyIfAllowed() throws IOException {
    RocksDbSettings existing = SETTINGS.withCreateIfMissing(false);
    Path absent = temporary.resolve("absent");
    assertError(
        () -> RocksDbStorage.open(absent, existing), ErrorCode.NOT_A_DATABASE, "does not exist");
    assertThat(absent).doesNotExist();
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    assertError(() -> RocksDbStorage.open(empty, existing), ErrorCode.NOT_A_DATABASE, "is empty");
    assertThat(empty).isEmptyDirectory();
    RocksDbStorage.open(empty, SETTINGS).close();
    RocksDbStorage.open(empty, existing).close();
  }

  @Test
  void finishesACreationCutShort() throws IOException {
    for (String leftover : List.of("LOCK", "LOG", "IDENTITY", "MANIFEST-000001", "000001.dbtmp")) {
      Files.writeString(temporary.resolve(leftover), "");
    }
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 10, Durability.SYNC);
    }
  }

  @Test
  void finishesACreationCutShortBeforeItsFamilies() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB bare = RocksDB.open(options, temporary.toString())) {
      assertThat(bare.getLatestSequenceNumber()).isZero();
    }
    RocksDbStorage.open(temporary, SETTINGS).close();
  }

  @Test
  void refusesADatabaseOfAnotherProgram() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB other = RocksDB.open(options, temporary.toString())) {
      other.put(new byte[] {1}, new byte[] {2});
    }
    assertError(
        () -> RocksDbStorage.open(temporary, SETTINGS),
        ErrorCode.NOT_A_DATABASE,
        "RocksDB database");
  }

  @Test
  void addsTheFamilyOfSplitsToAStoreThatIsOlder() throws Exception {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 10, Durability.SYNC);
    }
    int splits = new ArrayList<>(NativeStore.familyNames()).indexOf("splits");
    withRocksDb((older, handles) -> older.dropColumnFamily(handles.get(splits)));
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      assertThat(store.get(Family.SPLITS, new byte[] {1})).isNull();
      assertThat(scan(store)).isEqualTo(10);
    }
  }

  @Test
  void refusesADatabaseWithUnknownFamilies() throws Exception {
    RocksDbStorage.open(temporary, SETTINGS).close();
    withRocksDb(
        (newer, handles) ->
            newer
                .createColumnFamily(
                    new org.rocksdb.ColumnFamilyDescriptor(
                        "search".getBytes(StandardCharsets.UTF_8)))
                .close());
    assertError(() -> RocksDbStorage.open(temporary, SETTINGS), ErrorCode.NEWER_FORMAT, "search");
  }

  private interface Change {
    void of(RocksDB database, List<org.rocksdb.ColumnFamilyHandle> families) throws Exception;
  }

  private void withRocksDb(Change change) throws Exception {
    List<org.rocksdb.ColumnFamilyDescriptor> families =
        NativeStore.familyNames().stream()
            .map(
                name ->
                    new org.rocksdb.ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8)))
            .collect(Collectors.toList());
    List<org.rocksdb.ColumnFamilyHandle> handles = new ArrayList<>();
    try (org.rocksdb.DBOptions options = new org.rocksdb.DBOptions();
        RocksDB database = RocksDB.open(options, temporary.toString(), families, handles)) {
      change.of(database, handles);
    }
  }

  @Test
  void namesTheDamagedFileAndNeverTakesDamageForTheEnd() throws IOException {
    byte[] value = new byte[100];
    new java.util.Random(7).nextBytes(value);
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      for (int i = 0; i < 5000; i++) {
        put(store, i, value);
      }
      store.flush();
    }
    Path damaged =
        files("sst").entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(entry -> temporary.resolve(entry.getKey()))
            .orElseThrow();
    overwrite(damaged, Files.size(damaged) / 3, 64);
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      String name = damaged.getFileName().toString();
      assertError(() -> scan(store), ErrorCode.CORRUPTION, name);
      assertError(() -> readEach(store), ErrorCode.CORRUPTION, name);
      assertError(() -> multiReadEach(store), ErrorCode.CORRUPTION, name);
      assertThat(store.get(Family.OUT, key(0))).as("what is whole can be read").isEqualTo(value);
      writeRows(store, 10_000, 10, Durability.SYNC);
    }
  }

  @Test
  void namesAMissingFile() throws IOException {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 100, Durability.SYNC);
      store.flush();
    }
    String missing = files("sst").keySet().iterator().next();
    Files.delete(temporary.resolve(missing));
    assertError(() -> RocksDbStorage.open(temporary, SETTINGS), ErrorCode.CORRUPTION, missing);
  }

  @Test
  void aLostCurrentFileIsNoEmptyDirectory() throws IOException {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 100, Durability.SYNC);
    }
    Files.delete(temporary.resolve("CURRENT"));
    assertError(() -> RocksDbStorage.open(temporary, SETTINGS), ErrorCode.CORRUPTION, "CURRENT");
  }

  @Test
  void damageInTheLogIsRefusedUnlessAllowed() throws IOException {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 1000, Durability.SYNC);
    }
    Path log = largestLog();
    overwrite(log, Files.size(log) / 2, 8);
    assertError(
        () -> RocksDbStorage.open(temporary, SETTINGS), ErrorCode.CORRUPTION, "write-ahead log");
    RocksDbSettings lenient =
        SETTINGS.withLogRecovery(RocksDbSettings.LogRecovery.TO_LAST_GOOD_BATCH);
    try (RocksDbStorage store = RocksDbStorage.open(temporary, lenient)) {
      int kept = scan(store);
      assertThat(kept).isBetween(100, 900);
      assertThat(store.get(Family.OUT, key(kept - 1))).isNotNull();
      assertThat(store.get(Family.OUT, key(kept))).isNull();
    }
  }

  @Test
  void aTornEndThatWasNotSyncedIsNoDamage() throws IOException {
    for (int torn = 1; torn < 40; torn += 6) {
      Path directory = temporary.resolve("torn" + torn);
      Path left = temporary.resolve("left" + torn);
      try (RocksDbStorage store = RocksDbStorage.open(directory, NO_BACKGROUND_SYNC)) {
        writeRows(store, 0, 99, Durability.SYNC);
        writeRows(store, 99, 1, Durability.BACKGROUND);
        copy(directory, left);
      }
      cut(largestLog(left), torn);
      try (RocksDbStorage store = RocksDbStorage.open(left, SETTINGS)) {
        assertThat(scan(store)).isEqualTo(99);
      }
    }
  }

  @Test
  void aCutEndThatWasSyncedIsDamage() throws IOException {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 100, Durability.SYNC);
    }
    cut(largestLog(temporary), 1);
    assertError(
        () -> RocksDbStorage.open(temporary, SETTINGS),
        ErrorCode.CORRUPTION,
        "leads to row 99, and rows up to 100 had been synced");
  }

  private static void cut(Path log, int bytes) throws IOException {
    try (var channel = Files.newByteChannel(log, java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - bytes);
    }
  }

  private static void copy(Path directory, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void idleIteratorsAreLetGo() {
    RocksDbSettings brisk = SETTINGS.withBackgroundSyncIntervalMillis(1);
    try (RocksDbStorage store = RocksDbStorage.open(temporary, brisk)) {
      writeRows(store, 0, 10, Durability.SYNC);
      assertThat(scan(store)).isEqualTo(10);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (store.openIterators() > 0 && System.nanoTime() - deadline < 0) {
        Thread.onSpinWait();
      }
      assertThat(store.openIterators()).isZero();
    }
  }

  @Test
  void iteratorsAreReusedAndBounded() {
    try (RocksDbStorage store = RocksDbStorage.open(temporary, SETTINGS)) {
      writeRows(store, 0, 10, Durability.SYNC);
      for (int i = 0; i < 100; i++) {
        assertThat(scan(store)).isEqualTo(10);
      }
      assertThat(store.openIterators()).isEqualTo(1);
      List<RowCursor> many =
          Stream.generate(() -> store.cursor(Family.OUT, Scope.VERTEX)).limit(100).toList();
      assertThat(store.openIterators()).isEqualTo(101);
      many.forEach(RowCursor::close);
      assertThat(store.openIterators()).isLessThan(40).isEqualTo(store.idleIterators());
    }
  }

  private static void writeRows(RocksDbStorage store, int from, int count, Durability durability) {
    for (int i = from; i < from + count; i++) {
      RowBatch batch = new RowBatch(64);
      batch.put(Family.OUT, key(i), ("row " + i).getBytes(StandardCharsets.UTF_8));
      store.write(batch, durability);
    }
  }

  private static void put(RocksDbStorage store, int i, byte[] value) {
    RowBatch batch = new RowBatch(128);
    batch.put(Family.OUT, key(i), value);
    store.write(batch, Durability.BACKGROUND);
  }

  private static int scan(RocksDbStorage store) {
    int rows = 0;
    try (RowCursor cursor = store.cursor(Family.OUT, Scope.FAMILY)) {
      for (boolean found = cursor.seek(new byte[0], 0); found; found = cursor.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static void readEach(RocksDbStorage store) {
    for (int i = 0; i < 5000; i++) {
      assertThat(store.get(Family.OUT, key(i))).isNotNull();
    }
  }

  private static void multiReadEach(RocksDbStorage store) {
    for (int i = 0; i < 5000; i += 10) {
      byte[][] keys = new byte[10][];
      for (int k = 0; k < keys.length; k++) {
        keys[k] = key(i + k);
      }
      for (byte[] value : store.multiGet(Family.OUT, keys)) {
        assertThat(value).isNotNull();
      }
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(12).putLong(i).putInt(1).array();
  }

  private Path largestLog() throws IOException {
    return largestLog(temporary);
  }

  private static Path largestLog(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".log"))
          .max(java.util.Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private static void overwrite(Path file, long position, int count) throws IOException {
    try (var channel = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
      channel.position(position);
      ByteBuffer noise = ByteBuffer.allocate(count);
      while (noise.hasRemaining()) {
        noise.put((byte) 0xa5);
      }
      channel.write(noise.flip());
    }
  }

  private Map<String, Long> files(String suffix) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(file -> file.toString().endsWith(suffix))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString(), file -> file.toFile().length()));
    }
  }

  private static void assertError(ThrowingCallable call, ErrorCode code, String part) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> {
              assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
              assertThat(error.getMessage()).contains(part);
            });
  }
}
