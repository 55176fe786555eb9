package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Makes errors of the port from those of RocksDB: which directory, which file, what to do.
 * Stateless.
 */
final class StorageErrors {
  private static final Pattern FILE =
      Pattern.compile("MANIFEST-\\d+|OPTIONS-\\d+|\\d+\\.(?:sst|log)|CURRENT");

  private StorageErrors() {}

  /** A file that is not what it was. */
  static GraphMetaException damagedFile(Path directory, String file, String why) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "File "
            + file
            + " in "
            + directory
            + " is damaged, or was put back from an older copy: "
            + why
            + ". Check the disk, put back the file, or restore the database from a backup; nothing was changed");
  }

  /** An error while reading the list of files, which RocksDB may report without its name. */
  static GraphMetaException listing(Path directory, RocksDBException failure) {
    String message = String.valueOf(failure.getMessage());
    Status status = failure.getStatus();
    if (status != null
        && status.getCode() == Status.Code.Corruption
        && !FILE.matcher(message).find()) {
      return corruption("open", directory, "CURRENT or the MANIFEST it names: " + message, failure);
    }
    return opening(directory, failure);
  }

  /** An error while opening. */
  static GraphMetaException opening(Path directory, RocksDBException failure) {
    String message = String.valueOf(failure.getMessage());
    Status status = failure.getStatus();
    Status.@Nullable Code code = status == null ? null : status.getCode();
    if (isLockHeld(message)) {
      return alreadyOpen(directory, failure);
    }
    if (code == Status.Code.NotSupported) {
      return new GraphMetaException(
          ErrorCode.NEWER_FORMAT,
          "The database in "
              + directory
              + " uses a feature of its files that this version does not know ("
              + message
              + "); open it with the version that wrote it",
          failure);
    }
    if (code == Status.Code.Corruption && !FILE.matcher(message).find()) {
      // The one damage that RocksDB reports without a file.
      return new GraphMetaException(
          ErrorCode.CORRUPTION,
          "The write-ahead log in "
              + directory
              + " is damaged ("
              + message
              + "). After a loss of power this can be the end that was not synced. Check the disk, and restore"
              + " the database from a backup, or open it with graphmeta.log-recovery=to-last-good-batch to give"
              + " up what was written after the damage; nothing was changed",
          failure);
    }
    return during("open", directory, failure);
  }

  /** An error while reading or writing. */
  static GraphMetaException during(String doing, Path directory, RocksDBException failure) {
    String message = String.valueOf(failure.getMessage());
    Status status = failure.getStatus();
    Status.@Nullable Code code = status == null ? null : status.getCode();
    if (code == Status.Code.Corruption || isMissingFile(message)) {
      return corruption(doing, directory, message, failure);
    }
    if ((status != null && status.getSubCode() == Status.SubCode.NoSpace) || isNoSpace(failure)) {
      return new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "Could not "
              + doing
              + " in "
              + directory
              + ": no space left on the device. Nothing acknowledged is lost; make"
              + " room, and writes go on by themselves within seconds or after closing and opening the database",
          failure);
    }
    if (code == Status.Code.IOError
        || code == Status.Code.Aborted
        || code == Status.Code.Incomplete) {
      return new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "Could not "
              + doing
              + " in "
              + directory
              + ": "
              + message
              + ". Nothing acknowledged is lost; look after the disk, then close and open the database",
          failure);
    }
    return new GraphMetaException(
        ErrorCode.INTERNAL, "Could not " + doing + " in " + directory + ": " + message, failure);
  }

  /** Rows wait for tables that cannot be written, for which RocksDB tries to make room. */
  static GraphMetaException noTables(Path directory, long freeBytes) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "Could not write in "
            + directory
            + ": no space left on the device for the tables that new rows wait for, with "
            + freeBytes
            + " bytes free. Nothing acknowledged is lost; make room, and writes go on by themselves within seconds");
  }

  /** The disk is nearly full. */
  static GraphMetaException noRoom(Path directory, long freeBytes, long reservedBytes) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "Could not write in "
            + directory
            + ": no space left on the device but "
            + freeBytes
            + " bytes, and "
            + reservedBytes
            + " are kept for reads and for work under way (graphmeta.reserved-disk-bytes). Nothing acknowledged is"
            + " lost; make room, and writes go on by themselves");
  }

  static GraphMetaException alreadyOpen(Path directory, @Nullable Throwable cause) {
    return new GraphMetaException(
        ErrorCode.ALREADY_OPEN,
        "The database in "
            + directory
            + " is open already, in this process or another; close it there first",
        cause);
  }

  static GraphMetaException closed(Path directory) {
    return new GraphMetaException(
        ErrorCode.CLOSED, "The database in " + directory + " is closed; open it again");
  }

  static GraphMetaException cursorClosed(Path directory) {
    return new GraphMetaException(
        ErrorCode.CLOSED, "The cursor on the database in " + directory + " is closed");
  }

  private static GraphMetaException corruption(
      String doing, Path directory, String message, RocksDBException failure) {
    Matcher file = FILE.matcher(message);
    String where =
        file.find() ? "file " + file.group() + " in " + directory : "a file in " + directory;
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "Could not "
            + doing
            + ": "
            + where
            + " is damaged or missing ("
            + message
            + "). Check the disk, and restore the database from a backup; nothing was changed",
        failure);
  }

  /** Whether a failure is that of a full disk. */
  static boolean isNoSpace(Exception failure) {
    return String.valueOf(failure.getMessage()).contains("No space left");
  }

  private static boolean isLockHeld(String message) {
    return message.contains("lock hold by current process") || message.contains("While lock file");
  }

  private static boolean isMissingFile(String message) {
    return message.contains("No such file or directory");
  }
}
