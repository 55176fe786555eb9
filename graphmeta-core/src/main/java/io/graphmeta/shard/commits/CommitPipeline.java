package io.graphmeta.shard.commits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.index.IndexedKeys;
import io.graphmeta.shard.moves.EntryMoves;
import io.graphmeta.shard.moves.GivenEntries;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions, and takes parts of transactions over several shards, in groups. Callers
 * queue up. The caller that gets the lock checks, stamps and appends the whole queue as one entry
 * of the log; the others go on as soon as that is done, without the lock. Who brings a part, or the
 * outcome of one, leaves it in the queue if the lock is taken, and goes on to the next shard. No
 * thread waits for the disk under the lock. Safe for use by many threads.
 *
 * <p>Invariants, all under the lock:
 *
 * <ul>
 *   <li>Each stamp that this shard gives lies above what is {@linkplain ResolvedStamp closed}, and
 *       so must the stamps of parts. Before a part is refused its stamp is closed, so that no copy
 *       of the part is ever taken. A bound above what is closed is durable before a client is told;
 *       after a restart the bound is what is closed.
 *   <li>A commit is checked against all commits and parts that were taken before it, also against
 *       those of its own group and against open intents.
 *   <li>A group is one entry; if the log refuses it, nothing of it happened. A member that fails
 *       before, with whatever error, leaves nothing behind in it.
 *   <li>Scopes that members change are marked for later groups when the entry is in the log. From
 *       then on nothing is thrown and no memory is needed: all that takes memory is made before.
 *   <li>Every member is answered once, after the lock is free.
 *   <li>What a thread brings is taken in its order: a transaction finds the outcomes that its
 *       thread has brought before. What meets parts alone that came to nothing and are still to be
 *       undone is {@linkplain SetAside set aside} until they are, as if its message had come then.
 * </ul>
 */
public final class CommitPipeline {
  private static final int MAX_UNANSWERED = 1 << 16;

  /** How often a thread looks whether it is done before it sleeps: most are within microseconds. */
  private static final int SPINS = 100;

  /** A thread that should have been woken, but was not for want of stack, wakes by itself. */
  private static final long LOST_WAKE_NANOS = 200_000_000;

  @GuardedBy("lock")
  private final StampSource stamps;

  private final CommitSettings settings;
  private final EntryMoves moves;

  private final ConcurrentLinkedQueue<Submission> queue = new ConcurrentLinkedQueue<>();
  private final AnsweringLock lock = new AnsweringLock(this::wakeFirst, this::appendLeft);

  @GuardedBy("lock")
  private final IntentTable intents = new IntentTable();

  private final SetAside aside = new SetAside();

  private final CoveredLog log;

  @GuardedBy("lock")
  private final ConflictWindow window;

  @GuardedBy("lock")
  private final @Nullable CommitTokens tokens;

  private final ResolvedStamp resolved;
  private final PartOutcomes outcomes;
  private final SnapshotStamps snapshots;

  @GuardedBy("lock")
  private final GroupEntry entry;

  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile long nowMillis;

  /**
   * A pipeline for one store.
   *
   * @param physical the clock that stamps follow
   * @param watermark the stamp at and below which the outcomes of all parts are known, on disk
   */
  public CommitPipeline(
      StorageEngine storage,
      ReplicationLog log,
      InstantSource physical,
      CommitSettings settings,
      SplitTable splits,
      EntryMoves moves,
      IndexedKeys indexed,
      long watermark) {
    CommitErrors.prepare();
    this.stamps = new StampSource(storage, physical, settings.maxOffsetMicros());
    this.settings = settings;
    this.moves = moves;
    intents.load(storage, watermark);
    this.log = new CoveredLog(log, stamps, settings.durability(), lock);
    this.window = GroupEntry.window(stamps.bound());
    this.tokens =
        settings.keepsTokens() ? CommitTokens.load(storage, stamps.bound(), window) : null;
    this.resolved = new ResolvedStamp(stamps, intents, aside, lock);
    this.outcomes = new PartOutcomes(intents, window, stamps, this.log, resolved, lock);
    this.snapshots = new SnapshotStamps(stamps, this.log, resolved, lock);
    this.entry =
        new GroupEntry(
            storage,
            stamps,
            new EntryCheck(splits, moves, intents),
            intents,
            resolved,
            this.log,
            window,
            tokens,
            settings.maxIntents(),
            indexed);
  }

  /** What becomes of the intents. */
  PartOutcomes outcomes() {
    return outcomes;
  }

  /** Tells the time, by the clock of the ticks. */
  void tick(long millis) {
    nowMillis = millis;
    appendLeft();
  }

  /** The intents in numbers. */
  public IntentCounts intentCounts() {
    return outcomes.counts(nowMillis);
  }

  /** The newest stamp that a snapshot can have. */
  public long resolved() {
    return resolved.get();
  }

  /**
   * A snapshot of now, not below what the client has seen: everything at or below it is durable and
   * decided, and nothing will be taken at or below it any more. Where the log cannot take the bound
   * that this needs, as on a full disk, it is the newest snapshot that there was.
   */
  public CompletableFuture<Response> snapshot(long seen) {
    return snapshots.take(seen);
  }

  /** As {@link #snapshot}, if it can be given without a lock and at once; else null. */
  public @Nullable Response snapshotAtOnce(long seen) {
    return snapshots.takeAtOnce(seen);
  }

  /**
   * True if a view of a snapshot can be read, whether this run of the shard gave it or not: nothing
   * at or below it will change any more. Else {@link #snapshot} not below it comes when it can, or
   * fails if the clock here is too far behind. Who asks for what is there at all, whatever the
   * time, does so by {@link Stamp#MAX}, which is no snapshot, and is not kept waiting.
   */
  public boolean canBeRead(long snapshot) {
    return resolved.covers(snapshot) || snapshot == Stamp.MAX;
  }

  // Groups

  /** Commits, or answers with the conflict. */
  public CompletableFuture<Response> commit(Request.Commit commit) {
    return submit(Submission.of(commit));
  }

  /** Makes a part an intent, or refuses it for ever. */
  public CompletableFuture<Response> prepare(Request.Prepare prepare) {
    return submit(Submission.of(prepare));
  }

  /** Takes the outcome of a transaction, if it is not known yet. */
  public CompletableFuture<Response> resolve(Request.Resolve outcome) {
    return submit(Submission.of(outcome));
  }

  private CompletableFuture<Response> submit(Submission submission) {
    if (unanswered.incrementAndGet() > MAX_UNANSWERED) {
      return refuseOverload(submission);
    }
    try {
      if (submission.outcome == null) {
        log.requireRoom();
      }
    } catch (Throwable e) {
      refuseUntaken(submission, e);
      return submission.answer;
    }
    boolean queued = false;
    try {
      queue.add(submission);
      queued = true;
      if (submission.commit == null) {
        appendOrLeave(submission);
      } else {
        appendOrWait(submission);
      }
    } catch (Throwable e) {
      if (!queued || queue.remove(submission)) {
        refuseUntaken(submission, e);
      }
    } finally {
      if (submission.syncs) {
        log.bringToDisk();
      }
    }
    return submission.answer;
  }

  /**
   * Appends what waits, or leaves it to the thread that has the lock: the caller has other parts to
   * send, and to wait for each of their shards in turn would take the sum of their times.
   */
  private void appendOrLeave(Submission submission) {
    if (!appended(submission)) {
      submission.leave();
      appended(submission); // who had the lock may not have seen that it was left
    }
  }

  /**
   * Appends what was left in the queue; answers come in between. Who leaves something waits for the
   * answer before the next comes, so this ends. If it fails, the next that lets go of the lock does
   * it, be it the thread that keeps house.
   */
  @SuppressWarnings("GuardedBy") // tryLock takes it, and release lets it go
  private void appendLeft() {
    while (isLeftToOthers() && lock.tryLock()) {
      try {
        appendGroup(false);
      } finally {
        lock.release();
      }
    }
  }

  /** Whether what comes next has no thread that waits to append it. */
  private boolean isLeftToOthers() {
    Submission first = queue.peek();
    return aside.isReady() || first != null && first.isLeft();
  }

  /**
   * Appends what waits, or waits until another thread has done so for this one. A thread that
   * appends takes all that wait: who finds the lock taken is soon done without it, and need not
   * have it to learn so. Nobody is forgotten: a submission is in the queue, and names its thread,
   * before that thread finds the lock taken; and whoever lets go of the lock looks at the queue
   * afterwards and wakes the first in it.
   */
  private void appendOrWait(Submission submission) {
    for (int i = 0; i < SPINS; i++) {
      if (appended(submission) || submission.isDone()) {
        return;
      }
      Thread.onSpinWait();
    }
    boolean interrupted = false;
    submission.waits(Thread.currentThread());
    while (!submission.isDone() && !appended(submission)) {
      LockSupport.parkNanos(this, LOST_WAKE_NANOS);
      interrupted |= Thread.interrupted();
    }
    submission.waits(null);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Appends groups until a submission is in one; false if another thread holds the lock. */
  private boolean appended(Submission submission) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      while (!submission.taken) {
        submission.syncs |= appendGroup(true);
      }
    } finally {
      lock.unlock();
    }
    return true;
  }

  /** The lock is free: the first of those who wait can have it. */
  private void wakeFirst() {
    Submission first = queue.peek();
    if (first != null) {
      first.wake();
    }
  }

  private CompletableFuture<Response> refuseOverload(Submission submission) {
    refuseUntaken(
        submission,
        new GraphMetaException(
            ErrorCode.OVERLOADED,
            "The shard has " + MAX_UNANSWERED + " commits unanswered; try later"));
    return submission.answer;
  }

  private void refuseUntaken(Submission submission, Throwable cause) {
    lock.lock();
    try {
      refuse(submission, cause);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends what waits, and returns whether the caller has to bring it to disk.
   *
   * @param callerCanSync whether the caller would
   */
  @GuardedBy("lock")
  private boolean appendGroup(boolean callerCanSync) {
    CommitGroup group = new CommitGroup();
    entry.clear();
    CompletableFuture<Void> durable;
    boolean callerSyncs;
    try {
      resolved.beginTaking();
      takeMembers(group);
      resolved.endTaking(group);
      entry.complete();
      Durability asked = durabilityOf(group);
      callerSyncs = callerCanSync && asked == Durability.SYNC && group.awaited() == null;
      durable = log.append(entry.rows(), resolved.closed(), group, asked, callerSyncs);
    } catch (Throwable e) {
      takeBack(group, e);
      return false;
    }
    // The entry is in the store: nothing from here on may fail for want of memory.
    entry.wasAppended();
    if (group.hasStamps()) {
      resolved.stayBelow(group);
    }
    try {
      if (durable.isDone() && !durable.isCompletedExceptionally()) {
        settle(group);
      } else {
        durable.whenComplete((done, failure) -> settleLater(group, failure));
        letGo(group);
        resolved.advance(); // outcomes need not wait for the disk
      }
    } catch (Throwable e) {
      log.stop(e);
      giveUp(group, e);
    }
    return callerSyncs;
  }

  /** Takes what waits into a group. A member that fails leaves nothing behind. */
  @GuardedBy("lock")
  private void takeMembers(CommitGroup group) {
    Submission next;
    while (!entry.isFull() && (next = nextMember()) != null) {
      next.taken = true;
      try {
        if (next.outcome != null) {
          outcomes.decide(next.outcome);
          next.response = new Response.Done();
          answer(next);
        } else {
          switch (entry.add(next, group, nowMillis)) {
            case GROUP -> {}
            case NONE -> answer(next);
            case NEXT_GROUP -> {
              aside.addNext(next);
              next.letGo();
              return;
            }
            case LATER_GROUP -> setAside(next);
          }
        }
      } catch (Throwable e) {
        refuse(next, e);
      }
    }
  }

  @GuardedBy("lock")
  private @Nullable Submission nextMember() {
    Submission again = aside.poll();
    return again != null ? again : queue.poll();
  }

  @GuardedBy("lock")
  private void setAside(Submission member) {
    if (aside.failure() != null) {
      refuse(member, CommitErrors.stopped(aside.failure()));
      return;
    }
    aside.add(member);
    member.letGo();
  }

  /**
   * Others build on a transaction over several shards: no loss of power may take one part of it.
   * Where the logs of all shards go back to one moment none does.
   */
  private Durability durabilityOf(CommitGroup group) {
    boolean hasParts = group.awaited() != null;
    return hasParts && settings.shared() == Durability.SYNC
        ? Durability.SYNC
        : settings.durability();
  }

  /** The members that are not answered yet wait for the disk, not for this thread. */
  @GuardedBy("lock")
  private void letGo(CommitGroup group) {
    for (Submission member = group.first(); member != null; member = member.next) {
      member.letGo();
    }
  }

  private void settleLater(CommitGroup group, @Nullable Throwable failure) {
    lock.lock();
    try {
      if (failure == null) {
        settle(group);
      } else {
        giveUp(group, failure);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void settle(CommitGroup group) {
    log.isDurable(group);
    group.becomeDurable();
    for (Submission member = group.first(); member != null; member = member.next) {
      if (member.prepare != null && intents.becomeDurable(member.prepare.id(), group)) {
        aside.undone();
      }
      answer(member);
    }
    resolved.close(group.newest());
    resolved.advance();
    if (group.awaited() != null) {
      lock.answerLater(group.awaited());
    }
  }

  /**
   * Fails a group of which it is not known whether it is durable. The log takes no more entries,
   * and the resolved stamp does not move on.
   */
  @GuardedBy("lock")
  private void giveUp(CommitGroup group, Throwable failure) {
    GraphMetaException unknown = CommitErrors.unknown(failure);
    group.fail(unknown);
    failAll(group, unknown);
    resolved.stop(CommitErrors.stopped(failure));
  }

  @GuardedBy("lock")
  private void failAll(CommitGroup group, Throwable failure) {
    for (Submission member = group.first(); member != null; member = member.next) {
      fail(member, failure);
    }
    failAwaited(group, failure);
  }

  /** The log has taken nothing of the group. */
  @GuardedBy("lock")
  private void takeBack(CommitGroup group, Throwable cause) {
    entry.wasRefused();
    for (Submission member = group.first(); member != null; member = member.next) {
      if (member.prepare != null) {
        intents.removeOpen(member.prepare.id(), group);
      }
      refuse(member, cause);
    }
    failAwaited(group, cause);
    resolved.advance();
  }

  @GuardedBy("lock")
  private void failAwaited(CommitGroup group, Throwable failure) {
    CommitGroup.WhenDurable awaited = group.awaited();
    if (awaited != null) {
      awaited.failure = failure;
      lock.answerLater(awaited);
    }
  }

  /** Fails what has not happened, and never will if its message comes again. */
  @GuardedBy("lock")
  private void refuse(Submission member, Throwable cause) {
    // The client that sent a part asks what became of it. A commit that comes again must find that
    // it was refused; where that cannot be noted, its outcome stays unknown.
    boolean isRefused = member.commit == null || entry.canRefuse(member.commit);
    fail(member, isRefused ? CommitErrors.refused(cause) : CommitErrors.untold(cause));
  }

  @GuardedBy("lock")
  private void fail(Submission member, Throwable failure) {
    member.failure = failure;
    answer(member);
  }

  @GuardedBy("lock")
  private void answer(Submission member) {
    unanswered.decrementAndGet();
    lock.answerLater(member);
  }

  // Entries that are moved

  /**
   * Takes no more changes of entries that are given away, for a while; tells how many transactions
   * with changes of them have to end first. What was ordered before is applied when it tells: their
   * changes can be read.
   */
  public CompletableFuture<Integer> hold(GivenEntries given) {
    lock.lock();
    try {
      moves.hold(given, nowMillis);
      int open = intents.openWith(given::includesRow);
      return log.applied().thenApply(applied -> open);
    } finally {
      lock.unlock();
    }
  }

  // The whole store

  /**
   * Lets an action remove all rows while no commit is under way; transactions that are open then
   * can no longer commit.
   */
  public CompletableFuture<Long> clear(Runnable action) {
    lock.lock();
    try {
      CompletableFuture<Void> applied = log.applied();
      return applied.isDone()
          ? CompletableFuture.completedFuture(clearApplied(action))
          : applied.thenCompose(all -> clear(action)); // no row comes behind
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private long clearApplied(Runnable action) {
    boolean done = false;
    try {
      resolved.beginTaking();
      action.run();
      intents.clear();
      RowBatch bound = new RowBatch(64);
      long stamp = stamps.next(resolved.closed(), bound);
      stamps.putBoundAgain(bound);
      log.appendUnawaited(bound);
      window.reset(stamp);
      if (tokens != null) {
        tokens.clear(stamp);
      }
      resolved.close(stamp);
      resolved.advance();
      done = true;
      return stamp;
    } finally {
      if (!done) {
        log.stop(CommitErrors.CLEARED_IN_PART);
      }
    }
  }

  /** The greatest stamp that was committed on this shard, or may have been by an earlier run. */
  public long newestCommitted() {
    lock.lock();
    try {
      return Math.max(entry.newest(), outcomes.newestCommitted());
    } finally {
      lock.unlock();
    }
  }

  /**
   * The greatest stamp that something appended so far has or may have, whatever becomes of it. When
   * the resolved stamp has passed it, all that was appended so far is decided.
   */
  public long newestAppended() {
    lock.lock();
    try {
      return Math.max(Math.max(entry.newest(), outcomes.newestCommitted()), intents.greatestOpen());
    } finally {
      lock.unlock();
    }
  }

  /** Notes the greatest stamp under which rows were written, where there is no other shard. */
  long noteNewest() {
    lock.lock();
    try {
      RowBatch note = new RowBatch(64);
      SettledRow.put(entry.newest(), note);
      log.appendUnawaited(note);
      return entry.newest();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes a stamp, unless it is in the future, and nothing above it. To be called again as long as
   * it is not resolved.
   */
  void closeUpTo(long stamp) {
    snapshots.closeUpTo(stamp);
  }

  /**
   * Fails if a stamp is further ahead than clocks may differ.
   *
   * @throws GraphMetaException {@code MISMATCHED_SETTINGS}
   */
  void requireNear(long stamp) {
    snapshots.requireNear(stamp);
  }

  /** The greatest stamp that was handed out, accepted or closed. */
  public long topStamp() {
    lock.lock();
    try {
      return stamps.top();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Fails the requests that wait for a snapshot, and each later one that would have to: what they
   * wait for may come when the store is opened again, and not before. Safe to call again.
   */
  public void endWaits() {
    lock.lock();
    try {
      resolved.stop(CommitErrors.CLOSES);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends the lowest bound that will do, and what is settled then.
   *
   * @param newest the greatest stamp of the other shards, above which this one begins again
   */
  public void close(long newest) {
    lock.lock();
    try {
      resolved.end();
      RowBatch last = new RowBatch(64);
      long stamp = stamps.lower(newest, last);
      SettledRow.put(Math.min(stamp, intents.leastOpen() - 1), last);
      log.appendLast(last);
    } finally {
      lock.unlock();
    }
  }
}
