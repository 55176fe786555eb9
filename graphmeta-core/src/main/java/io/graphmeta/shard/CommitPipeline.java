package io.graphmeta.shard;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions, and parts of transactions over several servers, in groups. Callers queue
 * up; whoever gets the lock checks, stamps and appends the whole queue as one entry of the log, and
 * the others find their answer on its way. Nobody waits for the disk under the lock.
 *
 * <p>Invariants, all under the lock:
 *
 * <ul>
 *   <li>{@code closed} is the stamp at and below which nothing is taken any more. It only grows;
 *       what this shard stamps itself lies above it, and so must the stamps of parts. Whoever
 *       refuses a part closes its stamp first, so that no copy of it is ever taken. A bound above
 *       it is in the log before anyone is told; after a restart the bound is what is closed.
 *   <li>{@link #resolved} is a stamp at and below which everything that was taken is durable and
 *       its outcome is known: below {@code closed}, below every commit that is not durable yet, and
 *       below every open intent. It only grows. Readers take it as their snapshot, so they see all
 *       of a transaction or nothing.
 *   <li>A commit is checked against all taken before it, those of its own group and open intents
 *       included.
 *   <li>A group is one entry; if the log refuses it, nothing of it happened.
 *   <li>Answers are given after the lock is free, since whoever gets one may come back.
 * </ul>
 */
final class CommitPipeline {
  private static final int WINDOW_SCOPES = 1 << 20;
  private static final int MAX_GROUP_BYTES = 16 << 20;
  private static final int MAX_UNANSWERED = 1 << 16;
  private static final int NO_CONFLICT = -2;
  private static final CompletableFuture<Void> COVERED = CompletableFuture.completedFuture(null);

  private final StorageEngine storage;
  private final ReplicationLog log;
  private final StampSource stamps;
  private final ShardSettings settings;
  private final ConflictWindow window;
  private final IntentTable intents = new IntentTable();
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final byte[] key = new byte[RowKeys.MAX_ROW_KEY_BYTES];
  private final ArrayDeque<Group> undurable = new ArrayDeque<>();
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private List<Runnable> answers = new ArrayList<>();
  private RowBatch batch = new RowBatch(1 << 16);
  private long closed;
  private volatile long nowMillis;
  private final long openedAt;
  private volatile long resolved;

  CommitPipeline(
      StorageEngine storage,
      ReplicationLog log,
      StampSource stamps,
      ShardSettings settings,
      long watermark) {
    this.storage = storage;
    this.log = log;
    this.stamps = stamps;
    this.settings = settings;
    this.closed = stamps.bound();
    intents.load(storage, watermark);
    this.window = new ConflictWindow(WINDOW_SCOPES, closed);
    this.resolved = Math.min(closed, intents.leastOpen() - 1);
    this.openedAt = resolved;
  }

  /** What waits for the log; {@code durable} completes when it is durable. */
  private static final class Group {
    private final List<Pending> members = new ArrayList<>();
    private long least = Long.MAX_VALUE;
    private long newest;
    private boolean done;
    private @Nullable CompletableFuture<Void> durable;

    /** Made for intents only, which others may have to wait for. */
    CompletableFuture<Void> durable() {
      if (durable == null) {
        durable = new CompletableFuture<>();
      }
      return durable;
    }

    void stamped(long stamp) {
      least = Math.min(least, stamp);
      newest = Math.max(newest, stamp);
    }
  }

  /** Somebody who needs a snapshot at or above a stamp. */
  private record Waiter(long stamp, CompletableFuture<Response> answer)
      implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      return Long.compare(stamp, other.stamp);
    }
  }

  // Snapshots

  /**
   * A snapshot of now, not below what the client has seen: everything at or below it is durable and
   * decided, and nothing will be taken at or below it any more.
   */
  CompletableFuture<Response> snapshot(long seen) {
    if (lock.tryLock()) {
      return closeAndAnswer(seen);
    }
    long stamp = resolved;
    if (stamp >= seen && stamp > openedAt) {
      return CompletableFuture.completedFuture(new Response.Stamped(stamp));
    }
    lock.lock();
    return closeAndAnswer(seen);
  }

  private CompletableFuture<Response> closeAndAnswer(long seen) {
    try {
      RowBatch bound = new RowBatch(0);
      long stamp = stamps.next(seen, bound);
      CompletableFuture<Void> covered = cover(stamp, bound);
      if (covered.isDone()) {
        covered.join();
        return closedAt(stamp, seen);
      }
      return covered.thenCompose(
          durable -> {
            lock.lock();
            try {
              return closedAt(stamp, seen);
            } finally {
              unlockAndAnswer();
            }
          });
    } finally {
      unlockAndAnswer();
    }
  }

  private CompletableFuture<Response> closedAt(long stamp, long seen) {
    closed = Math.max(closed, stamp);
    resolve();
    return stampedFrom(seen);
  }

  private CompletableFuture<Response> stampedFrom(long seen) {
    if (resolved >= seen) {
      return CompletableFuture.completedFuture(new Response.Stamped(resolved));
    }
    if (waiters.size() >= MAX_UNANSWERED) {
      return CompletableFuture.failedFuture(overloaded());
    }
    CompletableFuture<Response> answer = new CompletableFuture<>();
    waiters.add(new Waiter(seen, answer));
    return answer;
  }

  /** Completes when a restart would begin above the stamp; the entry may hold the bound for it. */
  private CompletableFuture<Void> cover(long stamp, RowBatch entry) {
    return entry.count() == 0 && stamps.isCovered(stamp) ? COVERED : append(entry);
  }

  private CompletableFuture<Void> append(RowBatch entry) {
    long bound = stamps.bound();
    CompletableFuture<Void> durable;
    try {
      durable = log.append(entry, settings.durability());
    } catch (RuntimeException e) {
      stamps.boundLost();
      throw e;
    }
    if (durable.isDone()) {
      stamps.boundIsDurable(durable.isCompletedExceptionally() ? 0 : bound);
      return durable;
    }
    return durable.thenRun(
        () -> {
          lock.lock();
          try {
            stamps.boundIsDurable(bound);
          } finally {
            unlockAndAnswer();
          }
        });
  }

  /** The newest stamp that a snapshot can have. */
  long resolved() {
    return resolved;
  }

  /** Moves the resolved stamp as far as it may go, and answers those who waited for it. */
  private void resolve() {
    while (!undurable.isEmpty() && undurable.getFirst().done) {
      undurable.removeFirst();
    }
    long limit = Math.min(closed, intents.leastOpen() - 1);
    if (!undurable.isEmpty()) {
      limit = Math.min(limit, undurable.getFirst().least - 1);
    }
    if (limit > resolved) {
      resolved = limit;
      while (!waiters.isEmpty() && waiters.peek().stamp() <= limit) {
        Waiter waiter = waiters.remove();
        Response stamped = new Response.Stamped(resolved);
        answers.add(() -> waiter.answer().complete(stamped));
      }
    }
  }

  private void unlockAndAnswer() {
    List<Runnable> ready = List.of();
    if (lock.getHoldCount() == 1 && !answers.isEmpty()) {
      ready = answers;
      answers = new ArrayList<>();
    }
    lock.unlock();
    ready.forEach(Runnable::run);
  }

  // Commits and parts

  /** Commits, or answers with the conflict. */
  CompletableFuture<Response> commit(Request.Commit commit) {
    return submit(new Pending(commit, null));
  }

  /** Makes a part an intent, or refuses it for ever. */
  CompletableFuture<Response> prepare(Request.Prepare prepare) {
    return submit(new Pending(null, prepare));
  }

  private CompletableFuture<Response> submit(Pending pending) {
    if (unanswered.incrementAndGet() > MAX_UNANSWERED) {
      unanswered.decrementAndGet();
      return CompletableFuture.failedFuture(overloaded());
    }
    queue.add(pending);
    lock.lock();
    try {
      while (!pending.taken) {
        appendGroup();
      }
    } finally {
      unlockAndAnswer();
    }
    return pending.answer;
  }

  private static GraphMetaException overloaded() {
    return new GraphMetaException(
        ErrorCode.OVERLOADED,
        "The server has " + MAX_UNANSWERED + " requests unanswered; try later");
  }

  private void appendGroup() {
    Group group = new Group();
    batch.clear();
    Pending next;
    while (batch.sizeBytes() < MAX_GROUP_BYTES && (next = queue.poll()) != null) {
      next.taken = true;
      try {
        stage(next, group);
      } catch (GraphMetaException e) {
        fail(next, e);
      }
    }
    try {
      CompletableFuture<Void> durable = cover(closed, batch);
      if (group.least != Long.MAX_VALUE) {
        undurable.add(group);
      }
      if (durable.isDone()) {
        settle(group, failureOf(durable));
      } else {
        durable.whenComplete((done, failure) -> settleLater(group, failure));
      }
    } catch (RuntimeException e) {
      takeBack(group, e);
    } finally {
      if (batch.sizeBytes() > MAX_GROUP_BYTES) {
        batch = new RowBatch(1 << 16);
      }
    }
  }

  private void settleLater(Group group, @Nullable Throwable failure) {
    lock.lock();
    try {
      settle(group, failure);
    } finally {
      unlockAndAnswer();
    }
  }

  private static @Nullable Throwable failureOf(CompletableFuture<Void> done) {
    return done.isCompletedExceptionally() ? done.handle((v, failure) -> failure).join() : null;
  }

  /** The log has taken nothing of the group. */
  private void takeBack(Group group, RuntimeException cause) {
    for (Pending member : group.members) {
      if (member.commit != null) {
        window.revoke(member.commit.token());
      }
      if (member.intent != null) {
        intents.removeOpen(member.intent);
      }
      if (member.replaced != null) {
        intents.add(member.replaced);
      }
      fail(member, cause);
    }
    if (group.durable != null) {
      CompletableFuture<Void> durable = group.durable;
      answers.add(() -> durable.completeExceptionally(cause));
    }
    resolve();
  }

  /** The group is durable, or, after a failure, nobody knows: then nothing moves any more. */
  private void settle(Group group, @Nullable Throwable failure) {
    CompletableFuture<Void> durable = group.durable;
    if (failure != null) {
      GraphMetaException unknown =
          new GraphMetaException(
              ErrorCode.OUTCOME_UNKNOWN,
              "The log could not be brought to disk ("
                  + failure.getMessage()
                  + "); whether the commit is there shows when the database is opened again",
              failure);
      group.members.forEach(member -> fail(member, unknown));
      if (durable != null) {
        answers.add(() -> durable.completeExceptionally(unknown));
      }
      return;
    }
    group.done = true;
    closed = Math.max(closed, group.newest);
    for (Pending member : group.members) {
      if (member.intent != null) {
        member.intent.becomeDurable();
      }
    }
    resolve();
    group.members.forEach(this::answer);
    if (durable != null) {
      answers.add(() -> durable.complete(null));
    }
  }

  private void answer(Pending member) {
    unanswered.decrementAndGet();
    Response response = Objects.requireNonNull(member.response);
    answers.add(() -> member.answer.complete(response));
  }

  private void fail(Pending member, RuntimeException failure) {
    unanswered.decrementAndGet();
    answers.add(() -> member.answer.completeExceptionally(failure));
  }

  private void stage(Pending pending, Group group) {
    Group answering = group;
    if (pending.commit != null) {
      long before = window.lastChange(pending.commit.token());
      answering = before == 0 ? group : groupOf(before, group);
      pending.response =
          before == 0 ? stageCommit(pending.commit, group) : new Response.Stamped(before);
    } else {
      Request.Prepare prepare = Objects.requireNonNull(pending.prepare);
      Intent present = intents.open(prepare.id());
      if (present != null && !present.isDurable()) {
        present.durable.whenComplete((durable, failure) -> answerCopy(pending, failure));
        return;
      }
      boolean held = present != null || intents.decided(prepare.id()) != null;
      pending.response = held ? new Response.Prepared() : stagePart(prepare, pending, group);
    }
    answering.members.add(pending);
  }

  /** Answers a part that came again before it was durable. */
  private void answerCopy(Pending pending, @Nullable Throwable failure) {
    unanswered.decrementAndGet();
    if (failure == null) {
      pending.answer.complete(new Response.Prepared());
    } else {
      pending.answer.completeExceptionally(failure);
    }
  }

  private Response stageCommit(Request.Commit commit, Group group) {
    int conflict = conflict(commit.snapshot(), commit.checks());
    if (conflict != NO_CONFLICT) {
      return new Response.Conflicted(conflict);
    }
    long stamp = stamps.next(Math.max(commit.seen(), commit.snapshot()), batch);
    window.mark(commit.token(), stamp);
    for (long scope : commit.marks()) {
      window.mark(scope, stamp);
    }
    group.stamped(stamp);
    putRows(commit.rows(), stamp, null, null);
    return new Response.Stamped(stamp);
  }

  /** The group whose end tells that a commit of this stamp is durable. */
  private Group groupOf(long stamp, Group current) {
    for (Group group : undurable) {
      if (!group.done && group.least <= stamp && stamp <= group.newest) {
        return group;
      }
    }
    return current;
  }

  /** The position of the first check that fails; -1 if that cannot be told any more. */
  private int conflict(long snapshot, long[] checks) {
    if (!window.covers(snapshot)) {
      return -1;
    }
    for (int i = 0; i < checks.length; i++) {
      if (window.changedAfter(snapshot, checks[i]) || intents.holds(checks[i])) {
        return i;
      }
    }
    return NO_CONFLICT;
  }

  private Response stagePart(Request.Prepare prepare, Pending pending, Group group) {
    TransactionId id = prepare.id();
    Intent replaced = prepare.replaces() == null ? null : intents.open(prepare.replaces());
    if (replaced != null) {
      replaced.undo(batch);
      intents.removeOpen(replaced);
      pending.replaced = replaced;
    }
    if (id.stamp() <= closed) {
      return new Response.TooLow(closed);
    }
    if (intents.hasStamp(id.stamp())) {
      // Both may write the same row, and who undoes its part would take that of the other.
      close(id.stamp(), batch);
      return new Response.TooLow(closed);
    }
    int conflict = conflict(prepare.snapshot(), prepare.checks());
    if (conflict != NO_CONFLICT) {
      close(id.stamp(), batch);
      return new Response.Conflicted(conflict);
    }
    if (intents.size() >= settings.maxIntents()) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The server holds " + intents.size() + " intents, as many as it may; try later");
    }
    stamps.accept(id.stamp(), batch);
    Intent.Builder undoing = new Intent.Builder(id, prepare.participants(), prepare.marks());
    putRows(prepare.rows(), id.stamp(), undoing, replaced);
    Intent intent = undoing.build(batch, group.durable(), nowMillis);
    intents.add(intent);
    pending.intent = intent;
    return new Response.Prepared();
  }

  private void putRows(
      StagedRows rows, long stamp, Intent.@Nullable Builder undoing, @Nullable Intent replaced) {
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
            undoing.put(
                family,
                rowKey,
                length,
                stamped ? null : before(family, Arrays.copyOf(rowKey, length), replaced));
          }
        });
  }

  /** What a row holds once the part that is replaced is undone, which the batch does. */
  private byte @Nullable [] before(Family family, byte[] key, @Nullable Intent replaced) {
    return replaced != null && replaced.wrote(family, key)
        ? replaced.before(family, key)
        : storage.get(family, key);
  }

  // Outcomes

  /** Nothing at or below the stamp is taken any more. Adds the bound to the batch if it must. */
  private void close(long stamp, RowBatch entry) {
    stamps.close(stamp, entry);
    closed = Math.max(closed, stamp);
  }

  /** Takes the outcome of a transaction, if it is not known yet. */
  void decide(TransactionId id, boolean committed) {
    lock.lock();
    try {
      Intent intent = intents.open(id);
      if (intent == null || !intent.isDurable()) {
        return; // known already, or nothing that could have been decided
      }
      if (committed) {
        intents.decide(intent);
        for (long scope : intent.marks) {
          window.mark(scope, id.stamp());
        }
      } else {
        RowBatch entry = new RowBatch(256);
        intent.undo(entry);
        log.append(entry, Durability.BACKGROUND);
        intents.removeOpen(intent);
      }
      resolve();
    } finally {
      unlockAndAnswer();
    }
  }

  /** What is held of some transactions. What is not held is closed first. */
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
      RowBatch bound = new RowBatch(0);
      for (TransactionId id : ids) {
        states.add(stateOf(id, watermark, bound));
      }
      resolve();
      return cover(closed, bound).thenApply(durable -> new Response.Parts(states));
    } finally {
      unlockAndAnswer();
    }
  }

  private PartState stateOf(TransactionId id, long watermark, RowBatch bound) {
    if (intents.decided(id) != null) {
      return PartState.COMMITTED;
    }
    if (intents.open(id) != null) {
      return PartState.HELD;
    }
    close(id.stamp(), bound);
    return id.stamp() <= watermark ? PartState.COVERED : PartState.ABSENT;
  }

  // For the keeper of the intents

  /** Tells the time, by the clock of the ticks. */
  void tick(long millis) {
    nowMillis = millis;
  }

  /** False if there is certainly no intent. */
  boolean mayHoldIntents() {
    return intents.mayHoldAny();
  }

  /** Open and durable intents that came at or before a time, oldest stamp first. */
  List<Intent> openSince(long millis, int atMost) {
    lock.lock();
    try {
      return intents.openSince(millis, atMost);
    } finally {
      unlockAndAnswer();
    }
  }

  /** Decided intents up to a stamp, oldest first. */
  List<Intent> decidedUpTo(long stamp, int atMost) {
    lock.lock();
    try {
      return intents.decidedUpTo(stamp, atMost);
    } finally {
      unlockAndAnswer();
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
      log.append(entry, Durability.BACKGROUND);
      settled.forEach(intents::removeDecided);
    } finally {
      unlockAndAnswer();
    }
  }

  IntentCounts intentCounts() {
    lock.lock();
    try {
      int open = intents.openCount();
      long age = open == 0 ? 0 : Math.max(0, nowMillis - Math.max(0, intents.firstArrivedMillis()));
      return new IntentCounts(open, age, intents.decidedCount());
    } finally {
      unlockAndAnswer();
    }
  }

  // The whole store

  /**
   * Lets an action remove all rows while no commit is under way; transactions that are open then
   * can no longer commit.
   */
  long clear(Runnable action) {
    lock.lock();
    try {
      action.run();
      intents.clear();
      RowBatch bound = new RowBatch(64);
      long stamp = stamps.next(closed, bound);
      stamps.putBoundAgain(bound);
      log.append(bound, Durability.BACKGROUND);
      window.reset(stamp);
      closed = stamp;
      resolve();
      return stamp;
    } finally {
      unlockAndAnswer();
    }
  }

  /** Appends the lowest bound that will do. */
  void close() {
    lock.lock();
    try {
      RowBatch last = new RowBatch(64);
      stamps.lower(last);
      log.append(last, Durability.SYNC);
    } finally {
      unlockAndAnswer();
    }
  }

  private static final class Pending {
    private final Request.@Nullable Commit commit;
    private final Request.@Nullable Prepare prepare;
    private final CompletableFuture<Response> answer = new CompletableFuture<>();
    private boolean taken;
    private @Nullable Response response;
    private @Nullable Intent intent;
    private @Nullable Intent replaced;

    Pending(Request.@Nullable Commit commit, Request.@Nullable Prepare prepare) {
      this.commit = commit;
      this.prepare = prepare;
    }
  }
}
