package io.graphmeta.shard.commits;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.shard.moves.EntryMoves;
import io.graphmeta.shard.moves.GivenEntries;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions, and takes parts of transactions over several servers, in groups. Callers
 * queue up; whoever gets the lock checks, stamps and appends the whole queue as one entry of the
 * log, and the others find their answer on its way. Nobody waits for the disk under the lock.
 *
 * <p>Invariants, all under the lock:
 *
 * <ul>
 *   <li>What this shard stamps itself lies above what is {@linkplain ResolvedStamp closed}, and so
 *       must the stamps of parts. Whoever refuses a part closes its stamp first, so that no copy of
 *       it is ever taken. A bound above what is closed is durable before anyone is told; after a
 *       restart the bound is what is closed.
 *   <li>A commit is checked against all that was taken before it, those of its own group and open
 *       intents included.
 *   <li>A group is one entry; if the log refuses it, nothing of it happened. A member that fails
 *       before, with whatever error, leaves nothing behind in it.
 *   <li>What members change is marked for others than them when the entry is in the log. From then
 *       on nothing is thrown and no memory needed: all that takes some is made before.
 *   <li>Every member is answered once, after the lock is free.
 * </ul>
 */
public final class CommitPipeline {
  private static final int WINDOW_SCOPES = 1 << 20;
  private static final int MAX_GROUP_BYTES = 16 << 20;
  private static final int MAX_UNANSWERED = 1 << 16;
  private static final int NO_CONFLICT = -2;

  private final StorageEngine storage;
  private final StampSource stamps;
  private final CommitSettings settings;
  private final EntryMoves moves;
  private final EntryCheck entries;

  private final AnsweringLock lock = new AnsweringLock();
  private final IntentTable intents = new IntentTable();
  private final CoveredLog log;
  private final ConflictWindow window;
  private final GroupMarks marks = new GroupMarks();
  private final ResolvedStamp resolved;
  private final PartOutcomes outcomes;
  private final ConcurrentLinkedQueue<Submission> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final byte[] key = new byte[RowKeys.MAX_ROW_KEY_BYTES];
  private RowBatch batch = new RowBatch(1 << 16);
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
      long watermark) {
    this.storage = storage;
    this.stamps = new StampSource(storage, physical, settings.maxOffsetMicros());
    this.settings = settings;
    this.moves = moves;
    this.entries = new EntryCheck(splits, moves, intents);
    intents.load(storage, watermark);
    this.log = new CoveredLog(log, stamps, settings.durability(), lock);
    this.window = new ConflictWindow(WINDOW_SCOPES, stamps.bound());
    this.resolved = new ResolvedStamp(stamps, intents, lock);
    this.outcomes = new PartOutcomes(intents, window, stamps, this.log, resolved, lock);
  }

  /** What becomes of the intents. */
  PartOutcomes outcomes() {
    return outcomes;
  }

  /** Tells the time, by the clock of the ticks. */
  void tick(long millis) {
    nowMillis = millis;
  }

  /** The intents in numbers. */
  public IntentCounts intentCounts() {
    return outcomes.counts(nowMillis);
  }

  // Snapshots

  /** The newest stamp that a snapshot can have. */
  public long resolved() {
    return resolved.get();
  }

  /**
   * A snapshot of now, not below what the client has seen: everything at or below it is durable and
   * decided, and nothing will be taken at or below it any more. Where the log cannot take the bound
   * that this needs, as on a full disk, the newest snapshot there was serves those who read.
   */
  public CompletableFuture<Response> snapshot(long seen) {
    if (!lock.tryLock()) {
      long stamp = resolved.get();
      if (stamp >= seen && resolved.hasMoved()) {
        return CompletableFuture.completedFuture(new Response.Stamped(stamp));
      }
      lock.lock();
    }
    try {
      RowBatch bound = new RowBatch(0);
      long stamp = stamps.next(seen, bound);
      CompletableFuture<Void> covered = log.append(bound, stamp);
      return covered.isDone() && !covered.isCompletedExceptionally()
          ? closeAndAnswer(stamp, seen)
          : covered
              .thenCompose(durable -> closeAndAnswer(stamp, seen))
              .exceptionallyCompose(failure -> newestSnapshot(seen, failure));
    } catch (GraphMetaException e) {
      return newestSnapshot(seen, e);
    } finally {
      lock.unlock();
    }
  }

  /** The newest snapshot that needs nothing of the log, unless the client has seen more. */
  private CompletableFuture<Response> newestSnapshot(long seen, Throwable failure) {
    lock.lock();
    try {
      if (seen > resolved.get() && stamps.isPassed(seen)) {
        resolved.close(seen);
        resolved.advance();
      }
      long stamp = resolved.get();
      return stamp >= seen
          ? CompletableFuture.completedFuture(new Response.Stamped(stamp))
          : CompletableFuture.failedFuture(failure);
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Response> closeAndAnswer(long stamp, long seen) {
    lock.lock();
    try {
      resolved.close(stamp);
      resolved.advance();
      return resolved.notBelow(seen);
    } finally {
      lock.unlock();
    }
  }

  // Groups

  /** Commits, or answers with the conflict. */
  public CompletableFuture<Response> commit(Request.Commit commit) {
    return submit(new Submission(commit, null));
  }

  /** Makes a part an intent, or refuses it for ever. */
  public CompletableFuture<Response> prepare(Request.Prepare prepare) {
    return submit(new Submission(null, prepare));
  }

  private CompletableFuture<Response> submit(Submission submission) {
    if (unanswered.incrementAndGet() > MAX_UNANSWERED) {
      return refuseOverload(submission);
    }
    try {
      storage.requireRoom();
    } catch (GraphMetaException e) {
      refuseUntaken(submission, e);
      return submission.answer;
    }
    boolean queued = false;
    boolean syncs = false;
    try {
      queue.add(submission);
      queued = true;
      lock.lock();
      try {
        while (!submission.taken) {
          syncs |= appendGroup();
        }
      } finally {
        lock.unlock();
      }
    } catch (Throwable e) {
      if (!queued || queue.remove(submission)) {
        refuseUntaken(submission, e);
      }
    } finally {
      if (syncs) {
        log.bringToDisk();
      }
    }
    return submission.answer;
  }

  private CompletableFuture<Response> refuseOverload(Submission submission) {
    refuseUntaken(
        submission,
        new GraphMetaException(
            ErrorCode.OVERLOADED,
            "The server has " + MAX_UNANSWERED + " commits unanswered; try later"));
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

  /** Appends what waits, and returns whether the caller has to bring it to disk. */
  private boolean appendGroup() {
    CommitGroup group = new CommitGroup();
    makeRoom();
    CompletableFuture<Void> durable;
    boolean callerSyncs;
    try {
      takeMembers(group);
      window.reserve(marks.size());
      Durability asked = durabilityOf(group);
      callerSyncs = asked == Durability.SYNC && group.awaited() == null;
      durable = log.append(batch, resolved.closed(), group, asked, callerSyncs);
    } catch (Throwable e) {
      takeBack(group, e);
      return false;
    }
    // The entry is in the store: nothing from here on may fail for want of memory.
    marks.moveTo(window);
    if (group.hasStamps()) {
      resolved.stayBelow(group);
    }
    try {
      if (durable.isDone() && !durable.isCompletedExceptionally()) {
        settle(group);
      } else {
        durable.whenComplete((done, failure) -> settleLater(group, failure));
      }
    } catch (Throwable e) {
      log.stop(e);
      giveUp(group, e);
    }
    return callerSyncs;
  }

  private void makeRoom() {
    marks.shrink();
    if (batch.sizeBytes() > MAX_GROUP_BYTES) {
      batch = new RowBatch(1 << 16);
    }
    batch.clear();
  }

  /** Takes what waits into a group. A member that fails leaves nothing behind. */
  private void takeMembers(CommitGroup group) {
    Submission next;
    while (batch.sizeBytes() < MAX_GROUP_BYTES && (next = queue.poll()) != null) {
      next.taken = true;
      int sizeBytes = batch.sizeBytes();
      int count = batch.count();
      long bound = stamps.bound();
      try {
        stage(next, group);
      } catch (Throwable e) {
        batch.truncate(sizeBytes, count);
        stamps.backTo(bound);
        refuse(next, e);
      }
    }
  }

  /** Others build on a transaction over several servers: no power loss may take a part of it. */
  private Durability durabilityOf(CommitGroup group) {
    boolean hasParts = group.awaited() != null;
    return hasParts && settings.shared() == Durability.SYNC
        ? Durability.SYNC
        : settings.durability();
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

  private void settle(CommitGroup group) {
    log.isDurable(group);
    group.becomeDurable();
    for (Submission member = group.first(); member != null; member = member.next) {
      if (member.intent != null) {
        member.intent.becomeDurable();
      }
      answer(member);
    }
    resolved.close(group.newest());
    resolved.advance();
    if (group.awaited() != null) {
      lock.answerLater(group.awaited());
    }
  }

  /** Whether the group is durable nobody knows; the log takes nothing more, and nothing moves. */
  private void giveUp(CommitGroup group, Throwable failure) {
    GraphMetaException unknown = CommitErrors.unknown(failure);
    group.fail(unknown);
    failAll(group, unknown);
    resolved.stop(CommitErrors.stopped(failure));
  }

  private void failAll(CommitGroup group, Throwable failure) {
    for (Submission member = group.first(); member != null; member = member.next) {
      fail(member, failure);
    }
    failAwaited(group, failure);
  }

  /** The log has taken nothing of the group. */
  private void takeBack(CommitGroup group, Throwable cause) {
    marks.clear();
    stamps.boundLost();
    for (Submission member = group.first(); member != null; member = member.next) {
      if (member.intent != null) {
        intents.removeOpen(member.intent);
      }
      refuse(member, cause);
    }
    failAwaited(group, cause);
    resolved.advance();
  }

  private void failAwaited(CommitGroup group, Throwable failure) {
    CommitGroup.WhenDurable awaited = group.awaited();
    if (awaited != null) {
      awaited.failure = failure;
      lock.answerLater(awaited);
    }
  }

  /** Fails what has not happened, and never will if its message comes again. */
  private void refuse(Submission member, Throwable cause) {
    fail(
        member,
        canRefuse(member, cause) ? CommitErrors.refused(cause) : CommitErrors.untold(cause));
  }

  private boolean canRefuse(Submission member, Throwable cause) {
    if (member.commit == null) {
      return true; // whoever sent it asks what became of it
    }
    long token = member.commit.token();
    try {
      if (marks.lastChange(token) != 0 || window.knows(token)) {
        return false; // sent again: it may have happened
      }
      window.reserve(marks.size() + 1);
      window.refuse(token, -1);
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private void fail(Submission member, Throwable failure) {
    member.failure = failure;
    answer(member);
  }

  private void answer(Submission member) {
    unanswered.decrementAndGet();
    lock.answerLater(member);
  }

  // Members of a group

  private void stage(Submission submission, CommitGroup group) {
    if (submission.commit != null) {
      stageCommit(submission, submission.commit, group);
    } else {
      stagePart(submission, Objects.requireNonNull(submission.prepare), group);
    }
  }

  private void stageCommit(Submission submission, Request.Commit commit, CommitGroup group) {
    Response before = outcome(commit.token());
    if (before == null) {
      submission.response = commitAt(commit, group);
      group.add(submission);
    } else { // sent again
      submission.response = before;
      long stamp = before instanceof Response.Stamped stamped ? stamped.stamp() : 0;
      join(submission, resolved.groupOf(stamp, group));
    }
  }

  private @Nullable Response outcome(long token) {
    long stamp = marks.lastChange(token);
    return stamp != 0 ? new Response.Stamped(stamp) : window.outcome(token);
  }

  /** Lets one that was sent again be answered with the first. */
  private void join(Submission copy, CommitGroup group) {
    if (group.failure() != null) {
      fail(copy, group.failure());
    } else {
      group.add(copy);
    }
  }

  private Response commitAt(Request.Commit commit, CommitGroup group) {
    long above = entries.check(commit.rows(), commit.checks(), commit.snapshot(), nowMillis);
    int conflict = above == EntryCheck.UNTOLD ? -1 : conflict(commit.snapshot(), commit.checks());
    if (conflict != NO_CONFLICT) {
      Response conflicted = new Response.Conflicted(conflict);
      window.reserve(marks.size() + 1);
      window.refuse(commit.token(), conflict);
      return conflicted;
    }
    marks.reserve(commit.marks().length + 1);
    long stamp = stamps.next(Math.max(above, Math.max(commit.seen(), commit.snapshot())), batch);
    while (intents.hasStamp(stamp)) { // who undoes that part would take rows of this commit
      stamp = stamps.next(stamp, batch);
    }
    putRows(commit.rows(), stamp, null);
    Response stamped = new Response.Stamped(stamp);
    marks.mark(commit.token(), stamp);
    for (long scope : commit.marks()) {
      marks.mark(scope, stamp);
    }
    group.stamped(stamp);
    return stamped;
  }

  private void stagePart(Submission submission, Request.Prepare prepare, CommitGroup group) {
    Intent present = intents.open(prepare.id());
    if (present == null && intents.decided(prepare.id()) == null) {
      submission.response = hold(submission, prepare, group);
      group.add(submission);
    } else { // sent again
      submission.response = new Response.Prepared();
      CommitGroup holding = present == null ? null : present.group();
      join(submission, holding == null ? group : holding);
    }
  }

  private @Nullable Response hold(
      Submission submission, Request.Prepare prepare, CommitGroup group) {
    TransactionId id = prepare.id();
    Intent replaced = prepare.replaces() == null ? null : intents.open(prepare.replaces());
    if (replaced != null) {
      outcomes.undo(replaced);
    }
    if (id.stamp() <= resolved.closed()) {
      return new Response.TooLow(resolved.closed());
    }
    // Two of one stamp may write the same row, and who undoes its part would take that of the
    // other.
    CommitGroup taken = resolved.groupOf(id.stamp(), group);
    if (taken.spans(id.stamp())) {
      return refuse(id, new Response.TooLow(taken.newest()));
    }
    if (intents.hasStamp(id.stamp())) {
      return refuse(id, new Response.TooLow(id.stamp()));
    }
    long above;
    try {
      above = entries.check(prepare.rows(), prepare.checks(), prepare.snapshot(), nowMillis);
    } catch (GraphMetaException e) {
      submission.failure = e;
      return refuse(id, null);
    }
    int conflict = above == EntryCheck.UNTOLD ? -1 : conflict(prepare.snapshot(), prepare.checks());
    if (conflict != NO_CONFLICT) {
      return refuse(id, new Response.Conflicted(conflict));
    }
    if (id.stamp() <= above) {
      return refuse(id, new Response.TooLow(above));
    }
    if (intents.size() >= settings.maxIntents()) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The server holds " + intents.size() + " intents, as many as it may; try later");
    }
    stamps.accept(id.stamp(), batch);
    Intent.Builder undoing = new Intent.Builder(id, prepare.participants(), prepare.marks());
    putRows(prepare.rows(), id.stamp(), undoing);
    Intent intent = undoing.build(batch, group, nowMillis);
    Response prepared = new Response.Prepared();
    intents.add(intent);
    submission.intent = intent;
    return prepared;
  }

  /** Closes the stamp of a part, so that it is never taken, and returns the answer. */
  private @Nullable Response refuse(TransactionId id, @Nullable Response answer) {
    stamps.close(id.stamp(), batch);
    resolved.close(id.stamp());
    return answer;
  }

  /** The position of the first check that fails; -1 if that cannot be told any more. */
  private int conflict(long snapshot, long[] checks) {
    if (!window.covers(snapshot)) {
      return -1;
    }
    for (int i = 0; i < checks.length; i++) {
      if (window.changedAfter(snapshot, checks[i])
          || marks.lastChange(checks[i]) > snapshot
          || intents.holds(checks[i])) {
        return i;
      }
    }
    return NO_CONFLICT;
  }

  private void putRows(StagedRows rows, long stamp, Intent.@Nullable Builder undoing) {
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          byte[] rowKey = slotLength + 16 <= key.length ? key : new byte[slotLength + 16];
          System.arraycopy(buffer, slotAt, rowKey, 0, slotLength);
          int length =
              stamped
                  ? RowKeys.appendStamps(rowKey, slotLength, valid == 0 ? stamp : valid, stamp)
                  : slotLength;
          batch.put(family, rowKey, length, buffer, valueAt, valueLength);
          if (undoing != null) {
            byte[] before = stamped ? null : storage.get(family, Arrays.copyOf(rowKey, length));
            undoing.put(family, rowKey, length, before);
          }
        });
  }

  // Entries that are moved

  /**
   * Takes no more changes of entries that are given away, for a while; returns how many
   * transactions with changes of them have to end first.
   */
  public int hold(GivenEntries given) {
    lock.lock();
    try {
      moves.hold(given, nowMillis);
      return intents.openWith(given::includesRow);
    } finally {
      lock.unlock();
    }
  }

  // The whole store

  /**
   * Lets an action remove all rows while no commit is under way; transactions that are open then
   * can no longer commit.
   */
  public long clear(Runnable action) {
    lock.lock();
    boolean done = false;
    try {
      action.run();
      intents.clear();
      RowBatch bound = new RowBatch(64);
      long stamp = stamps.next(resolved.closed(), bound);
      stamps.putBoundAgain(bound);
      log.appendUnawaited(bound);
      window.reset(stamp);
      resolved.close(stamp);
      resolved.advance();
      done = true;
      return stamp;
    } finally {
      if (!done) {
        log.stop(CommitErrors.CLEARED_IN_PART);
      }
      lock.unlock();
    }
  }

  /** Appends the lowest bound that will do. */
  public void close() {
    lock.lock();
    try {
      RowBatch last = new RowBatch(64);
      stamps.lower(last);
      log.appendLast(last);
    } finally {
      lock.unlock();
    }
  }
}
