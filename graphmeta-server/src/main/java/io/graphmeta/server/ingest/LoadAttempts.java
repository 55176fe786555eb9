package io.graphmeta.server.ingest;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the transaction of a load again if another came first, if what it changes was moved to
 * another shard while it ran, or if a node of a cluster was away. That is right also where nobody
 * knows whether it was committed: a record that is there already changes nothing.
 *
 * <p>A transaction that came first may be on its way to the disk yet, and until it is there none
 * begins behind it; so each attempt is made after a longer pause than the one before it, and of a
 * random length, for loads side by side.
 */
final class LoadAttempts {
  /** How often a transaction of one record may come second. */
  private static final int MOST_CONFLICTS = 20;

  /** How often one of several may, which had better be cut into smaller ones then. */
  private static final int MOST_CONFLICTS_OF_SEVERAL = 3;

  /** For how long a node may be away: it is started again, or its machine is. */
  private static final long LONGEST_AWAY_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  private LoadAttempts() {}

  /** One transaction. */
  @FunctionalInterface
  interface Attempt {
    LoadResult run();
  }

  /**
   * Runs a transaction.
   *
   * @param records how many records are loaded by it
   */
  static LoadResult run(int records, Attempt attempt) {
    int mostConflicts = records > 1 ? MOST_CONFLICTS_OF_SEVERAL : MOST_CONFLICTS;
    long begun = System.nanoTime();
    long longestPause = FIRST_PAUSE_NANOS;
    int conflicts = 0;
    while (true) {
      try {
        return attempt.run();
      } catch (GraphMetaException e) {
        conflicts += isConflict(e) ? 1 : 0;
        boolean again =
            isConflict(e)
                ? conflicts < mostConflicts
                : isAway(e) && System.nanoTime() - begun < LONGEST_AWAY_NANOS;
        if (!again || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longestPause));
      longestPause = Math.min(2 * longestPause, LONGEST_PAUSE_NANOS);
    }
  }

  /** Whether another transaction came first, or moved what this one changes. */
  static boolean isConflict(GraphMetaException e) {
    return e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.SNAPSHOT_TOO_OLD;
  }

  private static boolean isAway(GraphMetaException e) {
    return switch (e.code()) {
      case UNAVAILABLE, UNREACHABLE, OUTCOME_UNKNOWN -> true;
      default -> false;
    };
  }
}
