package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageStatistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Rows in one RocksDB database that belongs to this process, which reads and writes them. Safe for
 * use by many threads.
 *
 * <h2>Durability</h2>
 *
 * All rows go through the write-ahead log of RocksDB. A write with {@link Durability#SYNC} returns
 * after the log is on disk (RocksDB lets concurrent writers share one sync). A write with {@link
 * Durability#BACKGROUND} returns when the operating system has it; {@link Maintenance} syncs the
 * log at each interval, and while it cannot, nothing more is written. The logs of several stores of
 * a process can be {@linkplain LogCuts cut} together: their syncs are then those of the cuts.
 *
 * <h2>After a failure</h2>
 *
 * When the disk refuses a write or a sync, RocksDB refuses all writes and tries by itself to go on,
 * for as long as nothing else makes the failure worse. A sync of its own would, if it met the file
 * just after a write that failed: it would take that for an error of the sync, which only closing
 * ends. So the files of the log are {@linkplain LogSync synced without RocksDB}: what was written
 * before lies in them, and a full disk can still bring it to disk. Only where that fails, and
 * RocksDB has not refused anything yet, it is told to sync too, so that it meets the same error.
 * What was acknowledged stays readable meanwhile. A write that would have to wait for tables
 * {@linkplain StalledWrites waits here}, where it is refused when they fail.
 */
public final class RocksDbStorage extends RocksDbRows {
  /** Clearing little leaves its rows to be compacted later; this much, or this often, not. */
  private static final long COMPACT_ABOVE_BYTES = 8 << 20;

  private static final int COMPACT_EVERY_CLEARS = 32;

  private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final SyncClaims claims;
  private final LogSync logs;
  private final StalledWrites writes;
  private final Maintenance maintenance;
  private final Compactions compactions;

  private final AtomicInteger clears = new AtomicInteger();
  private final LongAdder syncs = new LongAdder();
  private final @Nullable LogCuts cuts;

  /** Set by a write that is not on disk yet, cleared by a sync. */
  private volatile boolean unsynced;

  /** Set by a write or sync that the disk refused, cleared by a write that succeeds. */
  private volatile boolean refused;

  private final boolean hasLog;
  private final long reservedBytes;

  /** What is free on the disk, in bytes, at the last round of maintenance. */
  private volatile long freeBytes = Long.MAX_VALUE;

  private RocksDbStorage(
      DatabaseDirectory directory,
      NativeStore store,
      SyncClaims claims,
      RocksDbSettings settings,
      @Nullable LogCuts cuts) {
    super(directory, store);
    this.cuts = cuts;
    this.claims = claims;
    compactions = new Compactions(store);
    logs = new LogSync(directory.path());
    writes = new StalledWrites(store, directory, this::requireMayBegin);
    hasLog = settings.hasLog();
    reservedBytes = settings.reservedDiskBytes();
    maintenance =
        new Maintenance(
            "graphmeta-storage-maintenance",
            this::maintain,
            settings.backgroundSyncIntervalMillis());
  }

  /**
   * Opens the database in a directory, or creates one if the directory is absent or empty and the
   * settings allow it.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if this process or another has it open; {@code
   *     NOT_A_DATABASE} if the directory holds something else, or nothing and nothing may be
   *     created; {@code NEWER_FORMAT}; {@code CORRUPTION} if files are damaged or missing; {@code
   *     STORAGE_FAILURE} if the disk refuses
   */
  public static RocksDbStorage open(Path directory, RocksDbSettings settings) {
    return open(directory, settings, null);
  }

  /** As {@link #open(Path, RocksDbSettings)}, with a log that is cut with those of others. */
  public static RocksDbStorage open(
      Path directory, RocksDbSettings settings, @Nullable LogCuts cuts) {
    RocksDbStorage opened = open(directory, settings, cuts, LogRecovery.ALL);
    if (cuts != null) {
      cuts.add(opened.new Cuttable());
    }
    return opened;
  }

  private static RocksDbStorage open(
      Path directory, RocksDbSettings settings, @Nullable LogCuts cuts, long lastRow) {
    DatabaseDirectory checked = check(directory, settings.createIfMissing());
    checked.own();
    boolean done = false;
    try {
      RocksDbStorage storage = open(checked, settings, cuts, lastRow);
      done = true;
      storage.maintenance.start();
      return storage;
    } finally {
      if (!done) {
        checked.disown();
      }
    }
  }

  private static DatabaseDirectory check(Path directory, boolean create) {
    return DatabaseDirectory.check(
        directory, create, NativeStore.familyNames(), NativeStore.requiredFamilyNames());
  }

  /** Takes the log of a closed store back to a row, and writes what is left to tables. */
  static void cutBack(Path directory, RocksDbSettings settings, long lastRow) {
    open(directory, settings.withCreateIfMissing(false), null, lastRow).close();
  }

  /** Fails if a store is open, in this process or another. */
  static void requireNotOpen(Path directory) {
    DatabaseDirectory checked = check(directory, false);
    checked.own();
    checked.disown();
  }

  /** Brings the log of a closed store to disk. */
  static void syncClosed(Path directory) {
    DatabaseDirectory checked = check(directory, false);
    checked.own();
    try (LogSync logs = new LogSync(checked.path())) {
      logs.sync(0);
    } catch (IOException e) {
      throw checked.unreadable(e);
    } finally {
      checked.disown();
    }
  }

  private static RocksDbStorage open(
      DatabaseDirectory directory, RocksDbSettings settings, @Nullable LogCuts cuts, long lastRow) {
    Path path = directory.path();
    LogRecovery.prepare();
    try {
      if (directory.isDatabase()) {
        LogRecovery.run(path, settings.logRecovery(), lastRow);
      }
      NativeStore store = NativeStore.open(path, settings, cuts, lastRow == LogRecovery.ALL);
      SyncClaims claims = null;
      try {
        claims = SyncClaims.begin(path, store.db.getLatestSequenceNumber());
      } finally {
        if (claims == null) {
          store.close();
        }
      }
      return new RocksDbStorage(directory, store, claims, settings, cuts);
    } catch (RocksDBException e) {
      throw StorageErrors.opening(path, e);
    } catch (IOException e) {
      throw directory.unreadable(e);
    }
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    batch.requireVertexKeys();
    requireMayBegin();
    long stamp = enter();
    try (WriteBatch rows = new WriteBatch(BatchImage.of(batch, store.familyIds(), claims.next()))) {
      write(rows, durability);
    } catch (RocksDBException e) {
      throw failure("write", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  private void requireMayBegin() {
    maintenance.requireAtWork();
    passCuts();
  }

  private void passCuts() {
    if (cuts != null) {
      cuts.pass();
    }
  }

  private void write(WriteBatch rows, Durability durability) throws RocksDBException {
    boolean done = false;
    try {
      if (!hasLog) {
        writes.write(store.unloggedWrite, rows);
      } else if (durability == Durability.SYNC) {
        syncs.increment();
        long before = store.db.getLatestSequenceNumber();
        writes.write(store.syncWrite, rows);
        long after = store.db.getLatestSequenceNumber();
        // Rows of others that came meanwhile may not be on disk.
        claims.synced(after - before == rows.count() ? after : before);
      } else {
        writes.write(store.backgroundWrite, rows);
        unsynced = true;
      }
      done = true;
    } finally {
      if (refused == done) {
        refused = !done;
      }
    }
  }

  @Override
  public void sync() {
    if (!hasLog) {
      syncs.increment();
      flush();
      return;
    }
    long stamp = enter();
    try {
      syncLog();
    } catch (RocksDBException e) {
      throw failure("sync", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  private void syncLog() throws RocksDBException {
    unsynced = false;
    boolean done = false;
    try {
      syncs.increment();
      long written = store.db.getLatestSequenceNumber();
      logs.sync(store.version());
      claims.synced(written);
      done = true;
    } catch (IOException e) {
      tellRocksDb();
      throw directory.unreadable(e);
    } finally {
      if (!done) {
        unsynced = true;
      }
    }
  }

  /**
   * The disk has refused a sync: RocksDB is to meet the same error, and to refuse writes for it. A
   * later sync can succeed though the disk has lost what it refused.
   */
  private void tellRocksDb() throws RocksDBException {
    if (!refused) {
      refused = true;
      store.db.syncWal();
    }
  }

  /**
   * One round of maintenance: syncs the log if it must be, and lets go of idle iterators. False if
   * closed.
   */
  boolean maintain() {
    long stamp = inUse.readLock();
    try {
      if (closed) {
        return false;
      }
      iterators.retireIdleSince(System.nanoTime() - MAX_IDLE_NANOS);
      if (reservedBytes > 0) {
        freeBytes = directory.freeBytes();
      }
      if (unsynced && cuts == null) {
        syncLog();
      }
    } catch (RocksDBException e) {
      return true; // RocksDB refuses the writes that follow, and so tells their callers.
    } finally {
      inUse.unlockRead(stamp);
    }
    return true;
  }

  @Override
  public void requireRoom() {
    long free = freeBytes;
    if (free < reservedBytes) {
      throw StorageErrors.noRoom(directory.path(), free, reservedBytes);
    }
  }

  @Override
  public void clear() {
    passCuts();
    long stamp = enter();
    try (WriteBatch removal = new WriteBatch()) {
      removal.putLogData(claims.next());
      for (Family family : Family.values()) {
        ColumnFamilyHandle handle = store.handle(family);
        byte[] last = lastKey(handle);
        if (last == null) {
          continue;
        }
        if (last.length > 0) {
          // RocksDB counts an empty range in the log and leaves it out of the rows, whose numbers
          // then end before those of the log.
          removal.deleteRange(handle, new byte[0], last);
        }
        removal.delete(handle, last);
      }
      writes.write(hasLog ? store.syncWrite : store.unloggedWrite, removal);
      boolean manyWereLeft = clears.incrementAndGet() % COMPACT_EVERY_CLEARS == 0;
      for (Family family : Family.values()) {
        ColumnFamilyHandle handle = store.handle(family);
        if (manyWereLeft || heldBytes(handle) > COMPACT_ABOVE_BYTES) {
          store.db.compactRange(handle);
        }
      }
    } catch (RocksDBException e) {
      throw failure("clear", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  /** Bytes of a family in files and buffers, what is deleted and not yet compacted included. */
  private long heldBytes(ColumnFamilyHandle handle) throws RocksDBException {
    return store.db.getLongProperty(handle, "rocksdb.total-sst-files-size")
        + store.db.getLongProperty(handle, "rocksdb.cur-size-all-mem-tables");
  }

  /** Writes the rows of all buffers to files. */
  void flush() {
    long stamp = enter();
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      flush(wait);
    } catch (RocksDBException e) {
      throw failure("write files", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  private void flush(FlushOptions wait) throws RocksDBException {
    if (hasLog) {
      for (Family family : Family.values()) {
        store.db.flush(wait, store.handle(family));
      }
    } else {
      store.db.flush(wait, Arrays.stream(Family.values()).map(store::handle).toList());
    }
  }

  @Override
  public void compact(Family family) {
    long stamp = enter();
    try {
      compactions.run(family);
    } catch (RocksDBException e) {
      throw failure("compact", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  @Override
  public void checkpoint(Path into) {
    long stamp = enter();
    try (Checkpoint links = Checkpoint.create(store.db)) {
      links.createCheckpoint(into.toString());
    } catch (RocksDBException e) {
      throw failure("take a checkpoint", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  /** Of a file of the log, or -1 if it was never synced. For tests. */
  long syncedBytes(Path log) {
    return logs.syncedBytes(log);
  }

  /** Writes and compacts no files until it is told to go on. For tests. */
  void pauseFiles() throws RocksDBException {
    store.db.pauseBackgroundWork();
  }

  /** Goes on after {@link #pauseFiles}. */
  void goOnWithFiles() throws RocksDBException {
    store.db.continueBackgroundWork();
  }

  private byte @Nullable [] lastKey(ColumnFamilyHandle handle) throws RocksDBException {
    try (RocksIterator rows = store.db.newIterator(handle, store.totalOrderRead)) {
      rows.seekToLast();
      rows.status();
      return rows.isValid() ? rows.key() : null;
    }
  }

  @Override
  public StorageStatistics statistics() {
    return statistics(syncs.sum(), maintenance.failure());
  }

  @Override
  public void close() {
    maintenance.stop();
    compactions.end();
    endFlushes(); // a write under way can wait for one
    long stamp = inUse.writeLock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      iterators.closeAll();
      try {
        bringToDisk();
      } finally {
        closeFiles();
      }
    } catch (RocksDBException e) {
      throw failure("close", e);
    } finally {
      inUse.unlockWrite(stamp);
    }
  }

  private void bringToDisk() throws RocksDBException {
    if (hasLog) {
      syncLog();
    } else {
      try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
        flush(wait);
      }
    }
  }

  private void endFlushes() {
    long stamp = inUse.readLock();
    try {
      if (!closed) {
        store.endFlushes();
      }
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  private void closeFiles() throws RocksDBException {
    try (claims;
        logs) {
      long written = store.db.getLatestSequenceNumber();
      try {
        store.close();
        claims.closed(directory.path());
      } finally {
        if (refused) {
          LogRecovery.removeRefused(directory.path(), written);
        }
      }
    } catch (IOException e) {
      throw directory.unreadable(e);
    } finally {
      directory.disown();
    }
  }

  /**
   * The log as it is cut. A thread that waits to close the store does not keep it from that: what
   * the thread waits for may be a write that waits for a cut.
   */
  private final class Cuttable implements CutLog {
    @Override
    public long opening() {
      return claims.opening();
    }

    @Override
    public long position() {
      long stamp = enterAhead();
      try {
        return store.db.getLatestSequenceNumber();
      } finally {
        inUse.unlockRead(stamp);
      }
    }

    @Override
    public void sync() {
      long stamp = enterAhead();
      try {
        syncLog();
      } catch (RocksDBException e) {
        throw failure("sync", e);
      } finally {
        inUse.unlockRead(stamp);
      }
    }

    private long enterAhead() {
      long stamp = inUse.tryReadLock();
      if (stamp == 0 || closed) {
        if (stamp != 0) {
          inUse.unlockRead(stamp);
        }
        throw StorageErrors.closed(directory.path());
      }
      return stamp;
    }
  }
}
