package io.graphmeta.server.ingest;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * Runs the transaction of a load again if another came first, or if what it changes was moved to
 * another server while it ran. Nothing was written then.
 */
final class LoadAttempts {
  private static final int MOST = 20;

  private LoadAttempts() {}

  /** One transaction. */
  @FunctionalInterface
  interface Attempt {
    LoadResult run();
  }

  static LoadResult run(Attempt attempt) {
    for (int number = 1; ; number++) {
      try {
        return attempt.run();
      } catch (GraphMetaException e) {
        boolean again = e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.SNAPSHOT_TOO_OLD;
        if (!again || number == MOST) {
          throw e;
        }
      }
    }
  }
}
