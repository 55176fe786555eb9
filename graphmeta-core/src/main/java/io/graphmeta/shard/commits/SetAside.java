package io.graphmeta.shard.commits;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Commits and parts that wait until parts are undone: a part that came to nothing holds its scopes
 * until its rows are gone, but nobody is to be refused for it, least of all the client that gave it
 * up and tries again. And a part that takes the place of one in the same group, which is the first
 * of the next. They count among the unanswered, of which there is a limit. Guarded by the lock of
 * its {@link CommitPipeline}.
 */
final class SetAside {
  private final ArrayDeque<Submission> waiting = new ArrayDeque<>();

  /** How many of the first can be tried again. Read without the lock too. */
  private volatile int ready;

  private @Nullable Throwable failure;

  /** Sets one aside until the next part is undone. */
  void add(Submission submission) {
    waiting.add(submission);
  }

  /** Sets one aside that is the first of the next group. */
  void addNext(Submission submission) {
    waiting.addFirst(submission);
    ready = ready + 1;
  }

  /** A part is undone: all who wait by now can be tried again. */
  void undone() {
    ready = waiting.size();
  }

  /** A part is not undone, and none will be any more. */
  void undoFailed(Throwable cause) {
    failure = cause;
    ready = waiting.size();
  }

  /** Why no part will be undone any more; null while they are. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Whether some can be tried again. Safe without the lock. */
  boolean isReady() {
    return ready > 0;
  }

  /** The next that can be tried again, if any. */
  @Nullable Submission poll() {
    if (ready == 0) {
      return null;
    }
    ready = ready - 1;
    return waiting.remove();
  }
}
