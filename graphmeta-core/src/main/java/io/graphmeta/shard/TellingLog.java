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
  private final SplitTable splits;
  private final AdjacencyCache cache;

  TellingLog(ReplicationLog log, SplitTable splits, AdjacencyCache cache) {
    this.log = log;
    this.splits = splits;
    this.cache = cache;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    try {
      CompletableFuture<Void> durable = log.append(entry, durability);
      splits.changed(entry);
      return durable;
    } finally {
      cache.changed(entry); // after a failure too: it costs a few loads, and trusts nothing
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
