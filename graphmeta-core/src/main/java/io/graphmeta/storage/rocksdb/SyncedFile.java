package io.graphmeta.storage.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file beside those of RocksDB that says how far the log was synced, for the case that no
 * later entry of the log says so. It is written over in place behind each sync, without a sync of
 * its own: the end of the process loses nothing of it, and the loss of power can take it back to
 * what it said before, never further than what was synced. Safe for use by many threads.
 */
final class SyncedFile implements AutoCloseable {
  static final String NAME = "graphmeta-synced";
  private static final Logger LOG = LoggerFactory.getLogger(SyncedFile.class);
  private static final int FORM = 1;
  private static final int BYTES = 8 + 4 * 8 + 8;

  /**
   * @param claim how far the log is synced
   * @param manifest the number of RocksDB's list of files
   * @param manifestBytes how long that list was when the store was opened or closed
   */
  record Content(LogClaim claim, long manifest, long manifestBytes) {}

  private final RandomAccessFile file;

  @GuardedBy("this")
  private Content content;

  @GuardedBy("this")
  private boolean failed;

  private SyncedFile(RandomAccessFile file, Content content) {
    this.file = file;
    this.content = content;
  }

  /** What the file in a directory says, or null if there is none or it is damaged. */
  static @Nullable Content read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return null;
    }
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length != BYTES || in.getLong() != FORM) {
      return null;
    }
    Content content =
        new Content(new LogClaim(in.getLong(), in.getLong()), in.getLong(), in.getLong());
    return in.getLong() == checksum(bytes) ? content : null;
  }

  /** Writes the file of a store that was opened; it is on disk when this returns. */
  @SuppressWarnings("GuardedBy") // no other thread has it yet
  static SyncedFile create(Path directory, LogClaim claim) throws IOException {
    RandomAccessFile file = new RandomAccessFile(directory.resolve(NAME).toFile(), "rw");
    boolean done = false;
    try {
      SyncedFile created = new SyncedFile(file, withManifest(directory, claim));
      created.write();
      file.setLength(BYTES);
      file.getFD().sync();
      done = true;
      return created;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  private static Content withManifest(Path directory, LogClaim claim) throws IOException {
    long manifest = Manifest.currentNumber(directory);
    return new Content(claim, manifest, Files.size(Manifest.file(directory, manifest)));
  }

  /** The number of the list of files that was made when the store was opened. */
  synchronized long manifest() {
    return content.manifest();
  }

  /** Says that the log is synced further; nothing if it said so before. */
  synchronized void synced(LogClaim claim) {
    if (claim.synced() > content.claim().synced() && !failed) {
      content = new Content(claim, content.manifest(), content.manifestBytes());
      try {
        write();
      } catch (IOException e) {
        failed = true; // What it says stays true. A full disk can refuse this on some file systems.
        LOG.warn("{} could not be written; damage of the log is told less well", NAME, e);
      }
    }
  }

  /** Says for the last time how far the log is synced, when the store is closed. */
  synchronized void closed(Path directory, LogClaim claim) throws IOException {
    content = withManifest(directory, claim);
    write();
    file.getFD().sync();
  }

  @GuardedBy("this")
  private void write() throws IOException {
    byte[] bytes = new byte[BYTES];
    ByteBuffer.wrap(bytes)
        .putLong(FORM)
        .putLong(content.claim().synced())
        .putLong(content.claim().inTables())
        .putLong(content.manifest())
        .putLong(content.manifestBytes());
    ByteBuffer.wrap(bytes).putLong(BYTES - 8, checksum(bytes));
    file.seek(0);
    file.write(bytes);
  }

  private static long checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, BYTES - 8);
    return sum.getValue();
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
