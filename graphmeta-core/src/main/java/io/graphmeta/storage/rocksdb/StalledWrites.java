package io.graphmeta.storage.rocksdb;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Writes, and waits where RocksDB has no place for more rows until it has written tables. Safe for
 * use by many threads.
 *
 * <h2>Why not in RocksDB</h2>
 *
 * A write that waits there, and all writes behind it, wait until the tables are written, whatever
 * becomes of that. On a full disk RocksDB tries until there is room, so that they are neither taken
 * nor refused; and where tables wait for a {@linkplain LogCuts cut}, they do so while there is none
 * to be had. So no write waits in RocksDB: it is given back at once and comes again, for as long as
 * nothing has failed. By then
 *
 * <ul>
 *   <li>a table of new rows that failed has made RocksDB refuse writes, which they meet;
 *   <li>one of older rows that failed was counted, and is looked for here;
 *   <li>cuts or maintenance that fail are asked as before any write.
 * </ul>
 *
 * <h2>One at a time</h2>
 *
 * Writes that wait come again in turn, and those that are new wait behind them. That is fair.
 *
 * <h2>Where RocksDB slows writes down</h2>
 *
 * Before it stops taking rows it takes them at some rate. It counts what it gives back as written,
 * by the size of what was written last: a write that came again soon would always come too soon. So
 * it comes when there is time for twice its bytes, then for twice as many, and so on.
 */
final class StalledWrites {
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A pause is this part of what was waited before: so much longer than needed it gets at most. */
  private static final int PART_OF_WAITING = 8;

  /** How long a table that failed may have been another than the one that is waited for. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final NativeStore store;
  private final DatabaseDirectory directory;
  private final Runnable mayBegin;
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Set when a write is refused here, until one is taken: RocksDB may not try tables meanwhile. */
  private volatile boolean refused;

  /**
   * Writes to a store.
   *
   * @param mayBegin fails if no write may begin
   */
  StalledWrites(NativeStore store, DatabaseDirectory directory, Runnable mayBegin) {
    this.store = store;
    this.directory = directory;
    this.mayBegin = mayBegin;
  }

  /** Writes rows, when a write may begin. */
  void write(WriteOptions options, WriteBatch rows) throws RocksDBException {
    if (turn.isLocked() || !isTaken(options, rows)) {
      writeInTurn(options, rows);
    }
  }

  private boolean isTaken(WriteOptions options, WriteBatch rows) throws RocksDBException {
    try {
      store.db.write(options, rows);
      if (refused) {
        refused = false;
      }
      return true;
    } catch (RocksDBException e) {
      if (isStall(e)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isStall(RocksDBException refusal) {
    Status status = refusal.getStatus();
    return status != null && status.getCode() == Status.Code.Incomplete;
  }

  private void writeInTurn(WriteOptions options, WriteBatch rows) throws RocksDBException {
    long failures = store.failedTables();
    long owed = rows.getDataSize();
    boolean interrupted = false;
    long begin = System.nanoTime();
    turn.lock();
    try {
      while (!isTaken(options, rows)) {
        owed *= 2;
        long attempt = System.nanoTime();
        do {
          long waited = System.nanoTime() - begin;
          if (waited > PATIENCE_NANOS && (refused || store.failedTables() != failures)) {
            refused = true;
            throw StorageErrors.noTables(directory.path(), directory.freeBytes());
          }
          LockSupport.parkNanos(this, pauseNanos(waited));
          interrupted |= Thread.interrupted(); // would end each pause at once
          mayBegin.run();
        } while (isSlowedBelow(owed, System.nanoTime() - attempt));
      }
    } finally {
      turn.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether RocksDB slows writes down so that it takes longer for so many bytes. */
  private boolean isSlowedBelow(long bytes, long nanos) throws RocksDBException {
    long bytesEachSecond = store.slowedToBytes();
    return bytesEachSecond > 0 && bytes > nanos * 1e-9 * bytesEachSecond;
  }

  private static long pauseNanos(long waited) {
    return Math.min(Math.max(waited / PART_OF_WAITING, LEAST_PAUSE_NANOS), MOST_PAUSE_NANOS);
  }
}
