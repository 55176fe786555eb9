package io.graphmeta.shard.commits;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/** What becomes of the errors of commits; where there is no memory for more, a plain word. */
final class CommitErrors {
  private static final GraphMetaException UNKNOWN =
      new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "The shard failed while it committed; whether the commit is there shows when the database is opened again");

  private static final GraphMetaException STOPPED =
      new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The shard takes no more commits; close the database and open it again");

  private static final GraphMetaException UNTOLD =
      new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "The shard could not tell what became of a commit; look for what it wrote");

  /** Why the log of a shard stops whose rows could not all be removed. */
  static final GraphMetaException CLEARED_IN_PART =
      new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "Removing all rows of the shard failed on its way");

  /** What is told to those who wait for the outcomes of others when a shard closes. */
  static final GraphMetaException CLOSES =
      new GraphMetaException(
          ErrorCode.CLOSED,
          "The shard closes, and commits of others are under way whose outcomes it does not know"
              + " yet; nothing was done");

  private CommitErrors() {}

  /**
   * Has the class and its plain words there. One that is first asked for when there is no memory
   * could not even say so, and whoever commits then would wait for an answer.
   */
  static void prepare() {
    // To be called is all that it takes.
  }

  /** The entry of a commit may be in the log or not. */
  static GraphMetaException unknown(Throwable cause) {
    try {
      if (cause instanceof GraphMetaException e && e.code().leavesOutcomeOpen()) {
        return e; // who leads the shard now can tell
      }
      return new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "The log could not be brought to disk ("
              + cause.getMessage()
              + "); whether the commit is there shows when the database is opened again",
          cause);
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }

  /** The log takes no more entries. */
  static GraphMetaException stopped(Throwable cause) {
    try {
      if (cause instanceof GraphMetaException e && e.code().isAway()) {
        return new GraphMetaException(
            ErrorCode.NOT_LEADER,
            "The shard is led elsewhere now; nothing was done (" + e.getMessage() + ")",
            e);
      }
      return new GraphMetaException(
          ErrorCode.STORAGE_FAILURE,
          "The shard takes no more commits, since its log failed ("
              + cause.getMessage()
              + "); close the database, look after the disk, and open it again",
          cause);
    } catch (Throwable e) {
      return STOPPED;
    }
  }

  /** A commit was refused, or done before, and which cannot be told. */
  static GraphMetaException untold(Throwable cause) {
    try {
      return new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "The shard could not tell what became of a commit ("
              + cause
              + "); look for what it wrote",
          cause);
    } catch (Throwable e) {
      return UNTOLD;
    }
  }

  /** What a member of a group is told that was not committed, and never will be. */
  static Throwable refused(Throwable cause) {
    if (!(cause instanceof OutOfMemoryError)) {
      return cause;
    }
    try {
      return new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The shard had no memory left for a commit ("
              + cause.getMessage()
              + "); nothing was done, try again later or in smaller transactions",
          cause);
    } catch (Throwable e) {
      return cause;
    }
  }
}
