package io.graphmeta.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transfer.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of backups: what is in them after backups, expiries, kills and damage. */
class BackupTargetTest {
  private static final Pace PACE = new Pace(0, System::nanoTime, micros -> {});
  private static final FileOperations DISK = FileOperations.ON_DISK;
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private Path directory;
  private Path target;
  private List<Path> stores;
  private final Random random = new Random(7);
  private long stamp = 1_800_000_000_000_000L << 10;

  @BeforeEach
  void createStores() throws IOException {
    target = directory.resolve("target");
    stores = List.of(directory.resolve("shard-0"), directory.resolve("shard-1"));
    for (Path store : stores) {
      Files.createDirectory(store);
      for (String name : List.of("000001.sst", "000002.sst", "000003.log", "CURRENT")) {
        write(store.resolve(name));
      }
    }
  }

  private void write(Path file) throws IOException {
    byte[] content = new byte[1000 + random.nextInt(1000)];
    random.nextBytes(content);
    Files.write(file, content);
  }

  private BackupSummary add(FileOperations operations) {
    stamp += 5_000_000L << 10;
    BackedUpDatabase database = new BackedUpDatabase("original", 3, stamp, 2, 64, "dido");
    try (BackupWriter writer = BackupWriter.open(target, true, operations)) {
      return writer.add(database, BackedUpStores.in(stores, PACE), NOON, bytes -> {});
    }
  }

  private static final class Found implements BackupReader.Findings {
    final List<String> backups = new ArrayList<>();
    final List<String> faults = new ArrayList<>();

    @Override
    public void backup(BackupSummary backup) {
      backups.add(backup.name());
    }

    @Override
    public void fault(String what) {
      faults.add(what);
    }
  }

  private Found verify() {
    Found found = new Found();
    if (Files.exists(target.resolve("graphmeta-backups.properties"))) {
      new BackupReader(target, DISK).verify(null, found, bytes -> {});
    }
    return found;
  }

  private static Set<String> files(Path root) throws IOException {
    Set<String> names = new TreeSet<>();
    if (Files.exists(root)) {
      try (Stream<Path> all = Files.walk(root)) {
        all.filter(Files::isRegularFile)
            .forEach(file -> names.add(root.relativize(file).toString()));
      }
    }
    return names;
  }

  /** The names of the files that hold what the stores hold. */
  private Set<String> contents() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path store : stores) {
      for (String file : files(store)) {
        String sha256 = FileDigest.of(store.resolve(file)).sha256();
        names.add(sha256.substring(0, 2) + "/" + sha256);
      }
    }
    return names;
  }

  private void assertRestores(String name) throws IOException {
    Path into = directory.resolve("restored-" + name);
    new BackupReader(target, DISK).copyTo(name, shard -> into.resolve("shard-" + shard), b -> {});
    for (Path store : stores) {
      for (String file : files(store)) {
        assertThat(into.resolve(store.getFileName()).resolve(file))
            .hasSameBinaryContentAs(store.resolve(file));
      }
    }
  }

  @Test
  void copiesOnlyWhatIsNew() throws IOException {
    BackupSummary first = add(DISK);
    assertThat(first.newFiles()).isEqualTo(8);
    write(stores.get(1).resolve("000004.sst"));
    write(stores.get(0).resolve("000003.log"));
    BackupSummary second = add(DISK);
    assertThat(second.newFiles()).isEqualTo(2);
    assertThat(second.files()).isEqualTo(9);
    assertRestores(second.name());
    assertThat(verify().backups).containsExactly(first.name(), second.name());
  }

  /** A file that has the name and the size of a known one, but is another, is read again. */
  @Test
  void takesNoOtherFileForAKnownOne() throws IOException {
    add(DISK);
    Path table = stores.get(0).resolve("000001.sst");
    byte[] content = Files.readAllBytes(table);
    content[17]++;
    Files.delete(table);
    Files.write(table, content);
    BackupSummary second = add(DISK);
    assertThat(second.newFiles()).isEqualTo(1);
    assertRestores(second.name());
  }

  @Test
  void equalFilesAreStoredOnce() throws IOException {
    Files.copy(stores.get(0).resolve("000001.sst"), stores.get(1).resolve("000009.sst"));
    assertThat(add(DISK).newFiles()).isEqualTo(8);
    assertThat(files(target.resolve("files"))).isEqualTo(contents());
  }

  /** Whichever operation a process is killed in, backups are whole, and the next one goes well. */
  @Test
  void aBackupThatIsKilledLeavesNothingThatLooksLikeOne() throws IOException {
    String first = "";
    boolean killed = true;
    for (int operation = 1; killed; operation++) {
      KilledOperations operations = new KilledOperations(operation);
      write(stores.get(0).resolve("000002.sst"));
      Set<String> before = new TreeSet<>(verify().backups);
      try {
        add(operations);
      } catch (KilledOperations.Killed e) {
        // and nothing cleans up
      }
      killed = operations.isKilled();
      Found found = verify();
      assertThat(found.faults).as("killed in operation %s", operation).isEmpty();
      assertThat(found.backups).containsAll(before);
      if (operation % 5 == 0) {
        BackupSummary next = add(DISK);
        assertThat(files(target.resolve("incoming"))).isEmpty();
        assertRestores(next.name());
        first = first.isEmpty() ? next.name() : first;
        expireAllBut(1);
        assertThat(files(target.resolve("files"))).isEqualTo(contents());
      }
    }
    assertThat(first).isNotEmpty();
  }

  private void expireAllBut(int keep) {
    try (BackupWriter writer = BackupWriter.open(target, false, DISK)) {
      writer.expire(keep, Instant.MAX);
    }
  }

  @Test
  void anExpiryThatIsKilledLeavesWholeBackups() throws IOException {
    boolean killed = true;
    for (int operation = 1; killed; operation++) {
      for (int i = 0; i < 3; i++) {
        write(stores.get(0).resolve("000002.sst"));
        add(DISK);
      }
      KilledOperations operations = new KilledOperations(operation);
      try (BackupWriter writer = BackupWriter.open(target, false, operations)) {
        writer.expire(1, Instant.MAX);
      } catch (KilledOperations.Killed e) {
        // and nothing cleans up
      }
      killed = operations.isKilled();
      Found found = verify();
      assertThat(found.faults).as("killed in operation %s", operation).isEmpty();
      assertThat(found.backups).isNotEmpty();
      assertRestores(found.backups.get(found.backups.size() - 1) + "");
      deleteRestored();
    }
    expireAllBut(1);
    assertThat(files(target.resolve("files"))).isEqualTo(contents());
  }

  private void deleteRestored() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path entry :
          entries.filter(e -> e.getFileName().toString().startsWith("restored")).toList()) {
        try (Stream<Path> all = Files.walk(entry)) {
          for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
            Files.delete(each);
          }
        }
      }
    }
  }

  @Test
  void expiryKeepsTheNewestAndTheYoung() throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      names.add(add(DISK).name());
    }
    try (BackupWriter writer = BackupWriter.open(target, false, DISK)) {
      assertThat(writer.expire(0, NOON)).as("none is older").isEmpty();
      assertThat(writer.expire(2, NOON.plusSeconds(1)))
          .containsExactlyElementsOf(names.subList(0, 2));
    }
    assertThat(verify().backups).containsExactlyElementsOf(names.subList(2, 4));
  }

  @Test
  void aFlippedByteIsFoundByName() throws IOException {
    BackupSummary backup = add(DISK);
    BackupReader reader = new BackupReader(target, DISK);
    int number = 0;
    for (String kind : List.of("files", "backups")) {
      for (String file : files(target.resolve(kind))) {
        Path damaged = target.resolve(kind).resolve(file);
        byte[] content = Files.readAllBytes(damaged);
        int at = random.nextInt(content.length);
        content[at] ^= 1;
        Files.write(damaged, content);
        assertThat(verify().faults).hasSize(1).first().asString().contains(damaged.toString());
        Path into = directory.resolve("refused-" + number++);
        assertThatThrownBy(
                () ->
                    reader.copyTo(
                        backup.name(), shard -> into.resolve("shard-" + shard), bytes -> {}))
            .isInstanceOfSatisfying(
                GraphMetaException.class,
                e -> {
                  assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
                  assertThat(e).hasMessageContaining(damaged.toString());
                });
        content[at] ^= 1;
        Files.write(damaged, content);
      }
    }
    assertThat(verify().faults).isEmpty();
  }

  @Test
  void aMissingFileIsFoundByName() throws IOException {
    BackupSummary backup = add(DISK);
    Path missing = target.resolve("files").resolve(contents().iterator().next());
    Files.delete(missing);
    assertThat(verify().faults).hasSize(1).first().asString().contains(missing.toString());
    assertThatThrownBy(
            () ->
                new BackupReader(target, DISK)
                    .copyTo(backup.name(), shard -> directory.resolve("r" + shard), bytes -> {}))
        .hasMessageContaining(missing.toString());
  }

  /** Nobody knows what a damaged manifest names. */
  @Test
  void nothingIsRemovedBesideADamagedManifest() throws IOException {
    BackupSummary backup = add(DISK);
    Path manifest = target.resolve("backups").resolve(backup.name() + ".manifest");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("shards=2", "shards=3"));
    Set<String> before = files(target.resolve("files"));
    write(stores.get(0).resolve("000001.sst"));
    add(DISK);
    assertThatThrownBy(() -> expireAllBut(1)).hasMessageContaining(manifest.toString());
    assertThat(files(target.resolve("files"))).containsAll(before);
    Files.writeString(manifest, text);
    assertThat(verify().faults).isEmpty();
  }

  @Test
  void oneWritesAtATime() {
    add(DISK);
    try (BackupWriter writer = BackupWriter.open(target, true, DISK)) {
      assertThat(writer).isNotNull();
      assertThatThrownBy(() -> BackupWriter.open(target, true, DISK))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_OPEN));
    }
    add(DISK);
  }

  @Test
  void refusesWhatIsNoTarget() throws IOException {
    Files.createDirectory(target);
    Files.writeString(target.resolve("letter.txt"), "Dear Amira");
    assertThatThrownBy(() -> add(DISK)).hasMessageContaining("holds other things than backups");
    assertThat(files(target)).containsExactly("letter.txt");
    assertThatThrownBy(() -> new BackupReader(target, DISK)).hasMessageContaining("no backups in");
    assertThatThrownBy(() -> BackupWriter.open(directory.resolve("none"), false, DISK))
        .hasMessageContaining("no backups in");
    Files.delete(target.resolve("letter.txt"));
    String name = add(DISK).name();
    assertThatThrownBy(() -> new BackupReader(target, DISK).find("../" + name))
        .hasMessageContaining("There is no backup");
    assertThat(new BackupReader(target, DISK).find(null).name()).isEqualTo(name);
  }
}
