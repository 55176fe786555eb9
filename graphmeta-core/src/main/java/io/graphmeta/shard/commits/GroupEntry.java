package io.graphmeta.shard.commits;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.shard.index.ChangeNotes;
import io.graphmeta.shard.index.IndexedKeys;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entry of the log that the members of a group become: checks each of them, gives it its stamp,
 * and adds its rows. One for all groups of a pipeline, used for one after the other, so that its
 * memory is used again. Guarded by the lock of the {@link CommitPipeline}.
 *
 * <p>A member that fails leaves nothing behind. What the members change is seen by the members
 * behind them in the same group, and by others once the entry {@linkplain #wasAppended was
 * appended}; if the log refuses the entry, {@link #wasRefused} forgets it.
 */
final class GroupEntry {
  private static final int WINDOW_SCOPES = 1 << 20;
  private static final int MAX_BYTES = 16 << 20;
  private static final int NO_CONFLICT = -3;

  /** There is a conflict with parts alone that are being undone. */
  private static final int UNDOING = -4;

  private final StorageEngine storage;
  private final StampSource stamps;
  private final EntryCheck entries;
  private final IntentTable intents;
  private final ResolvedStamp resolved;
  private final CoveredLog log;
  private final ConflictWindow window;
  private final @Nullable CommitTokens tokens;
  private final int maxIntents;
  private final ChangeNotes changes;
  private final GroupMarks marks = new GroupMarks();
  private final byte[] key = new byte[RowKeys.MAX_ROW_KEY_BYTES];
  private RowBatch batch = new RowBatch(1 << 16);
  private long nowMillis;
  private long newest;

  GroupEntry(
      StorageEngine storage,
      StampSource stamps,
      EntryCheck entries,
      IntentTable intents,
      ResolvedStamp resolved,
      CoveredLog log,
      ConflictWindow window,
      @Nullable CommitTokens tokens,
      int maxIntents,
      IndexedKeys indexed) {
    this.changes = new ChangeNotes(indexed);
    this.storage = storage;
    this.stamps = stamps;
    this.entries = entries;
    this.intents = intents;
    this.resolved = resolved;
    this.log = log;
    this.window = window;
    this.tokens = tokens;
    this.maxIntents = maxIntents;
    this.newest = Math.max(0, stamps.bound() - 1);
  }

  /** Where a member goes. */
  enum Place {
    /** Into the group, or that of the one that was sent first. */
    GROUP,
    /** Into none: it has failed with the group of the one that was sent first. */
    NONE,
    /**
     * Into the next: it takes the place of a member of this one, whose rows are not ordered yet.
     */
    NEXT_GROUP,
    /** Into one that begins when parts are undone; until then nothing is known of it. */
    LATER_GROUP
  }

  /** A window of the size that this class relies on: it holds the marks of one group at least. */
  static ConflictWindow window(long floor) {
    return new ConflictWindow(WINDOW_SCOPES, floor);
  }

  /** Begins with the entry of another group. */
  void clear() {
    marks.shrink();
    if (batch.sizeBytes() > MAX_BYTES) {
      batch = new RowBatch(1 << 16);
    }
    batch.clear();
  }

  /** Whether the entry is so large that it takes no more members. */
  boolean isFull() {
    return batch.sizeBytes() >= MAX_BYTES;
  }

  /** The rows of the members that were added. */
  RowBatch rows() {
    return batch;
  }

  /**
   * Adds a member to the entry and to its group; one that was sent again goes to the group of the
   * first, if that is not durable. A member that makes this throw leaves nothing behind.
   *
   * @param millis the time by the clock of the ticks
   */
  Place add(Submission member, CommitGroup group, long millis) {
    nowMillis = millis;
    int sizeBytes = batch.sizeBytes();
    int count = batch.count();
    int tokenCount = tokens == null ? 0 : tokens.count();
    long bound = stamps.bound();
    boolean done = false;
    try {
      Place place = stage(member, group);
      done = true;
      return place;
    } finally {
      if (!done) {
        batch.truncate(sizeBytes, count);
        if (tokens != null) {
          tokens.truncate(tokenCount);
        }
        stamps.backTo(bound);
      }
    }
  }

  /** Adds what all members have together, and makes all room that {@link #wasAppended} needs. */
  void complete() {
    if (tokens != null) {
      tokens.putRow(batch);
    }
    window.reserve(marks.size());
  }

  /** The entry is in the log: what its members change is seen by others. Takes no memory. */
  void wasAppended() {
    marks.moveTo(window);
    if (tokens != null) {
      tokens.wasAppended();
    }
  }

  /** The log has taken nothing of the entry. */
  void wasRefused() {
    marks.clear();
    if (tokens != null) {
      tokens.begin();
    }
    stamps.boundLost();
  }

  /**
   * Makes sure that a commit that was not done is never done, should its message come again.
   *
   * @return false if that cannot be: it may have been done before, or there is no memory to note it
   */
  boolean canRefuse(Request.Commit commit) {
    long token = commit.token();
    try {
      if (marks.lastChange(token) != 0
          || window.knows(token)
          || !window.tellsTokens(commit.snapshot())) {
        return false; // sent again, or maybe: it may have happened
      }
      window.reserve(marks.size() + 1);
      window.refuse(token, Response.Conflicted.TOO_OLD);
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private Place stage(Submission submission, CommitGroup group) {
    if (submission.commit != null) {
      return stageCommit(submission, submission.commit, group);
    } else {
      return stagePart(submission, Objects.requireNonNull(submission.prepare), group);
    }
  }

  private Place stageCommit(Submission submission, Request.Commit commit, CommitGroup group) {
    Response before = outcome(commit.token());
    if (before == null) {
      submission.response = commitAt(commit, group);
      return place(submission, group);
    } else { // sent again
      submission.response = before;
      long stamp = before instanceof Response.Stamped stamped ? stamped.stamp() : 0;
      return join(submission, resolved.groupOf(stamp, group));
    }
  }

  private @Nullable Response outcome(long token) {
    long stamp = marks.lastChange(token);
    return stamp != 0 ? new Response.Stamped(stamp) : window.outcome(token);
  }

  /** Lets one that was sent again be answered with the group of the first. */
  private static Place join(Submission copy, CommitGroup group) {
    if (group.failure() != null) {
      copy.failure = group.failure();
      return Place.NONE;
    }
    group.add(copy);
    return Place.GROUP;
  }

  /** One that is neither answered nor failed comes again. */
  private static Place place(Submission submission, CommitGroup group) {
    if (submission.response == null && submission.failure == null) {
      return Place.LATER_GROUP;
    }
    group.add(submission);
    return Place.GROUP;
  }

  /** Null if it has to come again. */
  private @Nullable Response commitAt(Request.Commit commit, CommitGroup group) {
    long above = entries.check(commit.rows(), commit.checks(), commit.snapshot(), nowMillis);
    int conflict =
        above == EntryCheck.UNTOLD
            ? Response.Conflicted.UNTOLD
            : conflict(commit.snapshot(), commit.checks(), null);
    if (conflict == UNDOING) {
      return null;
    }
    if (conflict != NO_CONFLICT) {
      if (conflict == Response.Conflicted.UNTOLD && window.tellsTokens(commit.snapshot())) {
        conflict = Response.Conflicted.TOO_OLD;
      }
      Response conflicted = new Response.Conflicted(conflict);
      window.reserve(marks.size() + 1);
      window.refuse(commit.token(), conflict);
      return conflicted;
    }
    marks.reserve(commit.marks().length + 1);
    if (tokens != null) {
      tokens.reserve();
    }
    long stamp = stamps.next(Math.max(above, Math.max(commit.seen(), commit.snapshot())), batch);
    while (intents.hasStamp(stamp)) { // to undo that part would delete rows of this commit
      stamp = stamps.next(stamp, batch);
    }
    newest = Math.max(newest, stamp);
    putRows(commit.rows(), stamp, null, null);
    Response stamped = new Response.Stamped(stamp);
    marks.mark(commit.token(), stamp);
    if (tokens != null) {
      tokens.add(commit.token(), stamp);
    }
    for (long scope : commit.marks()) {
      marks.mark(scope, stamp);
    }
    group.stamped(stamp);
    return stamped;
  }

  private Place stagePart(Submission submission, Request.Prepare prepare, CommitGroup group) {
    Intent present = intents.open(prepare.id());
    if (present == null && intents.decided(prepare.id()) == null) {
      Intent earlier = prepare.replaces() == null ? null : intents.open(prepare.replaces());
      if (earlier != null && earlier.group() == group) {
        return Place.NEXT_GROUP;
      }
      submission.response = hold(submission, prepare, earlier, group);
      return place(submission, group);
    } else { // sent again
      submission.response = new Response.Prepared();
      CommitGroup holding = present == null ? null : present.group();
      return join(submission, holding == null ? group : holding);
    }
  }

  /** Null if it has failed, or has to come again. */
  private @Nullable Response hold(
      Submission submission, Request.Prepare prepare, @Nullable Intent earlier, CommitGroup group) {
    ReplacedPart replaced = ReplacedPart.of(earlier);
    if (earlier != null && replaced == null) {
      resolved.stayBelow(earlier, intents.undo(earlier, log));
    }
    boolean waitsOrIsHeld = false;
    try {
      Response answer = holdInPlace(submission, prepare, replaced, group);
      waitsOrIsHeld =
          answer instanceof Response.Prepared || answer == null && submission.failure == null;
      return answer;
    } finally {
      if (replaced != null && !waitsOrIsHeld) {
        resolved.stayBelow(replaced.intent, intents.undo(replaced.intent, log));
      }
    }
  }

  private @Nullable Response holdInPlace(
      Submission submission,
      Request.Prepare prepare,
      @Nullable ReplacedPart replaced,
      CommitGroup group) {
    TransactionId id = prepare.id();
    if (id.stamp() <= resolved.closed()) {
      return new Response.TooLow(resolved.closed());
    }
    // Two transactions with one stamp may write the same row: to undo the part of one would delete
    // the row of the other.
    CommitGroup taken = resolved.groupOf(id.stamp(), group);
    if (taken.spans(id.stamp())) {
      return close(id, new Response.TooLow(taken.newest()));
    }
    if (intents.hasStamp(id.stamp())) {
      return close(id, new Response.TooLow(id.stamp()));
    }
    long above;
    try {
      above = entries.check(prepare.rows(), prepare.checks(), prepare.snapshot(), nowMillis);
    } catch (GraphMetaException e) {
      submission.failure = e;
      return close(id, null);
    }
    int conflict =
        above == EntryCheck.UNTOLD
            ? Response.Conflicted.UNTOLD
            : conflict(prepare.snapshot(), prepare.checks(), replaced);
    if (conflict == UNDOING) {
      return null;
    }
    if (conflict != NO_CONFLICT) {
      return close(id, new Response.Conflicted(conflict));
    }
    if (id.stamp() <= above) {
      return close(id, new Response.TooLow(above));
    }
    if (intents.size() - (replaced == null ? 0 : 1) >= maxIntents) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "The shard holds " + intents.size() + " intents, as many as it may; try later");
    }
    stamps.accept(id.stamp(), batch);
    if (replaced != null) {
      replaced.intent.undo(batch);
    }
    Intent.Builder undoing = new Intent.Builder(id, prepare.participants(), prepare.marks());
    putRows(prepare.rows(), id.stamp(), undoing, replaced);
    Intent intent = undoing.build(batch, group, nowMillis);
    Response prepared = new Response.Prepared();
    intents.add(intent, replaced == null ? null : replaced.intent);
    return prepared;
  }

  /** Closes the stamp of a part, so that it is never taken, and returns the answer. */
  private @Nullable Response close(TransactionId id, @Nullable Response answer) {
    stamps.close(id.stamp(), batch);
    resolved.close(id.stamp());
    return answer;
  }

  /**
   * The position of the first check that fails; or that this cannot be told any more; or {@link
   * #UNDOING}, if none fails but for what is being undone.
   *
   * @param own holds no scope against the one that takes its place
   */
  private int conflict(long snapshot, long[] checks, @Nullable ReplacedPart own) {
    if (!window.covers(snapshot)) {
      return Response.Conflicted.UNTOLD;
    }
    int conflict = NO_CONFLICT;
    for (int i = 0; i < checks.length; i++) {
      if (window.changedAfter(snapshot, checks[i]) || marks.lastChange(checks[i]) > snapshot) {
        return i;
      }
      int others = intents.holders(checks[i]) - (own == null ? 0 : own.count(checks[i]));
      if (others > 0) {
        if (others > intents.holdersBeingUndone(checks[i])) {
          return i;
        }
        conflict = UNDOING;
      }
    }
    return conflict;
  }

  /**
   * The greatest stamp that a commit was given, perhaps in vain, or may have been by earlier runs.
   */
  long newest() {
    return newest;
  }

  private void putRows(
      StagedRows rows,
      long stamp,
      Intent.@Nullable Builder undoing,
      @Nullable ReplacedPart replaced) {
    changes.clear();
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          changes.note(
              family, stamped, stamp, valid, buffer, slotAt, slotLength, valueAt, valueLength);
          byte[] rowKey = slotLength + 16 <= key.length ? key : new byte[slotLength + 16];
          System.arraycopy(buffer, slotAt, rowKey, 0, slotLength);
          int length =
              stamped
                  ? RowKeys.appendStamps(rowKey, slotLength, valid == 0 ? stamp : valid, stamp)
                  : slotLength;
          batch.put(family, rowKey, length, buffer, valueAt, valueLength);
          if (undoing != null) {
            byte[] before =
                stamped ? null : before(family, Arrays.copyOf(rowKey, length), replaced);
            undoing.put(family, rowKey, length, before);
          }
        });
    changes.forEachRow(
        stamp,
        (changeKey, value, valueLength) -> {
          batch.put(Family.CHANGED, changeKey, changeKey.length, value, 0, valueLength);
          if (undoing != null) { // no other transaction has this stamp
            undoing.put(Family.CHANGED, changeKey, changeKey.length, null);
          }
        });
  }

  private byte @Nullable [] before(Family family, byte[] rowKey, @Nullable ReplacedPart replaced) {
    return replaced == null
        ? storage.get(family, rowKey)
        : replaced.before(family, rowKey, storage);
  }
}
