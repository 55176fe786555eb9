package io.graphmeta.shard.commits;

import io.graphmeta.storage.RowBatch;

/**
 * What META tells of commits in a store that was cut at a stamp: everything at or below it is there
 * and decided, and nothing above it ever was.
 */
public final class CommitsUpTo {
  private CommitsUpTo() {}

  /**
   * Whether a row of META is of transactions that nobody can ask about any more: an intent, which
   * is decided or cut off, or the tokens of commits, whose clients belong to another database.
   */
  public static boolean isForgotten(byte[] key, int length) {
    return StoredIntent.isKey(key) || CommitTokens.isToken(key, length);
  }

  /** Adds the rows that say so to a batch: those of a store that was closed at the stamp. */
  public static void put(long stamp, RowBatch batch) {
    StampSource.putBound(stamp + 1, batch);
    IntentKeeper.put(stamp, batch);
    SettledRow.put(stamp, batch);
  }
}
