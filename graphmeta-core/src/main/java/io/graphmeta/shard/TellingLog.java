package io.graphmeta.shard;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;

/**
 * A log that tells those who keep something of the rows in memory what it has applied to the store,
 * before whoever appended it learns that it is there. Safe for use by many threads.
 */
final class TellingLog implements ReplicationLog {
  private final ReplicationLog log;

  /** Where there is one server nothing is split, and nothing counted for it. */
  private final boolean alone;

  private final SplitTable splits;
  private final EntryMoves moves;
  private final MovedRows moved;
  private final EntryCounts counts;
  private final AdjacencyCache cache;

  TellingLog(
      ReplicationLog log,
      SplitTable splits,
      EntryMoves moves,
      MovedRows moved,
      EntryCounts counts,
      AdjacencyCache cache) {
    this.log = log;
    this.alone = splits.places().servers() == 1;
    this.splits = splits;
    this.moves = moves;
    this.moved = moved;
    this.counts = counts;
    this.cache = cache;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    try {
      CompletableFuture<Void> durable = log.append(entry, durability);
      if (!alone) {
        splits.changed(entry);
        moved.changed(entry);
        counts.changed(entry);
      }
      return durable;
    } finally {
      if (!alone) {
        moves.changed(entry);
      }
      cache.changed(entry); // after a failure too: it costs a few loads, and trusts nothing
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
