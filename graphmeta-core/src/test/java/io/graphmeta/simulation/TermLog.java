package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replica while it leads, by the contract of the one of nodes: ends with the term, and
 * what is not applied then fails, though it may come to be applied.
 */
final class TermLog implements ReplicationLog {
  private final long number;
  private final Group group;
  private final Deque<Ordered> underWay = new ArrayDeque<>();
  private Told told = Told.NOBODY;
  private long positions;
  private @Nullable Throwable stopped;
  private boolean ended;
  private boolean closed;

  /** What the log needs of the group. */
  interface Group {
    /** Puts rows into the log of the group; false if this replica does not lead it. */
    boolean propose(long log, long position, RowBatch rows);

    /** As {@link ReplicationLog#confirm}. */
    CompletableFuture<Void> confirm();

    /** The log has ended by itself. */
    void ended(TermLog log);
  }

  private record Ordered(long position, CompletableFuture<Void> done) {}

  /** A log; no other has its number. */
  TermLog(long number, Group group) {
    this.number = number;
    this.group = group;
  }

  long number() {
    return number;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    if (closed || stopped != null) {
      throw new GraphMetaException(
          ErrorCode.NOT_LEADER, "The replica takes no more changes; nothing was done", stopped);
    }
    Ordered ordered = new Ordered(positions++, new CompletableFuture<>());
    RowBatch rows = new RowBatch(entry.sizeBytes());
    byte[] copy = new byte[entry.sizeBytes()];
    entry.copyTo(copy, 0);
    rows.putCopied(copy, 0, copy.length);
    underWay.add(ordered);
    told.ordered(entry);
    if (!group.propose(number, ordered.position, rows)) {
      end(new GraphMetaException(ErrorCode.NOT_LEADER, "Another replica leads"));
      group.ended(this);
    }
    return ordered.done;
  }

  /** The replica has applied what this log has proposed. */
  void applied(long position, RowBatch rows) {
    Ordered next = underWay.poll();
    if (next == null) {
      return; // the log has ended, and has told so
    }
    if (next.position != position) {
      throw new Violation(
          Violation.Invariant.NO_DEFECT,
          "log " + number,
          "Batch " + position + " of log " + number + " came before " + next.position);
    }
    told.applied(rows);
    next.done.complete(null);
  }

  /** Takes nothing any more; what is not applied may be applied or not. */
  void end(Throwable cause) {
    if (ended) {
      return;
    }
    ended = true;
    stopped = stopped == null ? cause : stopped;
    List<Ordered> lost = new ArrayList<>(underWay);
    underWay.clear();
    GraphMetaException unknown =
        new GraphMetaException(
            ErrorCode.UNREACHABLE, "The replica ceased to lead before it knew more", cause);
    lost.forEach(each -> each.done.completeExceptionally(unknown));
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public CompletableFuture<Void> confirm() {
    return group.confirm();
  }

  @Override
  public CompletableFuture<Void> applied() {
    return underWay.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : underWay.getLast().done.copy();
  }

  @Override
  public void tell(Told of) {
    told = of;
  }

  @Override
  public void stop(Throwable cause) {
    stopped = stopped == null ? cause : stopped;
  }

  @Override
  public @Nullable Throwable stopped() {
    return stopped;
  }

  /** Takes nothing more. Who closes it waits for what is {@linkplain #applied under way}. */
  @Override
  public void close() {
    closed = true;
  }
}
