package io.graphmeta.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What goes into the log as one entry. Guarded by the lock of its {@link CommitPipeline}. */
final class CommitGroup {
  final List<Submission> members = new ArrayList<>();
  private long least = Long.MAX_VALUE;
  private long newest;
  private boolean durable;
  private @Nullable CompletableFuture<Void> whenDurable;

  /** Notes a stamp that the server gave to a member. */
  void stamped(long stamp) {
    least = Math.min(least, stamp);
    newest = Math.max(newest, stamp);
  }

  /** True if the server gave stamps to members. */
  boolean hasStamps() {
    return newest != 0;
  }

  /** The least of those stamps. */
  long least() {
    return least;
  }

  /** The greatest of those stamps, or 0. */
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

  /** Completes when the group is durable; made when first asked for. */
  CompletableFuture<Void> whenDurable() {
    if (whenDurable == null) {
      whenDurable = new CompletableFuture<>();
    }
    return whenDurable;
  }

  /** What {@link #whenDurable} made, or null. */
  @Nullable CompletableFuture<Void> awaited() {
    return whenDurable;
  }
}
