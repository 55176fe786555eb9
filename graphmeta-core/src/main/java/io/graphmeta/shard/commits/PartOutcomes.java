package io.graphmeta.shard.commits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What becomes of the intents of a shard: takes outcomes, tells what is held, forgets. Safe for use
 * by many threads, under the lock of the {@link CommitPipeline}.
 */
final class PartOutcomes {
  @GuardedBy("lock")
  private final IntentTable intents;

  @GuardedBy("lock")
  private final ConflictWindow window;

  @GuardedBy("lock")
  private final StampSource stamps;

  private final CoveredLog log;
  private final ResolvedStamp resolved;
  private final AnsweringLock lock;

  @GuardedBy("lock")
  private long newestCommitted;

  PartOutcomes(
      IntentTable intents,
      ConflictWindow window,
      StampSource stamps,
      CoveredLog log,
      ResolvedStamp resolved,
      AnsweringLock lock) {
    this.intents = intents;
    this.window = window;
    this.stamps = stamps;
    this.log = log;
    this.resolved = resolved;
    this.lock = lock;
  }

  /**
   * Takes the outcome of a transaction, if it is not known yet. Under the lock; the resolved stamp
   * is moved on by the caller.
   */
  @SuppressWarnings("GuardedBy") // the caller holds the lock
  void decide(Request.Resolve outcome) {
    Intent intent = intents.open(outcome.id());
    if (intent == null || !intent.isDurable()) {
      return; // known already, or nothing that could have been decided
    }
    if (outcome.committed()) {
      window.reserve(intent.marks.length);
      intents.decide(intent);
      newestCommitted = Math.max(newestCommitted, outcome.id().stamp());
      for (long scope : intent.marks) {
        window.mark(scope, outcome.id().stamp());
      }
    } else {
      resolved.stayBelow(intent, intents.undo(intent, log));
    }
  }

  /** The greatest stamp of a transaction that was committed. Under the lock. */
  @SuppressWarnings("GuardedBy") // the caller holds the lock
  long newestCommitted() {
    return newestCommitted;
  }

  /** What is held of some transactions. What is not held is closed first, and so never will be. */
  CompletableFuture<Response> inquire(List<TransactionId> ids, long watermark) {
    lock.lock();
    try {
      List<CompletableFuture<Void>> awaited = new ArrayList<>();
      for (TransactionId id : ids) {
        Intent intent = intents.open(id);
        if (intent != null && !intent.isDurable()) {
          awaited.add(intent.durable);
        }
      }
      if (!awaited.isEmpty()) {
        return CompletableFuture.allOf(awaited.toArray(new CompletableFuture<?>[0]))
            .thenCompose(durable -> inquire(ids, watermark));
      }
      List<PartState> states = new ArrayList<>(ids.size());
      long missing = 0;
      for (TransactionId id : ids) {
        PartState state = stateOf(id, watermark);
        states.add(state);
        if (state == PartState.ABSENT || state == PartState.COVERED) {
          missing = Math.max(missing, id.stamp());
        }
      }
      RowBatch bound = new RowBatch(0);
      resolved.passClosed();
      stamps.close(missing, bound);
      resolved.close(missing);
      resolved.advance();
      return log.append(bound, resolved.closed()).thenApply(durable -> new Response.Parts(states));
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private PartState stateOf(TransactionId id, long watermark) {
    if (intents.decided(id) != null) {
      return PartState.COMMITTED;
    }
    if (intents.open(id) != null) {
      return PartState.HELD;
    }
    return id.stamp() <= watermark ? PartState.COVERED : PartState.ABSENT;
  }

  /** False if there is certainly no intent. Does not wait for the lock. */
  @SuppressWarnings("GuardedBy") // the number of intents may be read without the lock
  boolean mayHoldAny() {
    return intents.mayHoldAny();
  }

  /** Open and durable intents that came at or before a time, oldest stamp first. */
  List<Intent> openSince(long millis, int atMost) {
    lock.lock();
    try {
      return intents.openSince(millis, atMost);
    } finally {
      lock.unlock();
    }
  }

  /** Decided intents up to a stamp, oldest first. */
  List<Intent> decidedUpTo(long stamp, int atMost) {
    lock.lock();
    try {
      return intents.decidedUpTo(stamp, atMost);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets decided intents that no participant will ask about any more. */
  void forget(List<Intent> settled) {
    if (settled.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      RowBatch entry = new RowBatch(64 * settled.size());
      settled.forEach(intent -> intent.forget(entry));
      log.appendUnawaited(entry);
      settled.forEach(intents::removeDecided);
    } finally {
      lock.unlock();
    }
  }

  /** The intents in numbers, at a time by the clock of the ticks. */
  IntentCounts counts(long nowMillis) {
    lock.lock();
    try {
      int open = intents.openCount();
      long age = open == 0 ? 0 : Math.max(0, nowMillis - Math.max(0, intents.firstArrivedMillis()));
      return new IntentCounts(open, age, intents.decidedCount());
    } finally {
      lock.unlock();
    }
  }
}
