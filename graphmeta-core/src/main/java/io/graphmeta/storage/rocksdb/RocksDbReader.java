package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * The rows of a database as they were when it was opened here, while another process may write it.
 * What the writer had appended to its log by then is there up to some entry, and nothing behind it;
 * what it does later is never seen. Nothing in the directory is changed, so that the right to read
 * it is enough. Safe for use by many threads.
 */
public final class RocksDbReader extends RocksDbRows {
  /** The writer may remove a file between its name and its opening; so soon again it does not. */
  private static final int ATTEMPTS = 20;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path notes;

  private RocksDbReader(DatabaseDirectory directory, NativeStore store, Path notes) {
    super(directory, store);
    this.notes = notes;
  }

  /**
   * Opens the database in a directory to read it.
   *
   * @throws GraphMetaException {@code NOT_A_DATABASE}, {@code NEWER_FORMAT}, {@code CORRUPTION} or
   *     {@code STORAGE_FAILURE}
   */
  public static RocksDbReader open(Path directory, RocksDbSettings settings) {
    for (int attempt = 1; ; attempt++) {
      try {
        return openOnce(directory, settings);
      } catch (GraphMetaException e) {
        boolean isLasting =
            e.code() == ErrorCode.NOT_A_DATABASE || e.code() == ErrorCode.NEWER_FORMAT;
        if (isLasting || attempt == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static RocksDbReader openOnce(Path directory, RocksDbSettings settings) {
    DatabaseDirectory checked =
        DatabaseDirectory.check(
            directory, false, NativeStore.familyNames(), NativeStore.requiredFamilyNames());
    Path notes = null;
    boolean done = false;
    try {
      notes = Files.createTempDirectory("graphmeta-reader");
      NativeStore store = NativeStore.openToRead(checked.path(), notes, settings);
      done = true;
      return new RocksDbReader(checked, store, notes);
    } catch (RocksDBException e) {
      throw StorageErrors.opening(checked.path(), e);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "No directory for temporary files can be made in "
              + System.getProperty("java.io.tmpdir")
              + ": "
              + e
              + "; make room there, or name another with -Djava.io.tmpdir",
          e);
    } finally {
      if (!done && notes != null) {
        remove(notes);
      }
    }
  }

  /** What cannot be removed is left to who cleans the directory of temporary files. */
  private static void remove(Path notes) {
    try (Stream<Path> files = Files.list(notes)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(notes);
    } catch (IOException e) {
      notes.toFile().deleteOnExit();
    }
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    throw GraphMetaException.readOnly();
  }

  @Override
  public void clear() {
    throw GraphMetaException.readOnly();
  }

  /** There is nothing to be synced. */
  @Override
  public void sync() {}

  @Override
  public StorageStatistics statistics() {
    return statistics(0, null);
  }

  @Override
  public void close() {
    long stamp = inUse.writeLock();
    try {
      if (!closed) {
        closed = true;
        iterators.closeAll();
        store.close();
        remove(notes);
      }
    } catch (RocksDBException e) {
      throw failure("close", e);
    } finally {
      inUse.unlockWrite(stamp);
    }
  }
}
