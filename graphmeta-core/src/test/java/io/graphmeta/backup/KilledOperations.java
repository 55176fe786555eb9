package io.graphmeta.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The operations of a process that is killed at one of them: a file that is being written then has
 * its first bytes only, another operation is not begun, and nothing is done behind it.
 */
public final class KilledOperations implements FileOperations {
  private final long last;
  private long count;

  /** The end of the process, as nobody would catch it. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /**
   * Those of a process.
   *
   * @param last the number of the operation in which it is killed, from 1
   */
  public KilledOperations(long last) {
    this.last = last;
  }

  /** Whether it was killed. */
  public boolean isKilled() {
    return count >= last;
  }

  private void next() {
    if (++count >= last) {
      throw new Killed();
    }
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    next();
    ON_DISK.createDirectories(directory);
  }

  @Override
  public FileDigest copy(InputStream from, Path to) throws IOException {
    if (count + 1 == last) {
      byte[] all = from.readAllBytes();
      Files.write(to, java.util.Arrays.copyOf(all, all.length / 2));
    }
    next();
    return ON_DISK.copy(from, to);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    next();
    ON_DISK.move(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    next();
    ON_DISK.delete(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    next();
    ON_DISK.syncDirectory(directory);
  }
}
