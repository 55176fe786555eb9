package io.graphmeta.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory that only its owner enters, so that the modes of the files in it, which RocksDB
 * makes, do not matter. One that is there and open to others is left as somebody made it, with a
 * warning.
 */
final class PrivateDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateDirectory.class);
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateDirectory() {}

  /** Makes it, or closes one that is there and holds nothing, as far as the system lets us. */
  static void create(Path directory) throws IOException {
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!posix || Files.isDirectory(directory)) {
      Files.createDirectories(directory);
      close(directory, posix);
      return;
    }
    Path parent = directory.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER));
  }

  private static void close(Path directory, boolean posix) {
    if (posix) {
      try {
        Files.setPosixFilePermissions(directory, OWNER);
      } catch (IOException e) {
        LOG.debug("The mode of {} stays as it is", directory, e);
        warnIfOpen(directory);
      }
    }
  }

  /** Says so if everybody on the machine can read what is in it. */
  static void warnIfOpen(Path directory) {
    try {
      if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        if (mode.contains(PosixFilePermission.OTHERS_EXECUTE)) {
          LOG.warn(
              "Every user of this machine can enter the database directory {} ({}); set its mode to 700",
              directory,
              PosixFilePermissions.toString(mode));
        }
      }
    } catch (IOException e) {
      LOG.debug("The mode of {} is not known", directory, e);
    }
  }
}
