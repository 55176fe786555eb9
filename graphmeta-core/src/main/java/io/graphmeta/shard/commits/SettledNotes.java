package io.graphmeta.shard.commits;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Notes in a store up to where it tells all, for those who read it beside its writer, or after the
 * writer has died. At and below the <i>settled</i> stamp nothing will be committed on this shard
 * any more, all that was stands in the log before the note, and all outcomes are known. So of
 * several stores, each as it was at some moment, all is there and nothing in part at and below the
 * least of their notes.
 *
 * <p>A note is written when something was committed above the last one: here, or on another shard,
 * which says so. A database at rest writes none. The loss of power may take notes, with what they
 * tell of.
 *
 * <p>A shard closes nothing for its own note: a part of a large transaction may be on its way, with
 * a stamp that would be closed before it has arrived. What is committed here is closed by its
 * commit, or by the other participants, who tell of it. For the same reason the others are told of
 * what is committed only: their parts of the rest may not be there yet.
 *
 * <p>One shard alone notes the newest stamp that it gave: who holds the lock of its commits knows
 * that all rows below are in the log.
 *
 * <p>Ticks come from one thread; answers of other shards from any.
 */
public final class SettledNotes {
  private final int shard;
  private final int shards;
  private final CommitPipeline commits;
  private final ReplicationLog log;
  private final CommitSettings settings;
  private long noted;

  /** What the other shards were told. */
  private volatile long told;

  /** Notes for a pipeline. */
  public SettledNotes(
      int shard,
      int shards,
      StorageEngine storage,
      CommitPipeline commits,
      ReplicationLog log,
      CommitSettings settings) {
    this.shard = shard;
    this.shards = shards;
    this.commits = commits;
    this.log = log;
    this.settings = settings;
    this.noted = SettledRow.of(storage, false);
  }

  /**
   * Does what is due. One thread at a time.
   *
   * @param peers the way to the other shards; null if there are none
   */
  public void tick(@Nullable Transport peers) {
    long committed = commits.newestCommitted();
    if (shards == 1) {
      noted = committed > noted ? commits.noteNewest() : noted;
      return;
    }
    if (committed > told && peers != null) {
      tell(peers, committed);
    }
    if (noted == 0) {
      commits.snapshot(0); // of a store that has no note, so that there is one
    } else if (Math.max(committed, commits.newestSeen()) <= noted) {
      return;
    }
    long resolved = commits.resolved();
    if (resolved > noted) {
      RowBatch entry = new RowBatch(64);
      SettledRow.put(resolved, entry);
      log.append(entry, Durability.BACKGROUND);
      noted = resolved;
    }
  }

  /** Who is asked for a snapshot above a stamp knows that there is something to be seen. */
  private void tell(Transport peers, long committed) {
    told = committed;
    for (int other = 0; other < shards; other++) {
      if (other != shard) {
        Request snapshot = new Request.Snapshot(committed);
        peers
            .send(other, new Call(settings.epoch(), settings.requestMillis(), snapshot))
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    told = 0; // again, with the next tick
                  }
                });
      }
    }
  }
}
