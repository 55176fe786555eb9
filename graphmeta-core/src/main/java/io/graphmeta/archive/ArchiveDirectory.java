package io.graphmeta.archive;

import io.graphmeta.backup.FileDigest;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of archives. The package documentation has its layout. Belongs to one thread. */
public final class ArchiveDirectory {
  private static final String LOCK = "lock";
  private static final String INCOMING = "incoming";

  private final Path root;
  private final FileOperations operations;

  /** That of a path, where perhaps nothing is yet. */
  public ArchiveDirectory(Path root, FileOperations operations) {
    this.root = root.toAbsolutePath().normalize();
    this.operations = operations;
  }

  /** Makes the files of an archive in a directory, which is there and empty, and tells of them. */
  @FunctionalInterface
  public interface Filling {
    /** Returns null if there is nothing to archive. */
    @Nullable Archive fill(Path directory) throws IOException;
  }

  /** The directory of an archive. */
  public Path of(String name) {
    return root.resolve(name);
  }

  /**
   * All archives, oldest first.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such directory; {@code CORRUPTION},
   *     {@code NEWER_FORMAT} or {@code STORAGE_FAILURE}
   */
  public List<Archive> list() {
    if (!Files.isDirectory(root)) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There are no archives in "
              + root
              + "; expected a directory that 'graphmeta retention' has written to");
    }
    List<Archive> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.toList()) {
        if (!entry.endsWith(INCOMING) && Files.exists(entry.resolve(Archive.MANIFEST))) {
          found.add(Archive.read(entry));
        }
      }
    } catch (IOException e) {
      throw failure("read", e);
    }
    found.sort(Comparator.comparing(Archive::taken).thenComparing(Archive::name));
    return found;
  }

  /**
   * The archive of a name.
   *
   * @throws GraphMetaException {@code NOT_FOUND}
   */
  public Archive find(String name) {
    return list().stream()
        .filter(archive -> archive.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new GraphMetaException(
                    ErrorCode.NOT_FOUND,
                    "There is no archive '" + name + "' in " + root + "; ask for a list of them"));
  }

  /** What of an archive is not as it was written: a line for each file. */
  public List<String> faults(Archive archive) {
    List<String> faults = new ArrayList<>();
    for (ArchivedRows file : archive.files()) {
      Path path = of(archive.name()).resolve(file.fileName());
      try {
        if (!Files.exists(path)) {
          faults.add(path + " is missing");
        } else if (!FileDigest.of(path).equals(file.digest())) {
          faults.add(path + " is not as it was written");
        }
      } catch (IOException e) {
        faults.add(path + " cannot be read: " + e.getMessage());
      }
    }
    return faults;
  }

  /**
   * Fails if an archive is not whole.
   *
   * @throws GraphMetaException {@code CORRUPTION}
   */
  public void requireWhole(Archive archive) {
    List<String> faults = faults(archive);
    if (!faults.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "Archive " + archive.name() + " is damaged: " + String.join("; ", faults));
    }
  }

  /**
   * Adds an archive. When it returns all is on disk, and was read back.
   *
   * @return what was added; null if there was nothing to archive
   * @throws GraphMetaException {@code ALREADY_OPEN} if another process writes to the directory,
   *     {@code CORRUPTION} if what was written cannot be read, {@code STORAGE_FAILURE}; there is no
   *     archive then
   */
  public @Nullable Archive add(Filling filling) {
    try {
      operations.createDirectories(root);
      try (FileChannel lock =
          FileChannel.open(
              root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        requireAlone(lock);
        return addAlone(filling);
      }
    } catch (IOException e) {
      throw failure("written", e);
    }
  }

  private @Nullable Archive addAlone(Filling filling) throws IOException {
    Path incoming = root.resolve(INCOMING);
    operations.deleteTree(incoming);
    operations.createDirectories(incoming);
    Archive archive = filling.fill(incoming);
    if (archive == null) {
      operations.deleteTree(incoming);
      return null;
    }
    operations.copy(new ByteArrayInputStream(archive.write()), incoming.resolve(Archive.MANIFEST));
    operations.syncDirectory(incoming);
    if (Files.exists(of(archive.name()))) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_EXISTS, "There is an archive " + of(archive.name()) + " already");
    }
    operations.move(incoming, of(archive.name()));
    operations.syncDirectory(root);
    Archive written = Archive.read(of(archive.name()));
    requireWhole(written);
    return written;
  }

  private void requireAlone(FileChannel lock) throws IOException {
    boolean alone = false;
    try {
      alone = lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
    }
    if (!alone) {
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN, "Another process writes an archive into " + root);
    }
  }

  private GraphMetaException failure(String what, IOException e) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE, "Archives in " + root + " cannot be " + what + ": " + e, e);
  }
}
