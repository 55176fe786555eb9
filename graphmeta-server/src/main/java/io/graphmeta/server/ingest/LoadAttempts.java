package io.graphmeta.server.ingest;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the transaction of a load again if another came first, or if what it changes was moved to
 * another server while it ran. Nothing was written then. The other may be on its way to the disk
 * yet, and until it is there no transaction begins behind it; so each attempt is made after a
 * longer pause than the one before it, and of a random length, for loads side by side.
 */
final class LoadAttempts {
  private static final int MOST = 20;
  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  private LoadAttempts() {}

  /** One transaction. */
  @FunctionalInterface
  interface Attempt {
    LoadResult run();
  }

  static LoadResult run(Attempt attempt) {
    long longestPause = FIRST_PAUSE_NANOS;
    for (int number = 1; ; number++) {
      try {
        return attempt.run();
      } catch (GraphMetaException e) {
        boolean again = e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.SNAPSHOT_TOO_OLD;
        if (!again || number == MOST) {
          throw e;
        }
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longestPause));
      longestPause = Math.min(2 * longestPause, LONGEST_PAUSE_NANOS);
    }
  }
}
