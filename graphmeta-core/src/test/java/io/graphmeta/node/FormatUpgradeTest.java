package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.formats.GoldenFile;
import io.graphmeta.formats.GraphListing;
import io.graphmeta.formats.StoredFiles;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The way from an older format to that of this build, walked by a database of four shards. The
 * older formats are made up for the test, since there is none: in version 0 the rows of ids begin
 * with small letters; version -1 is the same.
 */
class FormatUpgradeTest {
  private static final String STORE = "store-1-servers-4";
  private static final int ROWS_IN_BATCH = 5;

  private final List<Integer> stepsTaken = new ArrayList<>();
  private int rowsUntilFailure = Integer.MAX_VALUE;

  @TempDir private Path directory;
  private GraphMetaConfig config;
  private Path marker;

  @BeforeEach
  void makeVersionZero() throws IOException {
    StoredFiles.unpack(GoldenFile.DIRECTORY.resolve(STORE + ".zip"), directory);
    config = GraphDatabases.asCreated(GraphMetaConfig.inDirectory(directory));
    marker = directory.resolve(DatabaseDirectory.MARKER);
    for (int shard = 0; shard < config.number(Setting.SHARDS); shard++) {
      try (StorageEngine store = openStore(shard)) {
        assertThat(rewriteIds(store, 'V', 'v') + rewriteIds(store, 'E', 'e')).isPositive();
      }
    }
    setVersion(0);
  }

  private StorageEngine openStore(int shard) {
    return RocksDbStorage.open(
        directory.resolve("server-" + shard),
        new HostSettings(config, Hosting.whole(config)).store(false));
  }

  private void setVersion(int version) throws IOException {
    String text = Files.readString(marker).replaceFirst("checksum=.*\n", "");
    Files.writeString(marker, text.replaceFirst("format=.*\n", "format=" + version + "\n"));
  }

  /** Replaces the first letter of the rows that begin with one; returns how many there were. */
  private int rewriteIds(StorageEngine store, char from, char to) {
    RowBatch batch = new RowBatch(1024);
    int rows = 0;
    try (RowCursor cursor = store.cursor(Family.IDS, StorageEngine.Scope.FAMILY)) {
      byte[] first = {(byte) from};
      for (boolean more = cursor.seek(first, 1);
          more && cursor.key()[0] == from;
          more = cursor.next()) {
        byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
        byte[] value = Arrays.copyOf(cursor.value(), cursor.valueLength());
        batch.delete(Family.IDS, key);
        byte[] renamed = key.clone();
        renamed[0] = (byte) to;
        batch.put(Family.IDS, renamed, value);
        rows++;
        if (rows % ROWS_IN_BATCH == 0) {
          store.write(batch, Durability.BACKGROUND);
          batch.clear();
        }
        if (rowsUntilFailure-- == 0) {
          throw new GraphMetaException(
              ErrorCode.STORAGE_FAILURE, "The disk is full, says the test");
        }
      }
    }
    store.write(batch, Durability.BACKGROUND);
    return rows;
  }

  private FormatUpgrades upgrades() {
    return new FormatUpgrades(
        List.of(
            new FormatUpgrade(-1, store -> stepsTaken.add(-1)),
            new FormatUpgrade(
                0,
                store -> {
                  stepsTaken.add(0);
                  rewriteIds(store, 'v', 'V');
                  rewriteIds(store, 'e', 'E');
                }),
            new FormatUpgrade(1),
            new FormatUpgrade(2)));
  }

  /** Replicas would differ, since each of them is opened by another process at another time. */
  @Test
  void rowsOfReplicasAreNotRewritten() throws IOException {
    Path replicas = directory.resolveSibling(directory.getFileName() + "-replicas");
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(replicas).with(Setting.SHARDS, 4).with(Setting.CREATE, true);
    Hosting hosting = Hosting.ofReplicas("7b7c8f4e-0000-4000-8000-000000000001", List.of(0, 2), 2);
    HostedShards.open(config, hosting, InstantSource.system()).close();
    marker = replicas.resolve(DatabaseDirectory.MARKER);
    setVersion(2);
    assertThat(DatabaseDirectory.open(config, hosting, upgrades()).numbers()).containsExactly(0, 2);
    assertThat(Files.readString(marker)).contains("format=3\n", "state=ready\n");

    setVersion(0);
    String before = Files.readString(marker);
    assertThatThrownBy(() -> DatabaseDirectory.open(config, hosting, upgrades()))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OLDER_FORMAT))
        .hasMessageContaining(marker + " has format version 0")
        .hasMessageContaining("restore the backup");
    assertThat(Files.readString(marker)).isEqualTo(before);
    assertThat(stepsTaken).isEmpty();
  }

  private void upgrade() {
    assertThat(DatabaseDirectory.open(config, Hosting.whole(config), upgrades()).isCreating())
        .isFalse();
  }

  private static void assertRefused(ThrowingCallable opening, ErrorCode code) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code));
  }

  private void assertSaysWhatItSaid() throws IOException {
    assertThat(marker).content().contains("format=3\n", "shards=4\n", "state=ready\n", "checksum=");
    List<String> said = Files.readAllLines(GoldenFile.DIRECTORY.resolve(STORE + ".txt"));
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(GraphListing.of(database, GraphListing.pointsOf(said)))
          .containsExactlyElementsOf(said);
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  @Test
  void aDatabaseOfAnOlderFormatIsUpgradedOnce() throws IOException {
    upgrade();
    assertThat(stepsTaken).containsExactly(0, 0, 0, 0);
    upgrade();
    assertThat(stepsTaken).hasSize(4);
    assertSaysWhatItSaid();
  }

  @Test
  void stepsFollowOneAnother() throws IOException {
    setVersion(-1);
    upgrade();
    assertThat(stepsTaken).containsExactly(-1, -1, -1, -1, 0, 0, 0, 0);
    assertSaysWhatItSaid();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 20, 45})
  void anUpgradeThatWasCutOffGoesOn(int rows) throws IOException {
    rowsUntilFailure = rows;
    assertRefused(this::upgrade, ErrorCode.STORAGE_FAILURE);
    assertThat(marker).content().contains("format=1\n", "state=upgrading\n");
    rowsUntilFailure = Integer.MAX_VALUE;
    assertRefused(() -> GraphDatabases.open(config), ErrorCode.OLDER_FORMAT);
    upgrade();
    assertSaysWhatItSaid();
  }

  @Test
  void aFormatWithoutAWayFromItIsRefusedAndLeftAlone() throws IOException {
    String text = Files.readString(marker);
    assertRefused(() -> GraphDatabases.open(config), ErrorCode.OLDER_FORMAT);
    setVersion(-2);
    assertRefused(this::upgrade, ErrorCode.OLDER_FORMAT);
    setVersion(4);
    assertRefused(this::upgrade, ErrorCode.NEWER_FORMAT);
    setVersion(0);
    assertThat(marker).hasContent(text);
    upgrade();
    assertSaysWhatItSaid();
  }

  @Test
  void aDatabaseThatIsOpenIsNotUpgraded() throws IOException {
    String text = Files.readString(marker);
    try (StorageEngine open = openStore(2)) {
      assertRefused(this::upgrade, ErrorCode.ALREADY_OPEN);
      assertThat(open.statistics()).isNotNull();
    }
    assertThat(marker).hasContent(text);
    assertThat(stepsTaken).isEmpty();
  }
}
