package io.graphmeta.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * A file of a backup.
 *
 * @param shard whose store it is of
 * @param name in the directory of the store
 * @param digest what it holds
 * @param origin which file it was copied from: its inode and when it was last written; {@value
 *     #UNKNOWN} if it may be changed in place
 */
record StoredFile(int shard, String name, FileDigest digest, String origin) {
  static final String UNKNOWN = "-";

  private static final String IMMUTABLE = ".sst";

  /**
   * Which file this is, if its bytes never change. A file that is copied with its directory, or
   * written anew under its name, is another.
   */
  static String originOf(Path file) throws IOException {
    if (!file.getFileName().toString().endsWith(IMMUTABLE)
        || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return UNKNOWN;
    }
    FileTime written = Files.getLastModifiedTime(file);
    return Files.getAttribute(file, "unix:ino") + "@" + written.to(TimeUnit.NANOSECONDS);
  }
}
