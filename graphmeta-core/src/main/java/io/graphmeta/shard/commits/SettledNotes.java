package io.graphmeta.shard.commits;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notes in a store up to where it tells all, for those who read it beside its writer, or after the
 * writer has died. At and below the <i>settled</i> stamp nothing will be committed on this shard
 * any more, all that was stands in the log before the note, and all outcomes are known. So of
 * several stores, each as it was at some moment, all is there and nothing in part at and below the
 * least of their notes.
 *
 * <p>A note is written when something was committed above the last one, here or on another shard of
 * the process; or when somebody wants to read at a stamp above it, be it that nothing was committed
 * since. A database at rest of which nobody wants anything writes none. The loss of power may take
 * notes, with what they tell of.
 *
 * <p>To note a stamp closes it, and nothing above: a part of a large transaction may be on its way,
 * and would come too late.
 *
 * <p>One shard alone notes the newest stamp that it gave: who holds the lock of its commits knows
 * that all rows below are in the log.
 *
 * <p>Ticks come from one thread, wishes from any.
 */
public final class SettledNotes {
  private final int shards;
  private final CommitPipeline commits;
  private final ReplicationLog log;
  private final AtomicLong wanted = new AtomicLong();
  private long noted;

  /** Notes for a pipeline, of one of some shards. */
  public SettledNotes(
      int shards, StorageEngine storage, CommitPipeline commits, ReplicationLog log) {
    this.shards = shards;
    this.commits = commits;
    this.log = log;
    this.noted = SettledRow.of(storage, false);
  }

  /**
   * Notes a stamp as soon as all at and below it is decided, whether anything was committed there
   * or not. Forgotten when the shard is closed.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code MISMATCHED_SETTINGS} for a stamp that is
   *     further ahead than clocks may differ
   */
  public void want(long stamp) {
    commits.requireNear(stamp);
    wanted.accumulateAndGet(stamp, Math::max);
  }

  /**
   * Does what is due. One thread at a time.
   *
   * @param newestElsewhere the greatest stamp that is known to be committed on another shard
   */
  public void tick(long newestElsewhere) {
    long committed = commits.newestCommitted();
    long newest = wanted.get();
    if (shards == 1) {
      noted = committed > noted ? commits.noteNewest() : noted;
    } else {
      newest = Math.max(newest, Math.max(committed, newestElsewhere));
    }
    if (noted == 0 && shards > 1) {
      commits.snapshot(0); // of a store that has no note, so that there is one
    } else if (newest <= noted) {
      return;
    }
    commits.closeUpTo(newest);
    long resolved = commits.resolved();
    if (resolved > noted) {
      RowBatch entry = new RowBatch(64);
      SettledRow.put(resolved, entry);
      log.append(entry, Durability.BACKGROUND);
      noted = resolved;
    }
  }
}
