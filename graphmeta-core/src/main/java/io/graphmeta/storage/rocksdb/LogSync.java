package io.graphmeta.storage.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of a log to disk as they are, RocksDB knowing nothing of it. Safe for use by
 * many threads.
 *
 * <h2>What need not be done again</h2>
 *
 * <ul>
 *   <li>A file of a log only grows. So one that is as long as when it was synced is on disk.
 *   <li>RocksDB begins a file together with a buffer of rows, and {@linkplain NativeStore#version
 *       counts} that before a row goes there. So while the count is what it was before the files
 *       were listed, no row that was written until then lies in another file.
 *   <li>The directory holds the name of a file from when the file was synced for the first time.
 * </ul>
 */
final class LogSync implements AutoCloseable {
  private static final long NEVER = -1;

  /** A disk with less room is taken to have refused a sync for want of it. */
  private static final long FULL_BYTES = 1 << 20;

  private final Path directory;

  @GuardedBy("this")
  private long listedAt = NEVER;

  @GuardedBy("this")
  private List<Path> files = List.of();

  /** How long the files were when they were synced last; to be changed as a whole only. */
  @GuardedBy("this")
  private Map<Path, Long> synced = Map.of();

  @GuardedBy("this")
  private @Nullable RandomAccessFile openFile;

  @GuardedBy("this")
  private @Nullable Path openPath;

  LogSync(Path directory) {
    this.directory = directory;
  }

  /**
   * Brings all to disk that was written before the call.
   *
   * @param version of the store, read behind what was written; any number of a closed one
   */
  synchronized void sync(long version) throws IOException {
    if (version != listedAt) {
      files = List.copyOf(LogRecovery.logs(directory).values());
      listedAt = version;
    }
    Map<Path, Long> now = new HashMap<>();
    boolean named = true;
    for (Path file : files) {
      try {
        long size = Files.size(file);
        Long before = synced.get(file);
        named &= before != null;
        if (before == null || before != size) {
          syncFile(file);
        }
        now.put(file, size);
      } catch (NoSuchFileException e) {
        continue; // Removed since the listing: its rows are in table files.
      }
    }
    if (!named) {
      LogRecovery.sync(directory);
    }
    synced = now;
  }

  /**
   * By no channel, which an interrupt of this thread would close, and an error of the disk with it.
   */
  @GuardedBy("this")
  private void syncFile(Path file) throws IOException {
    try {
      opened(file).getFD().sync();
    } catch (FileNotFoundException e) {
      throw Files.exists(file) ? e : new NoSuchFileException(file.toString());
    } catch (SyncFailedException e) {
      boolean isFull = Files.getFileStore(file).getUsableSpace() < FULL_BYTES;
      throw isFull ? new IOException("No space left on device", e) : e;
    }
  }

  /** The file that was synced last stays open: mostly it is the next again. */
  @GuardedBy("this")
  private RandomAccessFile opened(Path file) throws IOException {
    RandomAccessFile last = openFile;
    if (last == null || !file.equals(openPath)) {
      close();
      last = new RandomAccessFile(file.toFile(), "r");
      openFile = last;
      openPath = file;
    }
    return last;
  }

  @Override
  public synchronized void close() throws IOException {
    RandomAccessFile last = openFile;
    openFile = null;
    if (last != null) {
      last.close();
    }
  }

  /** How long the file was when it was synced last; -1 if it was not. For tests. */
  synchronized long syncedBytes(Path file) {
    return synced.getOrDefault(file, -1L);
  }
}
