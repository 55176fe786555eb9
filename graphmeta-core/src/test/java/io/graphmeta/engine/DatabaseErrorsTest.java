package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseErrorsTest {
  @TempDir Path directory;

  private GraphMetaConfig config() {
    return GraphMetaConfig.inDirectory(directory.resolve("db"))
        .with(Setting.DURABILITY, "background");
  }

  private void createWithOneVertex() {
    try (GraphDatabase database = GraphDatabases.open(config());
        GraphTransaction tx = database.begin()) {
      tx.addVertex("a", "file", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  private void assertStillThere() {
    try (GraphDatabase database = GraphDatabases.open(config());
        GraphTransaction tx = database.begin()) {
      assertThat(tx.verticesById(List.of("a"), tx.snapshot()).get(0)).isNotNull();
      assertThat(database.check(rows -> {}).isClean()).isTrue();
    }
  }

  private void assertRefused(GraphMetaConfig config, ErrorCode code, String words) {
    assertThatThrownBy(() -> GraphDatabases.open(config).close())
        .isInstanceOfSatisfying(GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  private void replaceInMarker(String from, String to) throws IOException {
    Path marker = directory.resolve("db").resolve("graphmeta.properties");
    String text = Files.readString(marker).replaceFirst("checksum=.*\n", "");
    Files.writeString(marker, text.replace(from, to));
  }

  @Test
  void aMarkerOfAnEarlierVersionHasNoChecksum() throws IOException {
    createWithOneVertex();
    replaceInMarker("checksum", "checksum");
    assertStillThere();
  }

  @Test
  void aMarkerThatWasChangedIsRefused() throws IOException {
    createWithOneVertex();
    Path marker = directory.resolve("db").resolve("graphmeta.properties");
    Files.writeString(marker, Files.readString(marker).replace("1024", "1025"));
    assertRefused(config(), ErrorCode.CORRUPTION, "checksum");
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    createWithOneVertex();
    replaceInMarker("format=3", "format=4");
    assertRefused(config(), ErrorCode.NEWER_FORMAT, "format version 4; this build reads up to 3");
    replaceInMarker("format=4", "format=3");
    assertStillThere();
  }

  @Test
  void aForeignDirectoryIsRefusedAndLeftAlone() throws IOException {
    Path foreign = Files.createDirectories(directory.resolve("db"));
    Files.writeString(foreign.resolve("notes.txt"), "mine");
    assertRefused(config(), ErrorCode.NOT_A_DATABASE, "is not empty");
    try (var entries = Files.list(foreign)) {
      assertThat(entries).containsExactly(foreign.resolve("notes.txt"));
    }
  }

  @Test
  void aFileIsRefused() throws IOException {
    Files.writeString(directory.resolve("db"), "mine");
    assertRefused(config(), ErrorCode.NOT_A_DATABASE, "expected a directory");
  }

  @Test
  void anAbsentDatabaseIsNotCreatedIfItMustNot() {
    assertRefused(
        config().with(Setting.CREATE, "false"), ErrorCode.NOT_A_DATABASE, "holds no database");
    assertThat(directory.resolve("db")).doesNotExist();
  }

  @Test
  void anOpenDatabaseCannotBeOpenedAgain() {
    createWithOneVertex();
    try (GraphDatabase open = GraphDatabases.open(config())) {
      assertRefused(config(), ErrorCode.ALREADY_OPEN, "open");
      assertThat(open.begin().isOpen()).isTrue();
    }
    assertStillThere();
  }

  @Test
  void anotherNumberOfVirtualNodesIsRefused() {
    createWithOneVertex();
    assertRefused(
        config().with(Setting.VIRTUAL_NODES, 64),
        ErrorCode.MISMATCHED_SETTINGS,
        "virtual-nodes 1024");
    assertStillThere();
  }

  @Test
  void aLostStoreIsNotCreatedOver() throws IOException {
    createWithOneVertex();
    Path store = directory.resolve("db").resolve("shard-0");
    Path aside = directory.resolve("aside");
    Files.move(store, aside);
    assertRefused(config(), ErrorCode.CORRUPTION, "shard-0 is missing");
    assertThat(store).doesNotExist();
    Files.move(aside, store);
    assertStillThere();
  }

  @Test
  void theStoreOfAnotherDatabaseIsRefused() throws IOException {
    createWithOneVertex();
    Path other = directory.resolve("other");
    GraphDatabases.open(config().with(Setting.DIRECTORY, other)).close();
    swap(directory.resolve("db").resolve("shard-0"), other.resolve("shard-0"));
    assertRefused(config(), ErrorCode.CORRUPTION, "expected shard 0 of database");
    assertRefused(
        config().with(Setting.DIRECTORY, other), ErrorCode.CORRUPTION, "expected shard 0");
    swap(directory.resolve("db").resolve("shard-0"), other.resolve("shard-0"));
    assertStillThere();
  }

  private void swap(Path one, Path other) throws IOException {
    Path aside = directory.resolve("aside");
    Files.move(one, aside);
    Files.move(other, one);
    Files.move(aside, other);
  }

  private GraphMetaConfig fourShards() {
    return config().with(Setting.SHARDS, 4);
  }

  private void createOverFourShards() {
    try (GraphDatabase database = GraphDatabases.open(fourShards());
        GraphTransaction tx = database.begin()) {
      for (int i = 0; i < 20; i++) {
        tx.addVertex("v" + i, "file", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  private void assertAllStillThere() {
    try (GraphDatabase database = GraphDatabases.open(fourShards());
        GraphTransaction tx = database.begin()) {
      assertThat(tx.countVertices(Set.of(), tx.snapshot())).isEqualTo(20);
      assertThat(database.check(rows -> {}).isClean()).isTrue();
    }
  }

  @Test
  void anotherNumberOfShardsIsRefused() {
    createOverFourShards();
    for (int shards : new int[] {1, 3, 5, 64}) {
      assertRefused(
          config().with(Setting.SHARDS, shards),
          ErrorCode.MISMATCHED_SETTINGS,
          "has shards 4, fixed at creation; set graphmeta.shards to it instead of " + shards);
    }
    assertRefused(
        fourShards().with(Setting.VIRTUAL_NODES, 64),
        ErrorCode.MISMATCHED_SETTINGS,
        "virtual-nodes 1024");
    assertThat(directory.resolve("db").resolve("shard-4")).doesNotExist();
    assertAllStillThere();
  }

  @Test
  void theStoresOfTwoShardsCannotStandForOneAnother() throws IOException {
    createOverFourShards();
    Path db = directory.resolve("db");
    swap(db.resolve("shard-1"), db.resolve("shard-3"));
    assertRefused(fourShards(), ErrorCode.CORRUPTION, "holds the store of shard 3 of database");
    swap(db.resolve("shard-1"), db.resolve("shard-3"));
    assertAllStillThere();
  }

  @Test
  void aLostShardIsNotCreatedOver() throws IOException {
    createOverFourShards();
    Path store = directory.resolve("db").resolve("shard-2");
    Path aside = directory.resolve("aside");
    Files.move(store, aside);
    assertRefused(fourShards(), ErrorCode.CORRUPTION, "shard-2 is missing");
    assertThat(store).doesNotExist();
    Files.createDirectory(store);
    assertRefused(fourShards(), ErrorCode.CORRUPTION, "shard none of database no database");
    assertThat(store).isEmptyDirectory();
    Files.delete(store);
    Files.move(aside, store);
    assertAllStillThere();
  }

  @Test
  void moreShardsThanAllowedAreRefused() {
    assertThatThrownBy(() -> config().with(Setting.SHARDS, 65))
        .hasMessageContaining("'65'")
        .hasMessageContaining("1 to 64");
  }

  @Test
  void aCreationThatWasCutOffIsDoneAgain() throws IOException {
    createOverFourShards();
    replaceInMarker("state=ready", "state=creating");
    Path db = directory.resolve("db");
    Files.delete(db.resolve("shard-1").resolve("graphmeta-shard.properties"));
    Files.delete(db.resolve("shard-2").resolve("graphmeta-shard.properties"));
    assertAllStillThere();
    assertThat(Files.readString(db.resolve("shard-2").resolve("graphmeta-shard.properties")))
        .contains("shard=2");
    assertAllStillThere();
  }

  @Test
  void useAfterCloseIsAnError() {
    createWithOneVertex();
    GraphDatabase database = GraphDatabases.open(config());
    GraphTransaction tx = database.begin();
    tx.addVertex("b", "file", Map.of(), Stamp.AT_COMMIT);
    database.close();
    assertThatThrownBy(tx::commit).isInstanceOf(GraphMetaException.class);
    assertThatThrownBy(database::begin).hasMessageContaining("closed");
    assertStillThere();
  }

  @Test
  void unknownAndWrongSettingsAreNamed() {
    assertThatThrownBy(() -> GraphMetaConfig.of(Map.of("graphmeta.directry", "x")))
        .hasMessageContaining("'graphmeta.directry'")
        .hasMessageContaining("graphmeta.directory");
    assertThatThrownBy(() -> config().with(Setting.PAGE_BYTES, "many"))
        .hasMessageContaining("'many'")
        .hasMessageContaining("1024 to");
    assertThatThrownBy(() -> GraphMetaConfig.of(Map.of()))
        .hasMessageContaining("graphmeta.directory");
    assertThatThrownBy(() -> config().with(Setting.VIRTUAL_NODES, 100))
        .hasMessageContaining("power of two");
  }
}
