package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.router.Router;
import org.jspecify.annotations.Nullable;

/**
 * The views of one transaction, from its begin to its end: every read asks here before it is sent,
 * no matter who made its view.
 *
 * <p>A view says what was known at a stamp. That never changes, so it may be answered only when the
 * stamp is resolved on all shards. The snapshot of the transaction is, and does not move; for a
 * view of what was known behind it, shards are asked for a later snapshot, which serves views of
 * the past alone: the transaction goes on reading, and being checked, at its own. Where replicas
 * near here have all up to some stamp, views of the past are read at that. Belongs to the thread of
 * its transaction.
 */
final class Views {
  private final Router router;
  private final ReadView snapshot;
  private boolean open = true;

  /** At and below it all shards have told that they are complete. */
  private long resolved;

  Views(Router router) {
    this.router = router;
    this.resolved = router.snapshot();
    this.snapshot = ReadView.at(resolved);
  }

  /** True until {@link #end}. */
  boolean isOpen() {
    return open;
  }

  /** The transaction ends: nothing is read by it any more. */
  void end() {
    open = false;
  }

  /**
   * Lets a read or a write of the transaction through.
   *
   * @throws GraphMetaException {@code CLOSED} if the transaction has ended
   */
  void requireOpen() {
    if (!open) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The transaction has ended; begin another");
    }
  }

  /** The view of the transaction. */
  ReadView snapshot() {
    return snapshot;
  }

  /** The view at two times, of which one that is not given is now. */
  ReadView at(@Nullable Long validAt, @Nullable Long knownAt) {
    long known = knownAt == null ? snapshot.knownAt() : knownAt;
    long now = Math.max(snapshot.validAt(), known); // nothing is known before it becomes true
    return reading(new ReadView(validAt == null ? now : validAt, known));
  }

  /**
   * The view to send in place of another: of the same times, resolved, and with the snapshot that
   * tells where moved entries are.
   */
  ReadView reading(ReadView view) {
    requireOpen();
    long known = view.knownAt();
    if (known < snapshot.snapshot()) {
      long nearby = router.settledNearby(known);
      if (known <= nearby) {
        return new ReadView(view.validAt(), known, nearby);
      }
    }
    if (known > resolved) {
      resolved = router.snapshotNotBelow(known);
    }
    long reader = known <= snapshot.snapshot() ? snapshot.snapshot() : resolved;
    return view.snapshot() == reader ? view : new ReadView(view.validAt(), known, reader);
  }
}
