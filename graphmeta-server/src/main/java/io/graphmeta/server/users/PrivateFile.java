package io.graphmeta.server.users;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Files that nobody but their owner reads or writes. */
public final class PrivateFile {
  private PrivateFile() {}

  /**
   * Refuses a file that others can use.
   *
   * @param what it is, for people
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if they can
   */
  public static void require(Path file, String what) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      if (!permissions.endsWith("------")) {
        throw new GraphMetaException(
            ErrorCode.INVALID_CONFIGURATION,
            what
                + " "
                + file
                + " cannot be taken: others can use it ("
                + permissions
                + "); set its mode to 600");
      }
    }
  }

  /** Replaces a file; a reader sees the old one or the new one, and so does a crash. */
  static void write(Path file, List<String> lines) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    // A temporary file can be read and written by its owner only.
    Path written = Files.createTempFile(directory, "." + file.getFileName(), ".new");
    try {
      Files.write(written, lines, StandardCharsets.UTF_8);
      try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
