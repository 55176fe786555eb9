package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Decides, before anything is written, whether a directory holds a database, may become one, or is
 * somebody else's. Three states are ours: empty or absent; a creation that was cut short, which
 * holds nothing that was ever acknowledged; and a database, told by its CURRENT file and its column
 * families.
 */
final class DatabaseDirectory {
  /** Files that a creation cut short may have left; none of them holds rows. */
  private static final Pattern CREATION_LEFTOVER =
      Pattern.compile(
          "LOCK|LOG|LOG\\.old\\.\\d+|IDENTITY|MANIFEST-000001|OPTIONS-\\d+(\\.dbtmp)?|\\d+\\.dbtmp");

  private static final Pattern STORE_FILE =
      Pattern.compile("MANIFEST-\\d+|\\d+\\.(sst|log)|" + SyncedFile.NAME);

  /** The directories that are open in this process, by their real paths. */
  private static final Set<Path> OWNED = ConcurrentHashMap.newKeySet();

  private final Path path;

  private DatabaseDirectory(Path path) {
    this.path = path;
  }

  /**
   * Where the database lies, with links resolved, so that one database has one name in this
   * process.
   */
  Path path() {
    return path;
  }

  /**
   * Checks the directory, and creates it if it is absent and creation is allowed.
   *
   * @param families the column families of a database
   * @param required those of them that every database has
   * @throws GraphMetaException {@code NOT_A_DATABASE}, {@code NEWER_FORMAT}, {@code CORRUPTION} or
   *     {@code STORAGE_FAILURE}
   */
  static DatabaseDirectory check(
      Path directory, boolean createIfMissing, Set<String> families, Set<String> required) {
    try {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw notADatabase(directory, "it is a file; expected a directory");
      }
      if (!Files.exists(directory)) {
        if (!createIfMissing) {
          throw notADatabase(
              directory, "it does not exist; name the directory of a database, or allow creation");
        }
        Files.createDirectories(directory);
      }
      DatabaseDirectory checked = new DatabaseDirectory(directory.toRealPath());
      checked.checkContents(createIfMissing, families, required);
      return checked;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "Directory "
              + directory
              + " cannot be read or created: "
              + e
              + "; check the path and its permissions",
          e);
    }
  }

  private void checkContents(boolean createIfMissing, Set<String> families, Set<String> required)
      throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    if (names.contains("CURRENT")) {
      LogRecovery.checkManifest(path);
      checkFamilies(names, families, required);
      return;
    }
    List<String> foreign =
        names.stream().filter(name -> !CREATION_LEFTOVER.matcher(name).matches()).toList();
    if (foreign.isEmpty()) {
      if (!createIfMissing) {
        throw notADatabase(
            path, "it is empty; name the directory of a database, or allow creation");
      }
      return;
    }
    if (foreign.stream().anyMatch(name -> STORE_FILE.matcher(name).matches())) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "The database in "
              + path
              + " has lost its file CURRENT; restore the database from a backup");
    }
    throw notADatabase(
        path,
        "it holds other files, such as "
            + foreign.get(0)
            + "; name an empty directory or that of a database");
  }

  private void checkFamilies(List<String> names, Set<String> families, Set<String> required)
      throws IOException {
    Set<String> stored = new TreeSet<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, path.toString())) {
        stored.add(new String(name, StandardCharsets.UTF_8));
      }
    } catch (RocksDBException e) {
      throw StorageErrors.listing(path, e);
    }
    Set<String> unknown = new TreeSet<>(stored);
    unknown.removeAll(families);
    if (stored.containsAll(required)) {
      if (!unknown.isEmpty()) {
        throw new GraphMetaException(
            ErrorCode.NEWER_FORMAT,
            "The database in "
                + path
                + " has families of rows that this version does not know: "
                + String.join(", ", unknown)
                + "; open it with the version that wrote it");
      }
    } else if (names.contains(SyncedFile.NAME)) {
      throw StorageErrors.damagedFile(
          path,
          "CURRENT or MANIFEST",
          "the families of rows are " + stored + "; expected " + families);
    } else if (!unknown.isEmpty() || holdsRows(names)) {
      throw notADatabase(
          path,
          "it is a RocksDB database with the column families "
              + stored
              + "; expected "
              + new TreeSet<>(families));
    }
  }

  private boolean holdsRows(List<String> names) throws IOException {
    for (String name : names) {
      if (name.endsWith(".sst") || (name.endsWith(".log") && Files.size(path.resolve(name)) > 0)) {
        return true;
      }
    }
    return false;
  }

  /** True if there is a database already. */
  boolean isDatabase() {
    return Files.exists(path.resolve("CURRENT"));
  }

  /**
   * Makes sure that no other store of this process has the directory open, nor will, and that no
   * other process has it open now.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN}
   */
  void own() {
    if (!OWNED.add(path)) {
      throw StorageErrors.alreadyOpen(path, null);
    }
    boolean done = false;
    // RocksDB takes this lock for good later, and would lose it if it were closed here then.
    try (FileChannel channel =
            FileChannel.open(
                path.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw StorageErrors.alreadyOpen(path, null);
      }
      done = true;
    } catch (IOException e) {
      throw unreadable(e);
    } finally {
      if (!done) {
        disown();
      }
    }
  }

  /** Lets others open the directory. */
  void disown() {
    OWNED.remove(path);
  }

  /** What is free on the disk of the directory, in bytes. */
  long freeBytes() {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Size of all files in the directory, in bytes. */
  long sizeBytes() {
    List<Path> all;
    try (Stream<Path> files = Files.list(path)) {
      all = files.collect(Collectors.toList());
    } catch (IOException e) {
      throw unreadable(e);
    }
    long sum = 0;
    for (Path file : all) {
      try {
        sum += Files.size(file);
      } catch (NoSuchFileException e) {
        continue; // Removed since the listing, by a compaction.
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
    return sum;
  }

  GraphMetaException unreadable(IOException cause) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "Directory "
            + path
            + " cannot be read or written: "
            + (StorageErrors.isNoSpace(cause)
                ? "no space left on the device; make room"
                : cause + "; look after the disk"),
        cause);
  }

  private static GraphMetaException notADatabase(Path directory, String why) {
    return new GraphMetaException(
        ErrorCode.NOT_A_DATABASE, "Directory " + directory + " is no database: " + why);
  }
}
