package io.graphmeta.storage.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.rocksdb.CutFile.Position;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the logs of all stores of a process at one moment, again and again, so that a loss of power
 * takes all of them back to the same moment. What is left then is what the end of the process at
 * that moment would have left, and no write need be synced for what it has in common with writes to
 * other stores. Safe for use by many threads.
 *
 * <h2>What a cut is</h2>
 *
 * A position in each log, such that of two writes of which the second began after the first had
 * returned, to whatever stores, the first is before its position if the second is.
 *
 * <p>Such a cut is what the end of the process could have left. Let t be the moment at which the
 * last of the writes before the cut began. What had returned by t is before the cut, all before the
 * cut had begun by t, and of each log it is a beginning; of writes under way the end of the process
 * at t may have left any. So what is right after the end of the process is right after a loss of
 * power: parts of transactions that lack others are undone, as at any start (ADR 0010), and
 * watermarks, leases, names and bounds of stamps are there if anything is that was built on them.
 *
 * <h2>Why this takes one</h2>
 *
 * While the positions are read, {@link #taking} is set, and no write begins: it {@linkplain #pass
 * passes} before. Those that have passed go on, and a cut does not wait for them. Let the second of
 * two writes be before its position. Had it passed after the positions were read, it would be
 * behind. So it passed before taking was set; the first had returned before that, and its row
 * counts in a position that is read later. The same holds for a first write that has not returned
 * and whose rows can be read: RocksDB shows rows up to the position that it tells. Between the
 * return of a write and the look at taking is a full fence, and between the set and the reads
 * another: without them a processor could see both too late.
 *
 * <p>No lock is held by writers, so a writer that waits, for the disk or for a table to be written,
 * delays no cut. That matters because tables wait for cuts.
 *
 * <h2>What keeps to it</h2>
 *
 * <ul>
 *   <li>A cut is written when all logs have been synced behind its positions. So after a loss of
 *       power each log leads at least to its position.
 *   <li>A store writes no table with rows behind the newest cut on disk: before it begins with one
 *       it {@linkplain #awaitCut waits} for a cut that is begun later. So it can be taken back.
 *   <li>While cuts fail nothing is written to any store.
 *   <li>{@link CutRecovery} takes the stores back, before one of them is opened, or makes sure that
 *       all of the logs is on disk; and takes the file away.
 *   <li>With all writes at an end {@link #close} syncs all logs and takes the file away: from then
 *       on each log stands for itself.
 * </ul>
 *
 * <p>Nothing can be promised to be on disk without a cut behind it: a sync of one log does not keep
 * its rows from being cut. So stores with cuts serve databases whose commits are not synced.
 */
public final class LogCuts implements AutoCloseable {
  private static final int SPINS = 1000;
  private static final long LOOK_MILLIS = 100;

  private final Path directory;
  private final Maintenance rounds;
  private final List<CutLog> logs = new ArrayList<>();

  private @Nullable CutFile file;

  /** The number of the cut in the file, and where it is. */
  private long number;

  private List<Position> durable = List.of();

  /** Set while positions are read; no write begins meanwhile. */
  private volatile boolean taking;

  /** Set when nothing more is written. */
  private volatile boolean closed;

  /** Rounds that have begun, and the last that has left a cut on disk. */
  @GuardedBy("this")
  private long begun;

  @GuardedBy("this")
  private long ended;

  /** Whether there is a file: before and after, all that is in the logs is on disk. */
  @GuardedBy("this")
  private boolean hasFile;

  /**
   * Cuts of the stores of a database.
   *
   * @param directory of the database, where the file lies
   * @param intervalMillis the time between cuts
   */
  public LogCuts(Path directory, long intervalMillis) {
    this.directory = directory;
    this.rounds = new Maintenance("graphmeta-storage-cuts", this::round, intervalMillis);
  }

  /** Whether the system tells its end from that of a process, as cuts need. */
  public static boolean arePossible() {
    return CutFile.Place.bootOfSystem() != null;
  }

  /** Adds the log of a store; the order is that of the shards. Before {@link #begin}. */
  void add(CutLog log) {
    logs.add(log);
  }

  /**
   * Takes the first cut, when all stores are open and no request has come to them. It is on disk
   * when this returns.
   */
  public void begin() {
    try {
      durable = positions();
      logs.forEach(CutLog::sync);
      file = CutFile.create(directory, durable);
    } catch (IOException e) {
      throw failed(e);
    }
    synchronized (this) {
      hasFile = true;
    }
    rounds.start();
  }

  // Writers

  /**
   * Lets a write begin.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE} while cuts fail, {@code CLOSED}
   */
  void pass() {
    rounds.requireAtWork();
    VarHandle.fullFence();
    for (int i = 0; taking; i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    if (closed) {
      throw StorageErrors.closed(directory);
    }
  }

  // Cuts

  /** One round: a cut, unless nothing was written since the last. */
  private boolean round() {
    long mine;
    synchronized (this) {
      mine = ++begun;
    }
    cut();
    synchronized (this) {
      ended = mine;
      notifyAll();
    }
    return true;
  }

  private void cut() {
    List<Position> cut = positions();
    CutFile to = file;
    if (to == null || cut.equals(durable)) {
      return;
    }
    logs.forEach(CutLog::sync);
    try {
      to.write(number + 1, cut); // over the same bytes again if it fails: the other cut stays
    } catch (IOException e) {
      throw failed(e);
    }
    number++;
    durable = cut;
  }

  /** The positions of all logs at one moment. */
  List<Position> positions() {
    long[] rows = new long[logs.size()];
    taking = true;
    try {
      VarHandle.fullFence();
      for (int i = 0; i < rows.length; i++) {
        rows[i] = logs.get(i).position();
      }
    } finally {
      taking = false;
    }
    List<Position> positions = new ArrayList<>(rows.length);
    for (int i = 0; i < rows.length; i++) {
      positions.add(new Position(logs.get(i).opening(), rows[i]));
    }
    return positions;
  }

  /**
   * Waits until a cut is on disk that was begun after this call, or none is needed any more.
   *
   * @param givenUp tells that the caller will not use it
   */
  void awaitCut(BooleanSupplier givenUp) {
    synchronized (this) {
      long wanted = begun + 1;
      rounds.hurry();
      while (hasFile && ended < wanted && !givenUp.getAsBoolean()) {
        try {
          wait(LOOK_MILLIS);
        } catch (InterruptedException e) {
          // No thread has a reason to interrupt one of RocksDB's, which cannot give up either.
        }
      }
    }
  }

  /**
   * Takes no more writes, brings all to disk, and takes the file away. Before the stores are
   * closed. If it fails the file stays, and with it the last cut. Safe to call again.
   */
  @Override
  public void close() {
    rounds.stop();
    closed = true;
    CutFile last = file;
    if (last == null) {
      return;
    }
    file = null;
    try (last) {
      logs.forEach(CutLog::sync);
      last.delete();
    } catch (IOException e) {
      throw failed(e);
    }
    synchronized (this) {
      hasFile = false;
      notifyAll();
    }
  }

  private GraphMetaException failed(IOException cause) {
    return new GraphMetaException(
        ErrorCode.STORAGE_FAILURE,
        "File "
            + directory.resolve(CutFile.NAME)
            + " cannot be written: "
            + cause
            + "; look after the disk. It is tried again by itself",
        cause);
  }
}
