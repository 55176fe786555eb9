package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transfer.FileEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds backups to a target and removes them, while nobody else does: an open writer holds the lock
 * of the target. Belongs to one thread.
 */
public final class BackupWriter implements AutoCloseable {
  private static final String MARKER_TEXT =
      "# Backups of GraphMeta databases. Do not edit.\nformat=1\n";

  private final TargetLayout target;
  private final FileOperations operations;
  private final FileChannel lock;

  /** What files hold that never change, by the identities of their databases. */
  private final Map<String, Map<StoredFile, FileDigest>> known = new HashMap<>();

  private int incoming;

  private BackupWriter(TargetLayout target, FileOperations operations, FileChannel lock) {
    this.target = target;
    this.operations = operations;
    this.lock = lock;
  }

  /**
   * Opens a target, and makes one of a directory that is absent or empty if that is asked for.
   *
   * @throws GraphMetaException {@code NOT_A_DATABASE} if the directory holds something else, {@code
   *     NOT_FOUND} if there are no backups and none may be made, {@code ALREADY_OPEN} if another
   *     writer has it
   */
  public static BackupWriter open(Path directory, boolean create, FileOperations operations) {
    TargetLayout target = new TargetLayout(directory.toAbsolutePath().normalize());
    try {
      if (!target.isTarget()) {
        if (!create) {
          target.requireTarget();
        }
        if (!target.canBegin()) {
          throw new GraphMetaException(
              ErrorCode.NOT_A_DATABASE,
              target.root()
                  + " holds other things than backups; expected a directory of backups, or an empty one");
        }
        operations.createDirectories(target.root());
        Path parent = target.root().getParent();
        if (parent != null) {
          operations.syncDirectory(parent);
        }
      }
      BackupWriter writer = new BackupWriter(target, operations, lock(target));
      boolean done = false;
      try {
        writer.begin();
        done = true;
        return writer;
      } finally {
        if (!done) {
          writer.close();
        }
      }
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  private static FileChannel lock(TargetLayout target) throws IOException {
    FileChannel channel =
        FileChannel.open(target.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock taken = null;
    try {
      taken = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
    } finally {
      if (taken == null) {
        channel.close();
      }
    }
    if (taken == null) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN,
          "Backups in "
              + target.root()
              + " are being written or expired by another; try again when that is done");
    }
    return channel;
  }

  /** Has the directories there, without what a writer before has left half. */
  private void begin() throws IOException {
    operations.createDirectories(target.incoming());
    for (Path left : TargetLayout.list(target.incoming())) {
      operations.delete(left);
    }
    if (!target.isTarget()) {
      Path marker = arrive(MARKER_TEXT.getBytes(StandardCharsets.UTF_8)).path();
      operations.move(marker, target.marker());
    }
    operations.createDirectories(target.files());
    operations.createDirectories(target.backups());
    operations.syncDirectory(target.root());
  }

  private record Arrived(Path path, FileDigest digest) {}

  private Arrived arrive(byte[] content) throws IOException {
    return arrive(new ByteArrayInputStream(content));
  }

  private Arrived arrive(InputStream content) throws IOException {
    Path fresh = target.incoming().resolve("file-" + incoming++);
    return new Arrived(fresh, operations.copy(content, fresh));
  }

  // Adding

  /**
   * Adds a backup.
   *
   * @param progress is told the number of bytes of the stores that are done
   */
  public BackupSummary add(
      BackedUpDatabase database, BackedUpStores stores, Instant taken, LongConsumer progress) {
    try {
      List<BackupManifest> earlier = readable();
      Map<StoredFile, FileDigest> ofDatabase =
          known.computeIfAbsent(database.identity(), any -> new HashMap<>());
      ofDatabase.putAll(known(database.identity(), earlier));
      Arrivals arrivals = new Arrivals(ofDatabase, unnamed(earlier), progress);
      for (int shard = 0; shard < stores.shards(); shard++) {
        arrivals.take(shard, stores);
      }
      syncFiles(arrivals.unverified);
      verify(arrivals.unverified);
      String name = freeName(database.stamp());
      BackupManifest manifest = new BackupManifest(name, database, taken, arrivals.files);
      publish(name, manifest.write());
      if (earlier.size() + 1 == target.manifests().size()) {
        removeUnnamed();
      }
      Set<FileDigest> named = new HashSet<>();
      arrivals.files.forEach(file -> named.add(file.digest()));
      arrivals.fresh.retainAll(named); // not those of a checkpoint that was lost
      long freshBytes = arrivals.fresh.stream().mapToLong(FileDigest::bytes).sum();
      return BackupSummary.of(manifest, arrivals.fresh.size(), freshBytes);
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  /** What files hold that are elsewhere. */
  interface Source {
    /** The bytes of a file; fails with {@link NoSuchFileException} if it is not there. */
    InputStream open(FileDigest digest) throws IOException;
  }

  /**
   * Adds a backup that was taken for another target. All of its files are read back.
   *
   * @param content of the manifest, as it is to be here
   * @param place of the source, for people
   * @param progress is told the number of bytes that are there
   * @throws GraphMetaException {@code CORRUPTION} that names the file if one is damaged or missing,
   *     {@code ALREADY_EXISTS} if another backup has the name
   */
  BackupSummary bring(
      BackupManifest manifest, byte[] content, Source source, String place, LongConsumer progress)
      throws IOException {
    Path there = target.manifest(manifest.name());
    if (Files.exists(there)) {
      if (!Arrays.equals(Files.readAllBytes(there), content)) {
        throw new GraphMetaException(
            ErrorCode.ALREADY_EXISTS,
            target.root()
                + " has another backup "
                + manifest.name()
                + " than "
                + place
                + "; take another directory");
      }
      return BackupSummary.of(manifest, 0, 0);
    }
    Set<FileDigest> all = new LinkedHashSet<>();
    Set<FileDigest> fresh = new HashSet<>();
    long done = 0;
    for (StoredFile file : manifest.files()) {
      FileDigest digest = file.digest();
      if (all.add(digest)) {
        if (!isStored(digest)) {
          bring(file, source, place);
          fresh.add(digest);
        }
        done += digest.bytes();
        progress.accept(done);
      }
    }
    syncFiles(all);
    verify(all);
    publish(manifest.name(), content);
    long bytes = fresh.stream().mapToLong(FileDigest::bytes).sum();
    return BackupSummary.of(manifest, fresh.size(), bytes);
  }

  private void bring(StoredFile file, Source source, String place) throws IOException {
    FileDigest digest = file.digest();
    String elsewhere = digest.sha256() + " in " + place;
    Arrived arrived;
    try (InputStream in = source.open(digest)) {
      arrived = arrive(in);
    } catch (NoSuchFileException e) {
      throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.missing(elsewhere, file), e);
    }
    if (!arrived.digest().equals(digest)) {
      operations.delete(arrived.path());
      throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.damaged(elsewhere, file));
    }
    operations.createDirectories(target.directory(digest.sha256()));
    operations.move(arrived.path(), target.file(digest.sha256()));
  }

  /** What the files of a database hold that never change, as earlier backups have found. */
  private static Map<StoredFile, FileDigest> known(
      String identity, List<BackupManifest> manifests) {
    Map<StoredFile, FileDigest> known = new HashMap<>();
    for (BackupManifest manifest : manifests) {
      if (manifest.database().identity().equals(identity)) {
        for (StoredFile file : manifest.files()) {
          note(file, known);
        }
      }
    }
    return known;
  }

  private static void note(StoredFile file, Map<StoredFile, FileDigest> known) {
    FileEntry entry = new FileEntry(file.name(), file.digest().bytes(), file.origin());
    if (entry.isImmutable()) {
      known.put(undigested(file.shard(), entry), file.digest());
    }
  }

  private static StoredFile undigested(int shard, FileEntry file) {
    return new StoredFile(shard, file.name(), new FileDigest(file.bytes(), ""), file.origin());
  }

  /** The files that a backup has brought here which was cut off, by what is in them. */
  private Map<String, Long> unnamed(List<BackupManifest> earlier) throws IOException {
    Set<String> named = new HashSet<>();
    earlier.forEach(
        manifest -> manifest.files().forEach(file -> named.add(file.digest().sha256())));
    Map<String, Long> sizes = new HashMap<>();
    for (String stored : target.storedFiles()) {
      if (!named.contains(stored)) {
        sizes.put(stored, Files.size(target.file(stored)));
      }
    }
    return sizes;
  }

  /** The files of one backup, as they come. */
  private final class Arrivals implements BackedUpStores.Receiver {
    private final Map<StoredFile, FileDigest> seen;
    private final Map<String, Long> unnamed;
    private final LongConsumer progress;
    private final List<StoredFile> files = new ArrayList<>();
    private final Set<FileDigest> fresh = new HashSet<>();

    /** What nobody has synced or read back so far: that too which was here and had no name. */
    private final Set<FileDigest> unverified = new HashSet<>();

    private int shard;
    private int ofOtherShards;
    private long done;

    Arrivals(Map<StoredFile, FileDigest> seen, Map<String, Long> unnamed, LongConsumer progress) {
      this.seen = seen;
      this.unnamed = unnamed;
      this.progress = progress;
    }

    void take(int number, BackedUpStores stores) throws IOException {
      shard = number;
      ofOtherShards = files.size();
      stores.read(number, this);
    }

    @Override
    public void begin() {
      List<StoredFile> lost = files.subList(ofOtherShards, files.size());
      done -= lost.stream().mapToLong(file -> file.digest().bytes()).sum();
      lost.clear();
    }

    @Override
    public void file(FileEntry file, BackedUpStores.Content content) throws IOException {
      StoredFile stored = new StoredFile(shard, file.name(), digest(file, content), file.origin());
      files.add(stored);
      note(stored, seen);
      done += file.bytes();
      progress.accept(done);
    }

    private FileDigest digest(FileEntry file, BackedUpStores.Content content) throws IOException {
      FileDigest before = seen.get(undigested(shard, file));
      if (before == null && unnamed.containsValue(file.bytes())) {
        before = content.digest();
      }
      if (before != null && before.bytes() == file.bytes() && isStored(before)) {
        return stored(before);
      }
      Arrived arrived;
      try (InputStream in = content.open()) {
        arrived = arrive(in);
      }
      FileDigest digest = arrived.digest();
      if (isStored(digest)) {
        operations.delete(arrived.path());
        return stored(digest);
      } else {
        Path stored = target.file(digest.sha256());
        operations.createDirectories(target.directory(digest.sha256()));
        operations.move(arrived.path(), stored);
        fresh.add(digest);
        unverified.add(digest);
      }
      return digest;
    }

    private FileDigest stored(FileDigest digest) {
      if (unnamed.containsKey(digest.sha256())) {
        unverified.add(digest);
      }
      return digest;
    }
  }

  private boolean isStored(FileDigest digest) throws IOException {
    Path stored = target.file(digest.sha256());
    return Files.exists(stored) && Files.size(stored) == digest.bytes();
  }

  private void syncFiles(Set<FileDigest> digests) throws IOException {
    Set<Path> directories = new TreeSet<>();
    for (FileDigest digest : digests) {
      directories.add(target.directory(digest.sha256()));
    }
    for (Path directory : directories) {
      operations.syncDirectory(directory);
    }
    operations.syncDirectory(target.files());
  }

  /** Reads back what was written. */
  private void verify(Set<FileDigest> digests) throws IOException {
    for (FileDigest digest : digests) {
      Path stored = target.file(digest.sha256());
      if (!FileDigest.of(stored).equals(digest)) {
        operations.delete(stored);
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE,
            stored + " does not read back as it was written; look after the disk of the backups");
      }
    }
  }

  private String freeName(long stamp) {
    String name = BackupManifest.nameAt(stamp);
    String free = name;
    for (int i = 2; Files.exists(target.manifest(free)); i++) {
      free = name + "-" + i;
    }
    return free;
  }

  private void publish(String name, byte[] content) throws IOException {
    Path fresh = arrive(content).path();
    if (!FileDigest.of(fresh).equals(FileDigest.of(content))) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          fresh + " does not read back as it was written; look after the disk of the backups");
    }
    operations.move(fresh, target.manifest(name));
    operations.syncDirectory(target.backups());
  }

  /** The manifests that can be read. */
  private List<BackupManifest> readable() throws IOException {
    List<BackupManifest> manifests = new ArrayList<>();
    for (Path file : target.manifests()) {
      try {
        manifests.add(BackupManifest.read(file));
      } catch (GraphMetaException e) {
        // Nothing that it may name is removed: see those who count.
      }
    }
    return manifests;
  }

  // Removing

  /**
   * Removes backups, and the files that no other backup names. Of each database the newest stay.
   *
   * @param keep how many of each database stay, whatever their age
   * @param takenBefore those stay that were taken at this moment or later
   * @return the names of what was removed
   * @throws GraphMetaException {@code CORRUPTION} if a manifest cannot be read; nothing was removed
   */
  public List<String> expire(int keep, Instant takenBefore) {
    try {
      Map<String, List<BackupManifest>> byDatabase = new HashMap<>();
      for (Path file : target.manifests()) {
        BackupManifest manifest = BackupManifest.read(file);
        byDatabase
            .computeIfAbsent(manifest.database().identity(), identity -> new ArrayList<>())
            .add(manifest);
      }
      List<String> expired = new ArrayList<>();
      for (List<BackupManifest> all : byDatabase.values()) {
        all.sort(
            Comparator.<BackupManifest>comparingLong(each -> each.database().stamp())
                .thenComparing(BackupManifest::name)
                .reversed());
        all.stream()
            .skip(keep)
            .filter(each -> each.taken().isBefore(takenBefore))
            .forEach(each -> expired.add(each.name()));
      }
      expired.sort(null);
      for (String name : expired) {
        operations.delete(target.manifest(name));
      }
      operations.syncDirectory(target.backups());
      removeUnnamed();
      return expired;
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }

  /** Removes the files that no backup names, once all manifests were read. */
  private void removeUnnamed() throws IOException {
    Set<String> named = new HashSet<>();
    for (Path file : target.manifests()) {
      BackupManifest.read(file).files().forEach(each -> named.add(each.digest().sha256()));
    }
    for (String stored : target.storedFiles()) {
      if (!named.contains(stored)) {
        operations.delete(target.file(stored));
      }
    }
  }

  /** Lets others write. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw TargetErrors.unreadable(target.root(), e);
    }
  }
}
