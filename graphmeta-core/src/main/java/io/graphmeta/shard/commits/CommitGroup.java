package io.graphmeta.shard.commits;

import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The commits and parts that go into the log as one entry. To join a group, and to follow another
 * group, takes no memory. Guarded by the lock of its {@link CommitPipeline}.
 */
final class CommitGroup {
  /** The group that was appended next, while this one is not durable. */
  @Nullable CommitGroup next;

  /** The bound of all stamps that is durable with this group. */
  long bound;

  private @Nullable Submission first;
  private @Nullable Submission last;
  private long least = Long.MAX_VALUE;
  private long newest;
  private boolean durable;
  private @Nullable GraphMetaException failure;
  private @Nullable WhenDurable awaited;

  /** Completes the future of a group when the lock is free; with the failure if one is set. */
  static final class WhenDurable extends AnsweringLock.Answer {
    final CompletableFuture<Void> future = new CompletableFuture<>();
    @Nullable Throwable failure;

    @Override
    void give() {
      if (failure != null) {
        future.completeExceptionally(failure);
      } else {
        future.complete(null);
      }
    }

    @Override
    boolean isGiven() {
      return future.isDone();
    }
  }

  /** Takes a member, which is answered with the others. */
  void add(Submission member) {
    if (last == null) {
      first = member;
    } else {
      last.next = member;
    }
    last = member;
  }

  /** The first member; each knows the next. */
  @Nullable Submission first() {
    return first;
  }

  /** Notes a stamp that the shard gave to a member. */
  void stamped(long stamp) {
    least = Math.min(least, stamp);
    newest = Math.max(newest, stamp);
  }

  /** True if the shard gave stamps to members. */
  boolean hasStamps() {
    return newest != 0;
  }

  /** The least of the stamps that the shard gave to members. */
  long least() {
    return least;
  }

  /** The greatest of the stamps that the shard gave to members, or 0. */
  long newest() {
    return newest;
  }

  /** True if the stamp is among those of members. */
  boolean spans(long stamp) {
    return least <= stamp && stamp <= newest;
  }

  boolean isDurable() {
    return durable;
  }

  void becomeDurable() {
    durable = true;
  }

  /** Whether it is durable is not known until the store is opened again. */
  void fail(GraphMetaException unknown) {
    failure = unknown;
  }

  /** Why it will not become durable, or null. */
  @Nullable GraphMetaException failure() {
    return failure;
  }

  /** Completes when the group is durable; made when first asked for. */
  CompletableFuture<Void> whenDurable() {
    if (awaited == null) {
      awaited = new WhenDurable();
    }
    return awaited.future;
  }

  /** What {@link #whenDurable} made, or null. */
  @Nullable WhenDurable awaited() {
    return awaited;
  }
}
