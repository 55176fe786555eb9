package io.graphmeta.shard;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.shard.moves.EntryCounts;
import io.graphmeta.shard.moves.EntryMoves;
import io.graphmeta.shard.moves.MovedRows;
import io.graphmeta.shard.retention.HistoryBound;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log that tells the tables in memory. What decides about entries that are still to come (the
 * splits) is told when an entry is ordered: readers draw the line at their snapshot, which is not
 * above what is applied. What mirrors the store (the cache, the moves, the counts) is told when an
 * entry is applied, before the caller that appended it learns that it is there: told earlier it
 * would read the rows of before, and keep them. If telling fails, and not for a want of memory that
 * passes, the tables can be trusted no more: the log takes no more entries then, and {@link
 * #requireTold} fails. Safe for use by many threads.
 */
final class TellingLog implements ReplicationLog, ReplicationLog.Told {
  private static final int MAX_TOLD_AGAIN = 200;
  private static final long PAUSE_NANOS = 1_000_000;

  private static final CompletableFuture<Void> UNTOLD =
      CompletableFuture.failedFuture(
          new GraphMetaException(
              ErrorCode.OUTCOME_UNKNOWN, "The shard could not take note of what it has stored"));

  private final ReplicationLog log;

  /** Where there is one shard nothing is split, and nothing counted for it. */
  private final boolean alone;

  private final SplitTable splits;
  private final EntryMoves moves;
  private final MovedRows moved;
  private final EntryCounts counts;
  private final AdjacencyCache cache;
  private final HistoryBound kept;

  /** Made before they are needed: behind the entry there may be no memory for them. */
  private final Consumer<RowBatch> whenOrdered;

  private final Consumer<RowBatch> whenApplied = this::tellMirrors;
  private volatile @Nullable Throwable untold;

  private TellingLog(
      ReplicationLog log,
      SplitTable splits,
      EntryMoves moves,
      MovedRows moved,
      EntryCounts counts,
      AdjacencyCache cache,
      HistoryBound kept) {
    this.log = log;
    this.alone = splits.places().shards() == 1;
    this.splits = splits;
    this.moves = moves;
    this.moved = moved;
    this.counts = counts;
    this.cache = cache;
    this.kept = kept;
    this.whenOrdered = splits::changed;
  }

  /** Tells some tables of what is ordered, and applied, from now on. */
  static TellingLog over(
      ReplicationLog log,
      SplitTable splits,
      EntryMoves moves,
      MovedRows moved,
      EntryCounts counts,
      AdjacencyCache cache,
      HistoryBound kept) {
    TellingLog told = new TellingLog(log, splits, moves, moved, counts, cache, kept);
    log.tell(told);
    return told;
  }

  @Override
  public CompletableFuture<Void> applied() {
    return log.applied();
  }

  @Override
  public void requireRoom() {
    log.requireRoom();
  }

  @Override
  public boolean isShared() {
    return log.isShared();
  }

  @Override
  public CompletableFuture<Void> confirm() {
    return log.confirm();
  }

  /** Those whom it tells are known from the beginning. */
  @Override
  public void tell(Told told) {
    throw new UnsupportedOperationException("Of this log tables are told, and nobody else");
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    CompletableFuture<Void> ordered;
    try {
      ordered = log.append(entry, durability);
    } catch (Throwable e) {
      distrust(entry);
      throw e;
    }
    return untold == null ? ordered : UNTOLD;
  }

  @Override
  public CompletableFuture<Void> appendToSync(RowBatch entry) {
    CompletableFuture<Void> ordered;
    try {
      ordered = log.appendToSync(entry);
    } catch (Throwable e) {
      distrust(entry);
      throw e;
    }
    return untold == null ? ordered : UNTOLD;
  }

  @Override
  public void ordered(RowBatch entry) {
    if (!alone) {
      telling(entry, whenOrdered);
    }
  }

  @Override
  public void applied(RowBatch entry) {
    telling(entry, whenApplied);
  }

  private void telling(RowBatch entry, Consumer<RowBatch> tables) {
    Throwable failure = tryToTell(entry, tables);
    for (int again = 0; failure instanceof OutOfMemoryError && again < MAX_TOLD_AGAIN; again++) {
      LockSupport.parkNanos(this, PAUSE_NANOS); // to be told twice does no harm
      failure = tryToTell(entry, tables);
    }
    if (failure != null) {
      untold = failure;
      log.stop(failure);
    }
  }

  private static @Nullable Throwable tryToTell(RowBatch entry, Consumer<RowBatch> tables) {
    try {
      tables.accept(entry);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private void tellMirrors(RowBatch entry) {
    if (!alone) {
      moved.changed(entry);
      counts.changed(entry);
      moves.changed(entry);
    }
    cache.changed(entry);
    kept.changed(entry);
  }

  /** Nothing was appended; but it costs a few loads only to trust nothing. */
  private void distrust(RowBatch entry) {
    try {
      if (!alone) {
        moves.changed(entry);
      }
      cache.changed(entry);
    } catch (Throwable e) {
      // There was nothing to tell.
    }
  }

  /** The tables are not asked any more: a log that goes on does not keep them in memory. */
  void end() {
    log.tell(Told.NOBODY);
  }

  /** False once {@link #requireTold} fails. */
  boolean isTold() {
    return untold == null;
  }

  /**
   * Fails if an entry is in the store of which not all were told.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE}
   */
  void requireTold() {
    Throwable cause = untold;
    if (cause != null) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The shard has stopped, since it could not take note of what it has stored ("
              + cause
              + "); close the database and open it again",
          cause);
    }
  }

  @Override
  public void bringToDisk() {
    log.bringToDisk();
  }

  @Override
  public void stop(Throwable cause) {
    log.stop(cause);
  }

  @Override
  public @Nullable Throwable stopped() {
    return log.stopped();
  }

  @Override
  public void close() {
    log.close();
  }
}
