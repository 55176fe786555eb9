package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/*
 * What is in an object store at any moment
 *
 * Objects have the names of the files in a target, and are as little changed as these. A manifest comes when
 * all that it names is there, has been listed with its size, and was compared by the store with the checksum
 * that it was sent with. What is removed loses its manifest first; then the files go that no manifest names.
 * So each backup whose manifest is there is whole, wherever the process ends, and the next push goes on.
 */

/**
 * Backups that are kept in an object store as well as in a target, or were. Belongs to one thread.
 */
public final class RemoteBackups {
  private static final String FILES = "files/";
  private static final String BACKUPS = "backups/";
  private static final String MARKER = "graphmeta-backups.properties";

  private final ObjectStore store;
  private final FileOperations operations;

  /** Those of a store. */
  public RemoteBackups(ObjectStore store, FileOperations operations) {
    this.store = store;
    this.operations = operations;
  }

  /**
   * What a push has done.
   *
   * @param added the names of the backups that came
   * @param removed the names of those that went
   * @param files how many files of backups were sent
   * @param bytes their size
   */
  public record Pushed(List<String> added, List<String> removed, int files, long bytes) {
    /** Copies the names. */
    public Pushed {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Sends the backups of a target that the store does not have.
   *
   * @param expires whether backups of the same databases go that the target does not have any more,
   *     and the files that no other backup names; nobody else may push to the store meanwhile
   * @param progress is told the number of bytes sent so far
   * @throws GraphMetaException {@code NOT_A_DATABASE} if the store holds something else, {@code
   *     ALREADY_EXISTS} if it has another backup of the same name, {@code CORRUPTION} if a file of
   *     the target is damaged or missing, {@code ALREADY_OPEN} if the target is being written,
   *     {@code STORAGE_FAILURE}; what is in the store is whole then
   */
  public Pushed push(Path directory, boolean expires, LongConsumer progress) {
    TargetLayout target = new TargetLayout(directory.toAbsolutePath().normalize());
    try (BackupWriter alone = BackupWriter.open(directory, false, operations)) {
      return new Push(target, progress).run(expires);
    } catch (IOException e) {
      throw TargetErrors.unreadable(store.place() + " and " + target.root(), e);
    }
  }

  /**
   * Brings a backup from the store into a target, which is made if it is not there.
   *
   * @param name of the backup; null for the newest
   * @param progress is told the number of bytes that are there so far
   * @throws GraphMetaException {@code NOT_FOUND} if there is none, {@code CORRUPTION} that names
   *     the object if one is damaged or missing, {@code ALREADY_EXISTS} if the target has another
   *     backup of the same name, and what adding a backup throws; nothing was added then
   */
  public BackupSummary fetch(@Nullable String name, Path directory, LongConsumer progress) {
    try {
      SortedMap<String, Long> there = list();
      if (!there.containsKey(MARKER)) {
        throw new GraphMetaException(
            ErrorCode.NOT_FOUND,
            "There are no backups in "
                + store.place()
                + "; expected a place that 'graphmeta backup push' has written to");
      }
      String object = chosen(there, name);
      byte[] content = manifest(object);
      try (BackupWriter writer = BackupWriter.open(directory, true, operations)) {
        return writer.bring(
            BackupManifest.parse(object, content),
            content,
            digest -> store.open(fileName(digest)),
            store.place(),
            progress);
      }
    } catch (IOException e) {
      throw TargetErrors.unreadable(store.place() + " and " + directory, e);
    }
  }

  private String chosen(SortedMap<String, Long> there, @Nullable String name) {
    List<String> manifests = there.keySet().stream().filter(RemoteBackups::isManifest).toList();
    String chosen =
        name == null
            ? manifests.isEmpty() ? "" : manifests.get(manifests.size() - 1)
            : manifestName(name);
    if (!manifests.contains(chosen)) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          name == null
              ? "No backup in " + store.place() + " was ever completed"
              : "There is no backup '"
                  + name
                  + "' in "
                  + store.place()
                  + "; expected one of "
                  + String.join(", ", manifests.stream().map(RemoteBackups::backupName).toList()));
    }
    return chosen;
  }

  /** The objects, which all are of backups. */
  private SortedMap<String, Long> list() throws IOException {
    SortedMap<String, Long> there = new TreeMap<>(store.list());
    for (String each : there.keySet()) {
      if (!each.equals(MARKER) && !each.startsWith(FILES) && !isManifest(each)) {
        throw new GraphMetaException(
            ErrorCode.NOT_A_DATABASE,
            store.place()
                + " holds other things than backups, such as '"
                + each
                + "'; expected an empty place, or one that 'graphmeta backup push' has written to");
      }
    }
    return there;
  }

  private byte[] manifest(String object) throws IOException {
    try (InputStream in = store.open(object)) {
      return in.readAllBytes();
    }
  }

  private static boolean isManifest(String object) {
    return object.startsWith(BACKUPS) && object.endsWith(BackupManifest.ENDING);
  }

  private static String manifestName(String backup) {
    return BACKUPS + backup + BackupManifest.ENDING;
  }

  private static String backupName(String manifest) {
    return manifest.substring(BACKUPS.length(), manifest.length() - BackupManifest.ENDING.length());
  }

  private static String fileName(FileDigest digest) {
    return FILES + digest.sha256().substring(0, 2) + "/" + digest.sha256();
  }

  /** One push, from a target that nobody else writes. */
  private final class Push {
    private final TargetLayout target;
    private final LongConsumer progress;
    private final List<String> added = new ArrayList<>();
    private SortedMap<String, Long> there = new TreeMap<>();
    private int files;
    private long bytes;

    Push(TargetLayout target, LongConsumer progress) {
      this.target = target;
      this.progress = progress;
    }

    Pushed run(boolean expires) throws IOException {
      List<BackupManifest> own = new ArrayList<>();
      for (Path file : target.manifests()) {
        own.add(BackupManifest.read(file));
      }
      there = list();
      if (!there.containsKey(MARKER)) {
        store.put(MARKER, target.marker());
      }
      for (BackupManifest manifest : own) {
        send(manifest);
      }
      return new Pushed(added, expires ? expire(own) : List.of(), files, bytes);
    }

    private void send(BackupManifest manifest) throws IOException {
      String object = manifestName(manifest.name());
      Path file = target.manifest(manifest.name());
      if (there.containsKey(object) && !Arrays.equals(manifest(object), Files.readAllBytes(file))) {
        throw new GraphMetaException(
            ErrorCode.ALREADY_EXISTS,
            store.place()
                + " has another backup "
                + manifest.name()
                + " than "
                + target.root()
                + "; push to another place");
      }
      boolean sent = false;
      for (StoredFile each : manifest.files()) {
        sent |= send(each);
      }
      if (sent) {
        there = list();
        manifest.files().forEach(this::requireThere);
      }
      if (!there.containsKey(object)) {
        store.put(object, file);
        there.put(object, Files.size(file));
        added.add(manifest.name());
      }
    }

    private boolean send(StoredFile file) throws IOException {
      String object = fileName(file.digest());
      if (hasFile(file)) {
        return false;
      }
      Path stored = target.file(file.digest().sha256());
      if (!Files.exists(stored)) {
        throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.missing(stored, file));
      }
      if (!FileDigest.of(stored).equals(file.digest())) {
        throw new GraphMetaException(ErrorCode.CORRUPTION, TargetErrors.damaged(stored, file));
      }
      store.put(object, stored);
      there.put(object, file.digest().bytes());
      files++;
      bytes += file.digest().bytes();
      progress.accept(bytes);
      return true;
    }

    private boolean hasFile(StoredFile file) {
      Long size = there.get(fileName(file.digest()));
      return size != null && size == file.digest().bytes();
    }

    private void requireThere(StoredFile file) {
      if (!hasFile(file)) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE,
            store.place()
                + " does not have "
                + fileName(file.digest())
                + " as it was sent; did somebody else push or remove backups there? Push again");
      }
    }

    /** Removes what the target does not have any more, of databases that it has. */
    private List<String> expire(List<BackupManifest> own) throws IOException {
      Set<String> databases = new HashSet<>();
      Set<String> stay = new HashSet<>();
      for (BackupManifest manifest : own) {
        databases.add(manifest.database().identity());
        stay.add(manifestName(manifest.name()));
      }
      Map<String, BackupManifest> all = new TreeMap<>();
      for (String object : there.keySet()) {
        if (isManifest(object)) {
          all.put(object, BackupManifest.parse(object, manifest(object)));
        }
      }
      List<String> removed = new ArrayList<>();
      Set<String> named = new HashSet<>();
      for (Map.Entry<String, BackupManifest> each : all.entrySet()) {
        BackupManifest manifest = each.getValue();
        if (databases.contains(manifest.database().identity()) && !stay.contains(each.getKey())) {
          store.delete(each.getKey());
          removed.add(manifest.name());
        } else {
          manifest.files().forEach(file -> named.add(fileName(file.digest())));
        }
      }
      for (String object : there.keySet()) {
        if (object.startsWith(FILES) && !named.contains(object)) {
          store.delete(object);
        }
      }
      return removed;
    }
  }
}
