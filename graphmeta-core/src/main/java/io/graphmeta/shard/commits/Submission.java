package io.graphmeta.shard.commits;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A commit, a part or the outcome of parts, on its way through a {@link CommitPipeline}, whose lock
 * guards it.
 */
final class Submission extends AnsweringLock.Answer {
  final Request.@Nullable Commit commit;
  final Request.@Nullable Prepare prepare;
  final Request.@Nullable Resolve outcome;
  final CompletableFuture<Response> answer = new CompletableFuture<>();

  /** True once it was taken from the queue. */
  boolean taken;

  /** Whether its thread has to bring to disk what it has appended. Of that thread alone. */
  boolean syncs;

  /** True once its thread has nothing to wait for in the pipeline. Safe without the lock. */
  private volatile boolean isDone;

  /** Whether no thread stays with it. Safe without the lock. */
  private volatile boolean isLeft;

  /** The thread to be woken. Safe without the lock. */
  private volatile @Nullable Thread waiting;

  /** What is answered when its group is durable. */
  @Nullable Response response;

  /** Why it failed, or is refused for ever; answered in the place of a response. */
  @Nullable Throwable failure;

  /** The next member of its group. */
  @Nullable Submission next;

  private Submission(
      Request.@Nullable Commit commit,
      Request.@Nullable Prepare prepare,
      Request.@Nullable Resolve outcome) {
    this.commit = commit;
    this.prepare = prepare;
    this.outcome = outcome;
  }

  static Submission of(Request.Commit commit) {
    return new Submission(commit, null, null);
  }

  static Submission of(Request.Prepare prepare) {
    return new Submission(null, prepare, null);
  }

  static Submission of(Request.Resolve outcome) {
    return new Submission(null, null, outcome);
  }

  @Override
  void give() {
    try {
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(response);
      }
    } finally {
      letGo();
    }
  }

  @Override
  boolean isGiven() {
    return answer.isDone();
  }

  /** Names the thread that is to be woken, or null for none. */
  void waits(@Nullable Thread thread) {
    waiting = thread;
  }

  /** True once it is answered, or waits for the disk alone. */
  boolean isDone() {
    return isDone;
  }

  /** Leaves it to the thread that has the lock, or gets it next. */
  void leave() {
    isLeft = true;
  }

  /** True if it was left to the thread that has the lock, or gets it next. */
  boolean isLeft() {
    return isLeft;
  }

  /** Lets its thread leave the pipeline. */
  void letGo() {
    isDone = true;
    wake();
  }

  /** Wakes its thread, if that waits. */
  void wake() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
