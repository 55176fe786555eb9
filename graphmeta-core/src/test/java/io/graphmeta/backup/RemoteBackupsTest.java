package io.graphmeta.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transfer.Pace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups in an object store: after any break every one that is listed is whole. */
class RemoteBackupsTest {
  private static final FileOperations DISK = FileOperations.ON_DISK;
  private static final Pace PACE = new Pace(0, System::nanoTime, micros -> {});
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private Path directory;

  private final KeptObjects store = new KeptObjects();
  private final RemoteBackups remote = new RemoteBackups(store, DISK);
  private long stamp = 1_800_000_000_000_000L << 10;

  /** A database with a directory of backups. */
  private final class Database {
    final String name;
    final Path target;
    final Path shard;
    final Random random;
    int files;

    Database(String name, long seed) throws IOException {
      this.name = name;
      this.target = directory.resolve("target-" + name);
      this.shard = Files.createDirectory(directory.resolve("shard-" + name));
      this.random = new Random(seed);
    }

    BackupSummary backUp() throws IOException {
      byte[] content = new byte[100 + random.nextInt(300)];
      random.nextBytes(content);
      Files.write(shard.resolve("00000" + ++files + ".sst"), content);
      Files.write(shard.resolve("CURRENT"), content);
      stamp += 5_000_000L << 10;
      BackedUpDatabase database = new BackedUpDatabase(name, 3, stamp, 1, 64, "dido");
      try (BackupWriter writer = BackupWriter.open(target, true, DISK)) {
        return writer.add(database, BackedUpStores.in(List.of(shard), PACE), NOON, bytes -> {});
      }
    }

    Set<String> backups() {
      return names(target);
    }
  }

  private static Set<String> names(Path target) {
    Set<String> names = new TreeSet<>();
    if (Files.exists(target)) {
      new BackupReader(target, DISK)
          .verify(
              null,
              new BackupReader.Findings() {
                @Override
                public void backup(BackupSummary backup) {
                  names.add(backup.name());
                }

                @Override
                public void fault(String what) {
                  throw new AssertionError(what);
                }
              },
              bytes -> {});
    }
    return names;
  }

  /** The names of the backups in the store, by their databases; each of them is whole. */
  private Map<String, Set<String>> requireWhole() {
    Map<String, Set<String>> backups = new TreeMap<>();
    store.objects.forEach(
        (name, content) -> {
          if (name.endsWith(".manifest")) {
            BackupManifest manifest = BackupManifest.parse(name, content);
            for (StoredFile file : manifest.files()) {
              String sha256 = file.digest().sha256();
              byte[] kept = store.objects.get("files/" + sha256.substring(0, 2) + "/" + sha256);
              assertThat(kept).as("%s of %s", file, name).isNotNull();
              assertThat(FileDigest.of(kept)).isEqualTo(file.digest());
            }
            backups
                .computeIfAbsent(manifest.database().identity(), none -> new TreeSet<>())
                .add(manifest.name());
          }
        });
    return backups;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverBreaksEachBackupThatIsListedIsWhole(long seed) throws IOException {
    Random random = new Random(seed);
    List<Database> databases = List.of(new Database("a", seed), new Database("b", seed + 100));
    for (int round = 0; round < 40; round++) {
      Database database = databases.get(random.nextInt(2));
      if (random.nextBoolean() || database.files == 0) {
        database.backUp();
      }
      if (random.nextInt(4) == 0) {
        try (BackupWriter writer = BackupWriter.open(database.target, false, DISK)) {
          writer.expire(1 + random.nextInt(3), Instant.MAX);
        }
      }
      boolean expires = random.nextBoolean();
      Map<String, Set<String>> before = requireWhole();
      store.left = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(12);
      boolean broken = false;
      try {
        remote.push(database.target, expires, bytes -> {});
      } catch (GraphMetaException e) {
        broken = true;
        assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
        assertThat(e).hasMessageContaining("memory").hasMessageContaining("network");
      }
      store.left = Integer.MAX_VALUE;
      Map<String, Set<String>> after = requireWhole();
      String other = database.name.equals("a") ? "b" : "a";
      assertThat(after.get(other)).isEqualTo(before.get(other));
      if (!broken) {
        assertThat(after.get(database.name)).containsAll(database.backups());
        if (expires) {
          assertThat(after.get(database.name)).isEqualTo(database.backups());
        }
      }
    }
    Path fetched = directory.resolve("fetched");
    List<String> all = new ArrayList<>();
    requireWhole().values().forEach(all::addAll);
    for (String each : all) {
      remote.fetch(each, fetched, bytes -> {});
    }
    assertThat(names(fetched)).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void whatIsThereIsNotSentAgain() throws IOException {
    Database database = new Database("a", 1);
    BackupSummary first = database.backUp();
    RemoteBackups.Pushed pushed = remote.push(database.target, false, bytes -> {});
    assertThat(pushed.added()).containsExactly(first.name());
    assertThat(pushed.files()).isEqualTo(1); // both hold the same
    assertThat(remote.push(database.target, false, bytes -> {}))
        .isEqualTo(new RemoteBackups.Pushed(List.of(), List.of(), 0, 0));
    BackupSummary second = database.backUp();
    assertThat(remote.push(database.target, false, bytes -> {}).files()).isEqualTo(1);

    Path fetched = directory.resolve("fetched");
    assertThat(remote.fetch(null, fetched, bytes -> {}).name()).isEqualTo(second.name());
    assertThat(remote.fetch(null, fetched, bytes -> {}).newFiles()).isZero();
    assertThat(remote.fetch(first.name(), fetched, bytes -> {}).newFiles()).isZero();
    assertThat(names(fetched)).containsExactly(first.name(), second.name());
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      ErrorCode code, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void damageIsToldByItsNameAndNothingIsAdded() throws IOException {
    Database database = new Database("a", 1);
    BackupSummary backup = database.backUp();
    remote.push(database.target, false, bytes -> {});
    Map<String, byte[]> whole = new TreeMap<>(store.objects);
    Path fetched = directory.resolve("fetched");
    for (String name : whole.keySet()) {
      byte[] content = whole.get(name).clone();
      content[content.length / 2] ^= 1;
      store.objects.put(name, content);
      if (name.startsWith("files/") || name.startsWith("backups/")) {
        assertFails(ErrorCode.CORRUPTION, () -> remote.fetch(null, fetched, bytes -> {}))
            .hasMessageContaining(name.substring(name.lastIndexOf('/') + 1));
        assertThat(names(fetched)).isEmpty();
      }
      if (name.startsWith("files/")) {
        store.objects.remove(name);
        assertFails(ErrorCode.CORRUPTION, () -> remote.fetch(null, fetched, bytes -> {}))
            .hasMessageContaining("is missing");
      }
      store.objects.putAll(whole);
    }
    Path stored =
        new TargetLayout(database.target)
            .file(
                BackupManifest.parse(manifest(backup), whole.get(manifest(backup)))
                    .files()
                    .get(0)
                    .digest()
                    .sha256());
    Files.write(stored, new byte[] {1});
    store.objects.clear();
    assertFails(ErrorCode.CORRUPTION, () -> remote.push(database.target, false, bytes -> {}))
        .hasMessageContaining(stored.toString());
    assertThat(requireWhole()).isEmpty();
  }

  private static String manifest(BackupSummary backup) {
    return "backups/" + backup.name() + ".manifest";
  }

  @Test
  void aPlaceWithOtherThingsAndOtherBackupsOfANameAreRefused() throws IOException {
    Database database = new Database("a", 1);
    BackupSummary backup = database.backUp();
    assertFails(ErrorCode.NOT_FOUND, () -> remote.fetch(null, directory.resolve("no"), b -> {}))
        .hasMessageContaining("backup push");
    store.objects.put("holiday.jpg", new byte[1]);
    assertFails(ErrorCode.NOT_A_DATABASE, () -> remote.push(database.target, true, bytes -> {}))
        .hasMessageContaining("holiday.jpg");
    assertThat(store.objects).containsOnlyKeys("holiday.jpg");
    store.objects.clear();
    store.objects.put(manifest(backup), "another".getBytes(StandardCharsets.UTF_8));
    assertFails(ErrorCode.ALREADY_EXISTS, () -> remote.push(database.target, false, bytes -> {}))
        .hasMessageContaining(backup.name());
    store.objects.clear();
    remote.push(database.target, false, bytes -> {});
    assertFails(
            ErrorCode.NOT_FOUND,
            () -> remote.fetch("20200101T000000.000000Z", directory.resolve("no"), bytes -> {}))
        .hasMessageContaining(backup.name());
    try (BackupWriter writing = BackupWriter.open(database.target, false, DISK)) {
      assertFails(ErrorCode.ALREADY_OPEN, () -> remote.push(database.target, false, bytes -> {}));
    }
  }
}
