package io.graphmeta.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ways in which backups and restored databases change a file system. What one of them has done
 * may be lost with the power until the file, or the directory that names it, is synced. Safe for
 * use by many threads.
 */
public interface FileOperations {
  /** Those of the machine. */
  FileOperations ON_DISK = new OnDisk();

  /** Makes a directory, and those above it, for the owner alone; one that is there stays. */
  void createDirectories(Path directory) throws IOException;

  /**
   * Writes a file, which is not there yet, and syncs it.
   *
   * @return what was written
   */
  FileDigest copy(InputStream from, Path to) throws IOException;

  /** Gives a file or directory another name, in place of a file or an empty directory. */
  void move(Path from, Path to) throws IOException;

  /** Removes a file or an empty directory, if it is there. */
  void delete(Path file) throws IOException;

  /** Removes a directory and all that is in it, if it is there. */
  default void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> entries = Files.walk(directory)) {
      all = new ArrayList<>(entries.toList());
    }
    for (int i = all.size() - 1; i >= 0; i--) { // what is in a directory comes behind it
      delete(all.get(i));
    }
  }

  /** Syncs the names in a directory. */
  void syncDirectory(Path directory) throws IOException;

  /** The real ones. */
  final class OnDisk implements FileOperations {
    private static final int BUFFER_BYTES = 1 << 20;

    private OnDisk() {}

    @Override
    public void createDirectories(Path directory) throws IOException {
      if (Files.isDirectory(directory)) {
        return;
      }
      Path parent = directory.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectory(directory);
      }
    }

    @Override
    public FileDigest copy(InputStream from, Path to) throws IOException {
      FileDigest.Builder digest = new FileDigest.Builder();
      byte[] buffer = new byte[BUFFER_BYTES];
      try (FileChannel out =
          FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
          digest.add(buffer, read);
          ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
        }
        out.force(true);
      }
      return digest.build();
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
      Files.deleteIfExists(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
