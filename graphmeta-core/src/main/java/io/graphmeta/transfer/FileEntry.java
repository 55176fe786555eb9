package io.graphmeta.transfer;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A file of a checkpoint of a store.
 *
 * @param name in the directory of the store
 * @param bytes its size
 * @param origin which file it is: its inode and when it was last written; {@value #UNKNOWN} if it
 *     may be changed in place, so that another checkpoint may have another one
 */
public record FileEntry(String name, long bytes, String origin) {
  /** The origin of a file that is known again by nothing. */
  public static final String UNKNOWN = "-";

  private static final String IMMUTABLE = ".sst";
  private static final Pattern SIMPLE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}");

  /** That of a file in a directory of this machine. */
  public static FileEntry of(Path file) throws IOException {
    return new FileEntry(file.getFileName().toString(), Files.size(file), originOf(file));
  }

  /**
   * Which file this is, if its bytes never change. A file that is copied with its directory, or
   * written anew under its name, is another.
   */
  private static String originOf(Path file) throws IOException {
    if (!file.getFileName().toString().endsWith(IMMUTABLE)
        || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return UNKNOWN;
    }
    FileTime written = Files.getLastModifiedTime(file);
    return Files.getAttribute(file, "unix:ino") + "@" + written.to(TimeUnit.NANOSECONDS);
  }

  /** Whether the same name, size and origin are those of the same bytes, in every checkpoint. */
  public boolean isImmutable() {
    return !origin.equals(UNKNOWN);
  }

  /**
   * The entry, if it can be that of a file in a directory and nowhere else, and in one line of a
   * list.
   *
   * @throws GraphMetaException {@code CORRUPTION}
   */
  public FileEntry checked() {
    if (!SIMPLE.matcher(name).matches()
        || bytes < 0
        || !origin.matches("[0-9@-]{1,64}")
        || name.endsWith(StoreCopier.PART)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A file '"
              + name.substring(0, Math.min(name.length(), 200))
              + "' of "
              + bytes
              + " bytes is listed; expected a name of letters, digits and . _ -");
    }
    return this;
  }
}
